import type { App } from './support/app';
import type { Home } from './support/home';
import { looks } from './support/look';
import { compacted, conversation } from './support/log';
import { expect, test } from './support/test';

/** One session that was compacted once, and one that was three times. */
function sessions(home: Home): { once: string; often: string } {
  const once = home.session(compacted(), { name: 'fix the lights', cwd: '/srv/harbour' });
  const log = conversation(4, '2026-11-18T09:00:00Z');
  for (let n = 1; n <= 3; n++) {
    log.compaction(log.seq, `Summary ${n}`, { trigger: 'threshold', tokensBefore: 20_000 * n, model: 'sum-1' });
    log.user(`Question after ${n}.`);
  }
  return { once, often: home.session(log, { name: 'long watch', cwd: '/srv/tides' }) };
}

async function opened(app: App, home: Home) {
  const ids = sessions(home);
  await app.start();
  await app.page.keyboard.press('Shift+I');
  await expect(app.page.getByTestId('coverage')).toContainText('2 sessions');
  await expect(app.page.getByTestId('ledger-row')).toHaveCount(4);
  return ids;
}

test('the compactions of two conversations', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const { once } = await opened(app, home);
  await looks(page, 'ledger');
  await test.step('every compaction stands there, and opens where it is', async () => {
    const row = page.getByTestId('ledger-row').filter({ hasText: 'fix the lights' });
    await expect(row).toContainText('9k → 120');
    await expect(row).toContainText('by hand');
    await expect(row).toContainText('in force');
    await expect(row).toContainText('1 of 1');
    await row.click();
    await expect(app.band(9)).toBeInViewport();
    await expect(page).toHaveURL(new RegExp(`#/s/${once}/9$`));
    await page.goBack();
    await expect(page.getByTestId('ledger-row')).toHaveCount(4);
  });
  await test.step('in a small window, too, it says all of a compaction', async () => {
    await page.setViewportSize({ width: 900, height: 600 });
    const row = page.getByTestId('ledger-row').filter({ hasText: '60k' });
    for (const said of ['Palimpsest', 'full window', 'sum-1', 'in force', '3 of 3'])
      await expect(row.getByText(said)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('columnheader', { name: 'Messages' })).toBeInViewport({ ratio: 1 });
    await looks(page, 'ledger-small');
  });
  await test.step('and in a narrow one, where it is sorted by any of it', async () => {
    for (const width of [420, 360]) {
      await page.setViewportSize({ width, height: 640 });
      const row = page.getByTestId('ledger-row').filter({ hasText: '60k' });
      await row.scrollIntoViewIfNeeded();
      for (const said of ['Palimpsest', 'full window', 'sum-1', 'in force', '3 of 3', /^60k →/])
        await expect(row.getByText(said)).toBeInViewport({ ratio: 1 });
      await expect(row.locator('.messages')).toBeInViewport({ ratio: 1 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.getByTestId('sort-messages').click();
    await expect(page.getByRole('columnheader', { name: 'Messages' })).toHaveAttribute('aria-sort', 'descending');
    await looks(page, 'ledger-narrow');
    await page.setViewportSize({ width: 900, height: 600 });
  });
  await app.leave();
  await page.keyboard.press('Shift+I');
  await expect(page.getByTestId('ledger-row')).toHaveCount(4);
  await test.step('filters narrow it, and say when nothing is left', async () => {
    await page.getByLabel('Compacted at least').selectOption('3');
    await expect(page.getByTestId('ledger-row')).toHaveCount(3);
    await expect(page).toHaveURL(/min=3/);
    await page.getByLabel('Trigger').selectOption('manual');
    await expect(page.getByTestId('ledger-empty')).toContainText('No compaction matches');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(page.getByTestId('ledger-row')).toHaveCount(4);
    await page.getByLabel('Project').selectOption('/srv/harbour');
    await expect(page.getByTestId('ledger-row')).toHaveCount(1);
    await page.reload();
    await expect(page.getByTestId('ledger-row')).toHaveCount(1);
  });
  await app.leave();
  await page.keyboard.press('Shift+I');
  await expect(page.getByTestId('ledger-row')).toHaveCount(4);
  await test.step('it is sorted and gone through by keys', async () => {
    const titles = () => page.getByTestId('ledger-row').locator('b').allTextContents();
    expect((await titles())[0]).toBe('fix the lights');
    await page.getByTestId('sort-tokens').click();
    await expect(page.getByRole('columnheader', { name: 'Tokens' })).toHaveAttribute('aria-sort', 'descending');
    await expect(page.getByTestId('ledger-row').first()).toContainText('60k');
    await page.getByTestId('sort-tokens').click();
    await expect(page.getByTestId('ledger-row').first()).toContainText('9k → 120');
    await page.getByTestId('ledger-row').first().focus();
    await page.keyboard.press('End');
    await expect(page.getByTestId('ledger-row').last()).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.locator(':focus')).toContainText('40k');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('title')).toHaveText('long watch');
  });
});

