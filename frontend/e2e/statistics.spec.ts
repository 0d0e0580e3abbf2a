import type { App } from './support/app';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { looks } from './support/look';
import { Log } from './support/log';
import { run } from './support/program';
import { expect, test } from './support/test';

const usage = (input: number, output: number) => ({
  usage: { input, output, cacheRead: 0, cacheWrite: 0 },
  model: 'm-1',
});

/** Two sessions of ours, one of which tells what it used, and one of Claude Code, which does not. */
function sessions(home: Home): void {
  const told = new Log('2026-11-10T09:00:00.000Z').user('Raise the lights.');
  told.message(
    'assistant',
    [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } }],
    usage(1000, 50),
  );
  told.message('toolResult', 'no such file', { toolCallId: 'c1', isError: true });
  told.assistant('They are up.', usage(1200, 30)).compaction(4, 'Lights.');
  home.session(told, { name: 'lights', cwd: '/srv/harbour' });
  home.session(new Log('2026-11-12T09:00:00.000Z').user('And the tides?'), { name: 'tides', cwd: '/srv/tides' });
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look.'));
}

/** The page as it is when somebody comes to it. */
async function anew(app: App): Promise<void> {
  await app.leave();
  await app.page.reload();
  await app.start();
  await app.page.keyboard.press('i');
}

async function opened(app: App, home: Home, count = 3): Promise<void> {
  sessions(home);
  await app.page.clock.setFixedTime(new Date('2026-11-21T12:00:00Z'));
  await app.start();
  await app.page.keyboard.press('i');
  await expect(app.page.getByTestId('coverage')).toContainText(`${count} sessions`);
}

