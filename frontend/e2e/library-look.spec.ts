import { Log } from './support/log';
import { looks, SHOTS } from './support/look';
import { expect, test } from './support/test';

const MANY = 20_000;
const DAY = 86_400_000;
const WORDS = ['harbour', 'timeout', 'vendor', 'node', 'lights', 'deploy', 'index', 'cache', 'token', 'draft'];

// How fast it is, is measured elsewhere: here it is looked at, and making it takes as long as a dozen other pictures.
test.skip(!SHOTS, 'no pictures are wanted');

test('a library of many sessions', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  for (let n = 0; n < MANY; n++) {
    const at = new Date(Date.now() - n * 0.05 * DAY).toISOString();
    const name = `${WORDS[n % 10]} ${WORDS[(n * 7 + 3) % 10]} ${n}`;
    home.session(new Log(at), { name, cwd: `/srv/${WORDS[n % 7]}` });
  }
  await app.start();
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 20,000 sessions');
  await looks(app.page, 'library-many');
});
