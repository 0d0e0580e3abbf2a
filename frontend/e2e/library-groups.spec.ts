import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { looks } from './support/look';
import { compacted, conversation, Log } from './support/log';
import { expect, test } from './support/test';

function sessions(home: Home) {
  const lights = home.session(compacted(), { name: 'lights', cwd: '/srv/harbour' });
  const tides = home.session(conversation(2, '2026-11-19T09:00:00Z'), { name: 'tides', cwd: '/srv/tides' });
  const log = conversation(2, '2026-11-10T09:00:00Z');
  for (let n = 0; n < 5; n++) log.compaction(2, `S${n}`);
  const often = home.session(log, { name: 'often', cwd: '/srv/harbour' });
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
  return { lights, tides, often };
}
const CLAUDE = 'claudecode:c';

test('the list is grouped and filtered', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const { lights, tides, often } = sessions(home);
  await app.start();
  await test.step('filters are words in the box, and can be pressed', async () => {
    await app.filter.fill('compactions:>=5');
    await expect.poll(() => app.listed()).toEqual([often]);
    await app.filter.fill('project:harbour is:compacted');
    await expect.poll(() => app.listed()).toEqual([lights, often]);
    await app.filter.fill('sky');
    await page.getByTestId('arrange').click();
    await page.getByRole('radio', { name: 'Claude Code' }).check();
    await expect(app.filter).toHaveValue('agent:claudecode sky');
    await expect.poll(() => app.listed()).toEqual([CLAUDE]);
    await page.getByRole('radio', { name: 'Every agent' }).check();
    await page.getByRole('checkbox', { name: 'Compacted 5 times or more' }).check();
    await expect(app.filter).toHaveValue('compactions:>=5 sky');
  });
  await page.keyboard.press('Escape');
  await app.filter.fill('');
  await app.filter.blur();
  await test.step('by day, project or agent, with numbers, and so the next time', async () => {
    const headings = page.getByTestId('heading');
    await page.keyboard.press('g');
    await page.getByRole('radio', { name: 'Project' }).check();
    await page.keyboard.press('Escape');
    await expect(headings).toHaveText([/harbour\s*3/, /tides\s*1/]);
    await expect.poll(() => app.listed()).toEqual([CLAUDE, lights, often, tides]);
    await expect.poll(() => home.desk('view')).toContain('"group":"project"');
    await page.reload();
    await expect(headings).toHaveText([/harbour\s*3/, /tides\s*1/]);

    await page.getByTestId('arrange').click();
    await page.getByRole('radio', { name: 'Agent', exact: true }).check();
    await page.getByRole('radio', { name: 'Compactions' }).check();
    await page.keyboard.press('Escape');
    await expect(headings).toHaveText([/Palimpsest\s*3/, /Claude Code\s*1/]);
    await expect.poll(() => app.listed()).toEqual([often, lights, tides, CLAUDE]);

    await headings.first().click();
    await expect(headings.first()).toHaveAttribute('aria-expanded', 'false');
    await expect.poll(() => app.listed()).toEqual([CLAUDE]);
    await headings.first().click();

    // By keys: out to the heading, shut, down past it, up to it, open.
    await app.link(often).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(headings.first()).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(app.session(often)).toHaveCount(0);
    await page.keyboard.press('ArrowDown');
    await expect(app.link(CLAUDE)).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(headings.first()).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(app.session(often)).toBeVisible();
  });
  await test.step('groups and their menu can be read by everyone', async () => {
    await page.getByTestId('arrange').click();
    await page.getByRole('radio', { name: 'Project' }).check();
    await looks(page, 'library-groups');
  });
});

test('the heading of what is on top stays in view', async ({ app, home }) => {
  for (let n = 0; n < 60; n++) {
    const time = new Date(Date.parse('2026-11-20T10:00:00Z') - n * 60_000).toISOString();
    home.session(new Log(time).user(`Question ${n}.`), { cwd: n < 40 ? '/srv/first' : '/srv/second' });
  }
  home.session(new Log('2026-11-01T10:00:00Z').user('x'), { cwd: '/srv/third' });
  const { page } = app;
  await app.start();
  await page.getByTestId('arrange').click();
  await page.getByRole('radio', { name: 'Project' }).check();
  await page.keyboard.press('Escape');
  const stays = page.getByTestId('heading-again');
  await expect(stays).toHaveCount(0);
  await page.getByTestId('session-row').nth(3).hover();
  await page.mouse.wheel(0, 15);
  await expect(stays, 'a part of it is out of view').toContainText('first');
  await page.mouse.wheel(0, 600);
  await expect(stays).toContainText('first');
  await page.mouse.wheel(0, 1600);
  await expect(stays).toContainText('second');
  await stays.click();
  await expect(page.getByTestId('heading').filter({ hasText: 'second' })).toHaveAttribute('aria-expanded', 'false');
});
