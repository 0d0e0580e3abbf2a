import { BIDI } from './support/hostile';
import { Log } from './support/log';
import { looks } from './support/look';
import { hit, indexed, look, piSession, search, story } from './support/search';
import { expect, test } from './support/test';

test(
  'what search looks like before anything is looked for, with what was found, and with nothing',
  {
    tag: '@look',
  },
  async ({ app, home, program }) => {
    const { page } = app;
    await program.put('searches', {
      searches: [
        { name: 'what is lost', q: 'in:dropped' },
        { name: 'lantern', q: 'lantern' },
      ],
    });
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
    await expect(page.getByTestId('saved-search')).toHaveCount(2);
    await looks(page, 'search-start');

    await look(page, 'lantern');
    await hit(page, id).getByTestId('unfold').click();
    await expect(page.getByTestId('search-place')).toHaveCount(3);
    await page.getByTestId('skipped-fold').click();
    await page.mouse.move(0, 0);
    await looks(page, 'search-found');

    await look(page, 'no such-thing in:nowhere -lantern');
    await expect(page.getByTestId('search-nothing')).toBeVisible();
    await looks(page, 'search-nothing');
  },
);