test('whoever comes back from a compaction finds the order, the row and the focus as they were', async ({
  app,
  home,
}) => {
  const { page } = app;
  const log = conversation(2, '2026-11-19T09:00:00Z');
  for (let n = 1; n <= 80; n++) log.compaction(log.seq, `Summary ${n}`, { tokensBefore: 1000 * ((n * 37) % 80) + 500 });
  home.session(log, { name: 'tide tables' });
  await app.start();
  await page.keyboard.press('Shift+I');
  await page.getByTestId('sort-tokens').click();
  await page.getByTestId('ledger-row').first().focus();
  const left = page.locator('[data-testid="ledger-row"]:focus');
  for (const at of ['12', '24', '36', '48']) {
    await page.keyboard.press('PageDown');
    await expect(left).toHaveAttribute('data-row', at);
  }
  const topOf = async () => (await left.boundingBox())?.y ?? 0;
  let top = NaN;
  await expect.poll(async () => Object.is(top, (top = await topOf())), 'the list has come to rest').toBe(true);
  const seq = await left.getAttribute('data-seq');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('title')).toHaveText('tide tables');
  await page.goBack();
  const back = async () => {
    await expect(page.getByRole('columnheader', { name: 'Tokens' })).toHaveAttribute('aria-sort', 'descending');
    await expect(left).toHaveAttribute('data-row', '48');
    await expect(left).toHaveAttribute('data-seq', seq ?? '');
    await expect.poll(async () => Math.abs((await topOf()) - top)).toBeLessThan(2);
  };
  await back();
  await page.keyboard.press('ArrowDown');
  await expect(left).toHaveAttribute('data-row', '49');
  await page.reload();
  await back();
  await page.getByTestId('sort-tokens').click();
  await page.getByLabel('Trigger').selectOption({ index: 1 });
  await expect(page, 'a filter keeps the order').toHaveURL(/sort=tokens/);
});

test('each filter shows what it names, together with the others, and what is shown opens in its place', async ({
  app,
  home,
}) => {
  const { page } = app;
  const { once } = sessions(home);
  // One that was compacted often, and by hand; and one of another agent.
  const log = conversation(2, '2026-11-19T09:00:00Z');
  for (let n = 1; n <= 5; n++) {
    log.compaction(log.seq, `Summary ${n}`, { trigger: 'manual', tokensBefore: 1000 * n, model: 'sum-2' });
    log.user(`Question after ${n}.`);
  }
  const often = home.session(log, { name: 'tide tables', cwd: '/srv/tides', agent: 'keeper' });
  await app.start();
  await page.keyboard.press('Shift+I');
  const rows = page.getByTestId('ledger-row');
  await expect(rows).toHaveCount(9);
  const filter = (name: string) => page.getByLabel(name, { exact: true });

  // The newest comes first, and the other way round the oldest.
  await expect(rows.first()).toContainText('fix the lights');
  await page.getByTestId('sort-time').click();
  await expect(page.getByRole('columnheader', { name: 'When' })).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.first()).toContainText('1 of 3');
  await expect(rows.last()).toContainText('fix the lights');
  await page.getByTestId('sort-time').click();

  await filter('Trigger').selectOption({ label: 'full window' });
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'full window' })).toHaveCount(3);
  await filter('Trigger').selectOption({ label: 'by hand' });
  await expect(rows).toHaveCount(6);
  await filter('Model').selectOption('sum-2');
  await expect(rows).toHaveCount(5);
  await filter('Model').selectOption('sum-1');
  await expect(page.getByTestId('ledger-empty')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(9);

  await filter('Agent').selectOption('keeper');
  await expect(rows).toHaveCount(5);
  await expect(page).toHaveURL(/agent=keeper/);
  await filter('Agent').selectOption({ label: 'Palimpsest' });
  await expect(rows).toHaveCount(4);
  await filter('Project').selectOption('/srv/harbour');
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(page).toHaveURL(new RegExp(`#/s/${once}/9$`));
  await expect(app.band(9)).toBeInViewport();
  await page.goBack();
  await expect(rows, 'the filters are there again').toHaveCount(1);
  await expect(filter('Project')).toHaveValue('/srv/harbour');

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await filter('Compacted at least').selectOption({ label: '≥ 5 times' });
  await expect(rows).toHaveCount(5);
  await expect(rows.filter({ hasText: 'tide tables' })).toHaveCount(5);
  await rows.filter({ hasText: '2 of 5' }).click();
  await expect(page).toHaveURL(new RegExp(`#/s/${often}/5$`));
  await expect(app.band(5)).toBeInViewport();
});

test('without a compaction, and with a copy of one, it says so', async ({ app, home }) => {
  const { page } = app;
  await test.step('without a compaction it says so', async () => {
    home.session(conversation(2));
    await app.start();
    await page.keyboard.press('Shift+I');
    await expect(page.getByTestId('ledger-empty')).toContainText('No compaction yet');
  });
  await app.leave();
  await test.step('what a fork has copied is told from what was compacted', async () => {
    const log = compacted();
    const parent = home.session(log, { name: 'fix the lights' });
    home.session(log, { name: 'another way', parentSessionId: parent, forkedAtSeq: log.seq });
    await page.keyboard.press('Shift+I');
    const row = (name: string) => page.getByTestId('ledger-row').filter({ hasText: name });
    await expect(row('another way')).toContainText('1 of 1 · copy');
    await expect(row('fix the lights')).not.toContainText('copy');
    await expect(page.getByText('1 compaction and 1 copy')).toBeVisible();
  });
});

test('in a narrow window all above a conversation is in it', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(compacted(), { name: 'fix the lights' }));
  for (const width of [420, 360]) {
    await page.setViewportSize({ width, height: 640 });
    for (const name of ['find', 'prompts', 'conversation-menu', 'compact'])
      await expect(page.getByTestId(name).first()).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('compact').first()).toHaveAccessibleName(/Compact/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('projects that end alike are told apart', async ({ app, home }) => {
  const { page } = app;
  for (const cwd of ['/srv/harbour/web', '/srv/tides/web', '/srv/lights'])
    home.session(compacted(), { name: `of ${cwd}`, cwd });
  await app.start();
  await page.keyboard.press('Shift+I');
  const project = page.getByLabel('Project', { exact: true });
  await expect(project.locator('option')).toHaveText(['Every project', 'harbour/web', 'lights', 'tides/web']);
  const rows = page.getByTestId('ledger-row');
  await project.selectOption({ label: 'tides/web' });
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('tides/web · 1 of 1');
});
