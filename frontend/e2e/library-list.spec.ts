import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { conversation, Log } from './support/log';
import { expect, test } from './support/test';

const NOW = new Date('2026-11-21T12:00:00+01:00');

function saidAt(time: string, text = 'Hello.'): Log {
  return new Log(time).user(text);
}

test('sessions stand newest first, grouped by the days of the reader', async ({ app, home }) => {
  const { page } = app;
  await page.clock.setFixedTime(NOW);
  // Made in no order; what counts is the last message.
  const lastWeek = home.session(saidAt('2026-11-12T10:00:00Z'), { name: 'last week' });
  const today = home.session(saidAt('2026-11-21T08:15:00Z'), { name: 'today' });
  const yesterday = home.session(saidAt('2026-11-20T10:00:00Z'), { name: 'yesterday' });
  const night = home.session(saidAt('2026-11-20T23:30:00Z'), { name: 'past midnight, in Berlin' });
  const older = home.session(saidAt('2025-03-02T10:00:00Z'), { name: 'older' });
  const wednesday = home.session(saidAt('2026-11-18T10:00:00Z'), { name: 'midweek' });
  await app.start();

  await expect(app.session(older)).toBeVisible();
  const items = app.library.locator('h3, [data-testid="session-row"]');
  expect(
    await items.evaluateAll((all) =>
      all.map((item) => item.getAttribute('data-id') ?? item.querySelector('.label')?.textContent),
    ),
  ).toEqual([
    ...['Today', today, night],
    ...['Yesterday', yesterday],
    ...['Wednesday', wednesday],
    ...['Last week', lastWeek],
    ...['March 2025', older],
  ]);
  await expect(app.session(today)).toContainText('09:15');
  await expect(app.session(night)).toContainText('00:30');
  await expect(app.session(older)).toContainText('Mar 2, 2025');
});

test('a row tells more under the pointer, and the button of its menu stands alone in its place', async ({
  app,
  home,
}) => {
  const { page } = app;
  const first = home.session(saidAt('2026-11-18T10:00:00Z'), { name: 'harbour lights', cwd: '/srv/harbour' });
  const second = home.session(saidAt('2026-11-17T10:00:00Z'), { name: 'deploy', cwd: '/srv/deploy' });
  await app.start();
  await test.step('the row under the pointer tells its whole time and folder', async () => {
    const time = (id: string) => app.session(id).locator('time');
    await app.session(first).hover();
    await expect(time(first)).toHaveAttribute('title', 'November 18, 2026 at 11:00:00');
    await expect(app.session(first).locator('.marks')).toHaveAttribute('title', '/srv/harbour');
    await expect(app.session(first).getByTestId('session-menu')).toHaveAttribute('title', 'Actions for harbour lights');
    await expect(time(second)).not.toHaveAttribute('title');
    await app.session(second).hover();
    await expect(time(second)).toHaveAttribute('title', 'November 17, 2026 at 11:00:00');
    await expect(time(first)).not.toHaveAttribute('title');
  });
  await page.mouse.move(0, 0);
  await test.step('the button of a row’s menu stands alone in its place, for pointer and keys', async () => {
    const time = app.session(first).locator('time');
    await expect(time).toHaveCSS('opacity', '1');
    await app.session(first).getByTestId('session-menu').focus();
    await expect(time).toHaveCSS('opacity', '0');
    const menu = await app.session(first).getByTestId('session-menu').boundingBox();
    const marks = await app.session(first).locator('small').boundingBox();
    expect((menu?.y ?? 0) + (menu?.height ?? 0), 'above the second line').toBeLessThanOrEqual(marks?.y ?? 0);
    await app.filter.focus();
    await expect(time).toHaveCSS('opacity', '1');
  });
});

test('typing filters by every word, in names, first messages, folders and ids', async ({ app, home }) => {
  const { page } = app;
  const deploy = home.session(saidAt('2026-11-20T10:00:00Z'), { name: 'Fix flaky deploy', cwd: '/srv/gateway' });
  const notes = home.session(saidAt('2026-11-20T11:00:00Z', 'Write the release notes, please.'));
  await app.start();
  await expect(app.session(deploy)).toContainText('gateway');
  await expect(app.session(notes)).toContainText('Write the release notes');

  await page.keyboard.press('/');
  await expect(app.filter).toBeFocused();
  const found = async (query: string, ids: string[]) => {
    await app.filter.fill(query);
    await expect.poll(() => app.listed()).toEqual(ids);
  };
  await found('flaky', [deploy]);
  await found('DEPLOY flaky', [deploy]);
  await found('release', [notes]);
  await found('srv/gate', [deploy]);
  await found(notes, [notes]);
  await found('flaky release', []);
  await expect(page.getByTestId('library-empty')).toContainText('Nothing matches');
  await app.filter.fill('foo:bar');
  await expect(page.getByTestId('library-empty')).toContainText('No filter is called “foo”');
  await page.keyboard.press('Escape');
  await expect(app.filter).toHaveValue('');
  await expect.poll(() => app.listed()).toEqual([notes, deploy]);

  // Every key counts at once.
  await app.filter.pressSequentially('rel');
  await expect.poll(() => app.listed()).toEqual([notes]);
  await page.keyboard.press('Backspace');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(app.filter).toBeFocused();
  await expect.poll(() => app.listed()).toEqual([notes, deploy]);
});