test('what three sessions tell is added up, charted and filtered', async ({ app, home }) => {
  const { page } = app;
  await opened(app, home);
  await test.step('all that is known is added up, and what is not known is no 0', async () => {
    await expect(page).toHaveURL(/#\/statistics$/);
    await expect(page.getByTestId('title')).toHaveText('Statistics');
    await expect(page.getByTestId('coverage')).toContainText('2 sessions don’t tell tokens');
    await expect(page.getByTestId('tile-sessions')).toContainText('3');
    await expect(page.getByTestId('tile-tokens')).toContainText('2.3k');
    await expect(page.getByTestId('tile-cost')).toContainText('—');
    await expect(page.getByTestId('tile-compactions')).toContainText('1');
    const wide = page.viewportSize();
    for (const width of [1440, 900, 620, 420]) {
      await page.setViewportSize({ width, height: 800 });
      const tiles = page.locator('dl', { has: page.getByTestId('tile-sessions') });
      const empty = await tiles.evaluate((all) => {
        const area = (element: Element) => {
          const { width, height } = element.getBoundingClientRect();
          return width * height;
        };
        return 1 - [...all.children].reduce((sum, tile) => sum + area(tile), 0) / area(all);
      });
      expect(empty, `no place is empty at ${width}`).toBeLessThan(0.05);
    }
    if (wide) await page.setViewportSize(wide);
    const row = (table: string, name: string) => page.getByTestId(table).getByRole('row', { name });
    await expect(row('by-agent', 'Claude Code').getByRole('cell').nth(2)).toHaveText('—');
    await expect(row('by-agent', 'Palimpsest').getByRole('cell').nth(0)).toHaveText('2');
    await expect(row('by-project', 'harbour').getByRole('cell').nth(0)).toHaveText('2');
    await expect(row('by-model', 'm-1').getByRole('cell').nth(2)).toHaveText('2.3k');
    await expect(row('by-tool', 'bash').getByRole('cell')).toHaveText(['1', '1', '100%']);
  });
  await test.step('a date stands below its column', async () => {
    const middles = (texts: string) =>
      page.getByTestId('time-chart').evaluate((chart, wanted) => {
        const middle = (of: Element) => of.getBoundingClientRect().x + of.getBoundingClientRect().width / 2;
        return [...chart.querySelectorAll(wanted)].map(middle);
      }, texts);
    const columns = await middles('g .ground');
    const dates = (await middles('text')).slice(3);
    expect(dates.length).toBeGreaterThan(2);
    for (const date of dates) expect(Math.min(...columns.map((column) => Math.abs(column - date)))).toBeLessThan(1);
  });
  await test.step('charts are read by keys and as tables', async () => {
    const map = page.getByTestId('heat-map');
    const today = map.locator('[data-day="2026-11-21"]');
    await today.focus();
    await page.keyboard.press('ArrowUp');
    await expect(map.locator('[data-day="2026-11-20"]')).toBeFocused();
    await expect(page.locator(':focus')).toHaveAccessibleName(/Nov 20, 2026: \d+ messages? in 1 session/);
    await page.keyboard.press('ArrowLeft');
    await expect(map.locator('[data-day="2026-11-13"]')).toBeFocused();
    await expect(page.locator(':focus')).toHaveAccessibleName('Fri, Nov 13, 2026: nothing');

    await page.getByTestId('heat-table').click();
    await expect(page.getByRole('rowheader', { name: '2026-11-12' })).toBeVisible();
    await page.getByTestId('metric-tokens').click();
    await page.getByTestId('time-table').click();
    const day = page.getByRole('row', { name: /Nov 10, 2026/ });
    await expect(day.getByRole('cell').first()).toHaveText('2,280');
    const chart = page.getByTestId('time-chart');
    await expect(chart).toHaveAccessibleName('Tokens by day');
    await chart.locator('[tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await expect(page.locator(':focus')).toHaveAccessibleName(/Nov 10, 2026: 2,280/);
  });
  await anew(app);
  await test.step('by agent and by project the chart, its table and the sums say the same', async () => {
    /** What the table of the chart adds up to: its last column, which is of all agents. */
    const added = async () => {
      const cells = page.getByTestId('over-time').getByRole('row').getByRole('cell');
      const last = await cells.evaluateAll((all) =>
        all.filter((cell) => !cell.nextElementSibling).map((c) => c.textContent),
      );
      return last.reduce((sum, said) => sum + Number(said), 0);
    };
    const cell = (table: string, name: string, column: number) =>
      page.getByTestId(table).getByRole('row', { name }).getByRole('cell').nth(column);

    await page.getByTestId('time-table').click();
    await expect.poll(added).toBe(3);
    await expect(page.getByTestId('tile-sessions')).toContainText('3');
    // The columns are read out with their sums, too.
    const chart = page.getByTestId('time-chart');
    await expect(chart.getByRole('img', { name: 'Nov 10' })).toHaveAccessibleName(/Nov 10, 2026: 1\b/);
    await page.getByTestId('metric-messages').click();
    const ofAgents = Number(await cell('by-agent', 'Palimpsest', 1).textContent());
    const ofOther = Number(await cell('by-agent', 'Claude Code', 1).textContent());
    await expect.poll(added).toBe(ofAgents + ofOther);

    await page.getByLabel('Agent', { exact: true }).selectOption('claudecode');
    await expect(page.getByTestId('by-agent').getByRole('row')).toHaveCount(2);
    await expect.poll(added).toBe(ofOther);
    await expect(cell('by-agent', 'Claude Code', 1)).toHaveText(String(ofOther));
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByLabel('Project', { exact: true }).selectOption('/srv/tides');
    await expect(page.getByTestId('by-project').getByRole('row')).toHaveCount(2);
    await expect.poll(added).toBe(Number(await cell('by-project', 'tides', 1).textContent()));
  });
  await anew(app);
  await test.step('filters stand in the address, and the way back undoes leaving', async () => {
    await page.getByLabel('Agent', { exact: true }).selectOption('claudecode');
    await expect(page.getByTestId('tile-sessions')).toContainText('1');
    await expect(page).toHaveURL(/#\/statistics\?agent=claudecode$/);
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await page.getByLabel('To', { exact: true }).blur();
    await expect(page.getByTestId('statistics-empty')).toContainText('Nothing happened here');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByTestId('tile-sessions')).toContainText('3');
    await page.keyboard.press('Shift+I');
    await expect(page.getByTestId('ledger')).toBeVisible();
    await page.goBack();
    await expect(page.getByTestId('statistics')).toBeVisible();
    await page.reload();
    await expect(page.getByTestId('tile-sessions')).toContainText('3');
  });
  await test.step('why more sessions are read than are counted is said', async () => {
    await run(home.dir, ['fork', home.ids()[0] ?? '']);
    await page.reload();
    await expect(page.getByTestId('coverage')).toContainText(
      '4 sessions read · 1 session only repeats what others hold',
    );
    await expect(page.getByTestId('tile-sessions')).toContainText('3');
  });
  await test.step('why they are more than the list has is said', async () => {
    home.session(new Log('2026-11-13T09:00:00.000Z').user('Done.'), { archivedAt: '2026-11-14T09:00:00Z' });
    await page.reload();
    await expect(app.filter).toHaveAttribute('placeholder', 'Filter 4 sessions');
    await expect(page.getByTestId('coverage')).toContainText(
      '5 sessions read · archived ones and sub-agents count, too · 1 session only',
    );
  });
});

test('what is not there, or not yet, is said to be that', async ({ app, home }) => {
  const { page } = app;
  await page.clock.setFixedTime(new Date('2026-11-21T12:00:00Z'));
  await test.step('as long as nothing is read, nothing is said not to be there', async () => {
    const coverage = { sessions: 3, indexed: 0 };
    for (const path of ['statistics', 'ledger'])
      await page.route(`**/api/${path}?*`, async (route) => {
        const response = await route.fetch();
        const told = (await response.json()) as object;
        await route.fulfill({ response, json: { ...told, coverage } });
      });
    await app.start();
    await page.keyboard.press('i');
    await expect(page.getByTestId('statistics-empty')).toContainText('Nothing is read yet');
    await page.keyboard.press('Shift+I');
    await expect(page.getByTestId('ledger-empty')).toContainText('No compaction so far');
    await page.unrouteAll({ behavior: 'wait' });
    await page.keyboard.press('i');
    await expect(page.getByTestId('statistics-empty')).toContainText('No sessions yet');
    await expect(page.getByRole('group', { name: 'Filters' }), 'there is nothing to choose from').toHaveCount(0);
  });
  await test.step('a kind of tokens that some answers leave out is said to be more than its sum', async () => {
    const log = new Log('2026-11-10T09:00:00.000Z').user('Raise the lights.');
    log.assistant('They are up.', { model: 'm-1', usage: { input: 1000, output: 50, cacheRead: 400, cacheWrite: 0 } });
    log.user('And now?').assistant('Still up.', { model: 'm-1', usage: { input: 100, output: 5, cacheWrite: 0 } });
    const id = home.session(log, { name: 'lights', cwd: '/srv/harbour' });
    const tokens = page.getByTestId('tile-tokens');
    await expect(tokens).toContainText('≥ 1.6k');
    await expect(tokens).toContainText('Cache read ≥ 400');
    await expect(tokens).toContainText('Input 1.1k');
    await expect(page.getByTestId('tile-cost')).not.toContainText('≥');
    await app.go(id);
    await expect(page.getByText('at least 400 tokens from the cache')).toBeAttached();
  });
});

test('what was long ago is told by months, and shown by years', async ({ app, home }) => {
  const { page } = app;
  home.session(new Log('2025-05-05T09:00:00.000Z').user('Last year.'), { name: 'then' });
  await opened(app, home, 4);
  await test.step('a year of days before the last is a press away', async () => {
    const said = page.getByTestId('heat-map').getByRole('img', { name: /^.*May 5, 2025: 1 message in 1 session/ });
    const year = page.getByTestId('heat-year');
    const earlier = page.getByRole('button', { name: 'The year before' });
    const later = page.getByRole('button', { name: 'The year after' });
    await expect(year).toHaveText('Nov 2025 – Nov 2026');
    await expect(said).toHaveCount(0);
    await expect(later).toHaveAttribute('aria-disabled', 'true');
    await earlier.press('Enter');
    await expect(year).toHaveText('Nov 2024 – Nov 2025');
    await expect(said).toHaveCount(1);
    await expect(earlier, 'nothing was before').toHaveAttribute('aria-disabled', 'true');
    await looks(page, 'statistics-earlier');
    await earlier.press('Enter');
    await expect(year).toHaveText('Nov 2024 – Nov 2025');
    await later.press('Enter');
    await expect(year).toHaveText('Nov 2025 – Nov 2026');
  });
  // On three days of one month of a year that is shown by months.
  const log = new Log('2024-02-05T09:00:00.000Z').user('Begin.').assistant('Yes.', usage(100, 10));
  home.session(log, { name: 'old', cwd: '/srv/old' });
  await anew(app);
  await expect(page.getByTestId('coverage')).toContainText('5 sessions');
  await test.step('over time it is told by project, model and tool, too; a session counts once in each stretch', async () => {
    const rows = page.getByTestId('over-time').getByRole('row');
    await page.getByTestId('time-table').click();
    await expect(rows.filter({ hasText: 'Nov 2026' }).getByRole('cell').last()).toHaveText('3');

    const by = page.getByLabel('What it is told by');
    await by.selectOption({ label: 'By model' });
    await expect(page).toHaveURL(/over=model/);
    await page.getByTestId('metric-tokens').click();
    await expect(rows.filter({ hasText: 'Feb 2024' }).getByRole('cell').first()).toHaveText('110');
    await by.selectOption({ label: 'By tool' });
    await expect(page.getByTestId('metric-calls')).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByTestId('metric-tokens')).toHaveCount(0);
    await expect(rows.filter({ hasText: 'Nov 2026' }).getByRole('cell').last()).toHaveText('1');
    await by.selectOption({ label: 'By project' });
    await expect(page.getByTestId('over-time')).toContainText('harbour');
    await page.reload();
    await expect(by).toHaveValue('project');
  });
});

test('of many projects, and of days far from all others, not all is shown until it is asked for', async ({
  app,
  home,
}) => {
  const { page } = app;
  for (let n = 0; n < 60; n++)
    home.session(new Log('2026-11-12T09:00:00.000Z').user('One.'), { cwd: `/srv/many/p${String(n).padStart(2, '0')}` });
  await opened(app, home, 63);
  await test.step('of many projects those that have the most are told apart, and the rest in one row, until all are asked for', async () => {
    const rows = page.getByTestId('by-project').getByRole('row');
    await expect(rows).toHaveCount(9);
    await page.getByRole('button', { name: 'Show 43 more' }).press('Enter');
    await expect(rows).toHaveCount(52);
    const rest = rows.last();
    await expect(rest).toContainText('12 other projects');
    await expect(rest.getByRole('cell').first()).toHaveText('12');
    await page.getByRole('button', { name: 'Tell 12 more apart' }).press('Enter');
    await expect(rows).toHaveCount(63);
    await expect(page.getByText('other projects')).toHaveCount(0);
  });
  home.session(new Log('1970-01-01T00:00:01.000Z').user('The epoch.'), { name: 'epoch' });
  home.session(new Log('2099-12-31T09:00:00.000Z').user('From afar.'), { name: 'afar' });
  await anew(app);
  await test.step('days far from all others stretch no chart: they are told, and shown for who wants them', async () => {
    const note = page.getByTestId('outside');
    await expect(note).toContainText('2 sessions have days that are not shown: all there are lie between');
    await expect(note).toContainText('1970');
    await expect(page.getByRole('group', { name: 'Sessions by day' })).toBeVisible();
    await looks(page, 'statistics-outside');
    await note.getByRole('button', { name: 'Show all of it' }).press('Enter');
    await expect(page.getByRole('group', { name: 'Sessions by year' })).toBeVisible();
    await expect(note).toHaveCount(0);
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
    await expect(note).toBeVisible();
  });
});

test('the page can be read by everyone', { tag: '@look' }, async ({ app, home }) => {
  for (let n = 0; n < 60; n++) {
    const log = new Log(new Date(Date.UTC(2026, 10, 20) - n * n * 0.1 * 86_400_000).toISOString());
    for (let k = 0; k <= n % 7; k++) log.user(`Question ${k}`).assistant('Answer.', usage(900 + n * 40, 20 * (k + 1)));
    const agent = ['palimpsest', 'keeper', 'nightly'][n % 3];
    home.session(log, { cwd: `/srv/${['harbour', 'tides', 'lights'][n % 4] ?? 'sky'}`, agent });
  }
  sessions(home);
  await app.page.clock.setFixedTime(new Date('2026-11-21T12:00:00Z'));
  await app.start();
  await app.page.keyboard.press('i');
  await expect(app.page.getByTestId('coverage')).toContainText('63 sessions');
  await looks(app.page, 'statistics');
  await app.page.getByTestId('metric-compactions').scrollIntoViewIfNeeded();
  await app.page.getByTestId('by-tool').scrollIntoViewIfNeeded();
  await looks(app.page, 'statistics-end');
});

test('a range that ends before it begins is said to, where it is chosen', async ({ app, home }) => {
  const { page } = app;
  await opened(app, home);
  await expect(page.getByTestId('coverage')).toContainText('don’t tell tokens');
  await page.getByLabel('From').fill('2026-11-12');
  await expect(page.getByTestId('tile-sessions')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2026-11-10');
  const filters = page.getByRole('group', { name: 'Filters' });
  await expect(filters.getByRole('alert')).toContainText('The first day comes after the last.');
  await expect(page.getByLabel('From')).toHaveAccessibleDescription(/comes after the last/);
  await expect(page.getByTestId('error')).toHaveCount(0);
  await expect(page.getByTestId('tile-sessions')).toHaveCount(0);
  await expect(page.getByTestId('coverage'), 'nothing of the range before').toHaveText(/^3 sessions read[^·]*$/);
  await page.getByRole('button', { name: 'Swap them' }).click();
  await expect(page).toHaveURL(/from=2026-11-10&to=2026-11-12/);
  await expect(page.getByTestId('tile-sessions')).toContainText('2');
  await expect(filters.getByRole('alert')).toHaveCount(0);
});

test('of many projects each can be chosen, and those that end alike are told apart', async ({ app, home }) => {
  const { page } = app;
  for (let n = 0; n < 60; n++)
    home.session(new Log('2026-11-10T09:00:00.000Z').user('Look.'), { name: `look ${n}`, cwd: `/srv/team-${n}/web` });
  home.session(new Log('2026-11-10T09:00:00.000Z').user('Blank.'), { name: 'blank', cwd: '/srv/\u200b' });
  await app.start();
  await page.keyboard.press('i');
  await expect(page.getByTestId('coverage')).toContainText('61 sessions');
  const project = page.getByLabel('Project', { exact: true });
  const options = project.locator('option');
  await expect(options).toHaveCount(62);
  expect(new Set(await options.allTextContents()).size).toBe(62);
  await expect(options.filter({ hasText: '⟨ZWSP⟩' })).toHaveCount(1);
  await expect(page.getByTestId('by-project').getByRole('rowheader').first()).toContainText(/team-\d+\/web/);
  for (const name of ['team-0/web', 'team-59/web']) {
    await project.selectOption({ label: name });
    await expect(page.getByTestId('tile-sessions')).toContainText('1');
    await expect(page.getByTestId('by-project').getByRole('rowheader')).toHaveText([name]);
    await expect(options, 'the others can still be chosen').toHaveCount(62);
  }
});
