import type { App } from './support/app';
import type { Home } from './support/home';
import { BIDI } from './support/hostile';
import { Log } from './support/log';
import { looks } from './support/look';
import type { Program } from './support/program';
import { hit, indexed, look, piSession, search, story } from './support/search';
import { expect, test } from './support/test';

test.describe('what it looks like', { tag: '@look' }, () => {
  async function library(app: App, home: Home, program: Program): Promise<string> {
    const id = home.session(story(), { name: 'fix the harbour lights', cwd: '/srv/harbour' });
    home.session(new Log('2026-11-14T09:00:00Z').user(`A lantern for ${'every boat '.repeat(30)}`).assistant('Yes.'), {
      cwd: '/srv/boats',
    });
    home.session(new Log('2026-11-13T09:00:00Z').user(`needle lantern ${BIDI}`).raw('{"torn'), {
      name: 'مصباح الميناء',
    });
    piSession(home, 'the lantern of another agent');
    await app.start();
    await indexed(program, 4);
    await search(app);
    return id;
  }
  test('before anything is looked for', async ({ app, home, program }) => {
    await program.put('searches', {
      searches: [
        { name: 'what is lost', q: 'in:dropped' },
        { name: 'lantern', q: 'lantern' },
      ],
    });
    await library(app, home, program);
    await expect(app.page.getByTestId('saved-search')).toHaveCount(2);
    await looks(app.page, 'search-start');
  });
  test('what was found', async ({ app, home, program }) => {
    const id = await library(app, home, program);
    await look(app.page, 'lantern');
    await hit(app.page, id).getByTestId('unfold').click();
    await expect(app.page.getByTestId('search-place')).toHaveCount(3);
    await app.page.getByTestId('skipped-fold').click();
    await app.page.mouse.move(0, 0);
    await looks(app.page, 'search-found');
  });
  test('nothing', async ({ app, home, program }) => {
    await library(app, home, program);
    await look(app.page, 'no such-thing in:nowhere -lantern');
    await expect(app.page.getByTestId('search-nothing')).toBeVisible();
    await looks(app.page, 'search-nothing');
  });
});