test('of hundreds of sessions only those in view are made, and keys reach the last', async ({ app, home }) => {
  const { page } = app;
  const ids: string[] = [];
  for (let n = 0; n < 300; n++) {
    const time = new Date(Date.parse('2026-11-20T10:00:00Z') - n * 3_600_000).toISOString();
    ids.push(home.session(saidAt(time), { name: `number-${n}` }));
  }
  const [first = ''] = ids;
  const last = ids.at(-1) ?? '';
  await app.start();
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 300 sessions');
  expect(await page.getByTestId('session-row').count()).toBeLessThan(80);
  await app.link(first).focus();
  await page.keyboard.press('End');
  await expect(app.link(last)).toBeFocused();
  await expect(app.session(last)).toBeInViewport();
  await page.keyboard.press('Home');
  await expect(app.link(first)).toBeFocused();
  await app.filter.fill('number-277');
  await expect.poll(() => app.listed()).toEqual([ids[277]]);
});

test('the last conversation is found again by its address and by the way back', async ({ app, home }) => {
  const { page } = app;
  const one = home.session(conversation(4), { name: 'one' });
  const two = home.session(conversation(6, '2026-11-19T09:00:00Z'), { name: 'two' });
  await app.start();
  await app.link(one).click();
  await expect(page.getByTestId('title')).toHaveText('one');
  await expect(page).toHaveTitle('one · Palimpsest');
  await app.link(two).click();
  await expect(page.getByTestId('title')).toHaveText('two');
  await page.goBack();
  await expect(page.getByTestId('title')).toHaveText('one');
  await page.reload();
  await expect(page.getByTestId('title')).toHaveText('one');
  await expect(app.message(4)).toBeInViewport();
});

test('the list is sent without what only an open conversation tells, zipped, and that is told once it is open', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(saidAt('2026-11-18T10:00:00Z'), { name: 'harbour lights', cwd: '/srv/harbour' });
  for (let n = 0; n < 40; n++) home.session(saidAt('2026-11-17T10:00:00Z'), { name: `other ${n}` });
  const answer = page.waitForResponse((response) => response.url().includes('/api/sessions?archived'));
  await app.start();
  const list = await answer;
  expect(list.headers()['content-encoding']).toBe('gzip');
  const same = await program.ask(list.url().replace(/^.*\/api\//, ''));
  const rows = (await same.text()).trim().split('\n');
  expect(rows).toHaveLength(41);
  expect(Object.keys(JSON.parse(rows[0] ?? '') as object)).not.toContain('path');
  expect(Object.keys(JSON.parse(rows[0] ?? '') as object)).toEqual(expect.arrayContaining(['name', 'cwd']));
  await app.go(id);
  await app.openContext();
  await expect(app.context.getByText('Created', { exact: true })).toBeVisible();
  await expect(app.context).toContainText('November 18, 2026 at 11:00:00');
});

test('the filter knows times; what only search knows it says, and search is one press away with the same words', async ({
  app,
  home,
}) => {
  const { page } = app;
  await page.clock.setFixedTime(NOW);
  const fresh = home.session(saidAt('2026-11-20T10:00:00Z'), { name: 'harbour lights' });
  const old = home.session(saidAt('2026-03-02T10:00:00Z'), { name: 'harbour plans' });
  await app.start();
  await app.filter.fill('harbour after:7d');
  await expect.poll(() => app.listed()).toEqual([fresh]);
  await app.filter.fill('harbour before:2026-10');
  await expect.poll(() => app.listed()).toEqual([old]);
  await expect(page.getByTestId('searched-note')).toHaveCount(0);
  await app.filter.fill('harbour tool:bash');
  await expect.poll(() => app.listed()).toEqual([fresh, old]);
  const note = page.getByTestId('searched-note');
  await expect(note).toContainText('Only search knows tool:bash');
  await note.getByRole('button', { name: 'Search with it' }).press('Enter');
  await expect(page.getByTestId('search-field')).toHaveValue('harbour tool:bash');
});

test('what is said of a copy leaves the folder its place', async ({ app, home }) => {
  const { page } = app;
  const [asked] = claudeSession('c', 'Look at the sky.');
  const row = { ...asked, cwd: '/srv/work' };
  const after = { ...row, timestamp: '2026-11-20T10:05:00.000Z' };
  const path = `${PROJECT}/c.jsonl`;
  foreignFile(home, path, [
    row,
    { ...after, type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null, content: 'Compacted' },
    { ...after, uuid: 's', parentUuid: 'b', isCompactSummary: true, message: { role: 'user', content: 'The sky.' } },
  ]);
  await app.start();
  const marks = app.session('claudecode:c').getByTestId('marks');
  const cut = () => marks.evaluate((line) => line.scrollWidth - line.clientWidth);
  await expect(app.session('claudecode:c')).toContainText('1 compaction');
  await app.link('claudecode:c').focus();
  await page.keyboard.press('o');
  const copy = app.session('claudecode:c').getByTestId('copy');
  await expect(copy).toHaveText('keptcopy kept');
  await expect(marks).toHaveText('Claude Code · work');
  expect(await cut(), 'nothing of it is cut').toBe(0);
  rmSync(join(`${home.dir}.user`, path));
  await expect(copy).toHaveText('only the copy is left');
  await expect(app.session('claudecode:c')).toContainText('1 compaction');
  expect(await cut(), 'rather what is longer').toBe(0);
  await copy.hover();
  await expect(copy).toHaveAttribute('title', 'only the copy is left');
});
