import type { Locator } from '@playwright/test';
import { Log } from './support/log';
import { contrast } from './support/look';
import { field, hit, indexed, look, search, story } from './support/search';
import { expect, test } from './support/test';

/** A promise and the way to settle it. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

test('it says what it has not looked through, and goes on when it is read', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(story().raw('{"recordType":"message",'), { name: 'torn' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'lantern');
  await page.getByTestId('skipped-fold').click();
  await expect(page.getByTestId('skipped').locator('[data-reason="damaged"]')).toContainText('torn');

  let now = 'scanning';
  const steered: Record<string, string> = { pause: 'paused', resume: 'scanning', cancel: 'cancelled' };
  await page.route('**/api/index', async (route) => {
    const { action } = (route.request().postDataJSON() ?? {}) as { action?: string };
    now = action ? (steered[action] ?? now) : now;
    const state = {
      state: now,
      sessions: 10,
      indexed: 4,
      waiting: 6,
      bytesDone: 1,
      bytesTotal: 9,
      diskBytes: 9,
    };
    await route.fulfill({ json: { ...state, skipped: [], problem: null, unwatched: 'the limit is 8192' } });
  });
  await page.keyboard.press('Escape');
  await search(app);
  await expect(page.getByTestId('scanning')).toContainText('4 of 10');
  await expect(page.getByTestId('unwatched')).toHaveText('Changes show late: the limit is 8192');
  await page.getByTestId('scanning').getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByTestId('scanning')).toContainText('paused');
  await page.getByTestId('scanning').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByTestId('scanning')).toContainText('Reading was cancelled: 4 of 10 sessions are read');
  const resume = page.getByTestId('scanning').getByRole('button', { name: 'Resume' });
  await expect(resume).toBeFocused();
  await resume.press('Enter');
  await expect(page.getByTestId('scanning')).toContainText('Still reading');
  await page.unroute('**/api/index');

  // What is written while somebody looks appears by itself.
  const other = home.session(new Log('2026-11-22T10:00:00Z').user('one more lantern'), { name: 'new' });
  await expect(hit(page, other)).toBeVisible({ timeout: 30_000 });
  await expect(hit(page, id)).toBeVisible();
});

test('of questions only the last is answered; a failure can be tried again', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'lantern');
  await expect(hit(page, id)).toBeVisible();
  const { promise: held, resolve: release } = withResolvers();
  await page.route('**/api/search?q=lanter&*', async (route) => {
    await held;
    await route.continue();
  });
  await page.route('**/api/search?q=lanter', async (route) => {
    await held;
    await route.continue();
  });
  await field(page).fill('lanter');
  await expect(page.getByTestId('search-found')).toHaveAttribute('data-looking', 'true');
  await expect(hit(page, id), 'what was found stays').toBeVisible();
  await look(page, 'wick');
  await expect(hit(page, id).getByTestId('found')).toHaveText('wick');
  release();
  await expect(hit(page, id).getByTestId('found')).toHaveText('wick');

  await page.route('**/api/search?*', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'failed', message: 'no disk', hint: 'wait' } } }),
  );
  await field(page).fill('horn');
  await expect(page.getByTestId('error')).toContainText('No disk.');
  await page.unroute('**/api/search?*');
  await page.getByTestId('error').getByRole('button').click();
  await expect(hit(page, id)).toBeVisible();
});

test('what was found before is not told of what is asked now, nor of what could not be', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(story().raw('{"recordType":"message",'), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  const nothing = page.getByTestId('search-nothing');
  const counts = page.getByTestId('scope-count');
  await search(app, 'nowhere -else');
  await expect(nothing).toBeVisible();
  await expect(page.getByTestId('search-notes')).toContainText('else');
  await expect(counts).toHaveText(Array<string>(8).fill('0'));
  const { promise: held, resolve: release } = withResolvers();
  await page.route('**/api/search?q=foghorn*', async (route) => {
    await held;
    await route.continue();
  });
  await field(page).fill('foghorn');
  await expect(nothing).toHaveCount(0);
  await expect(page.getByTestId('search-notes')).toBeEmpty();
  await expect(counts).toHaveCount(0);
  await expect(page.getByTestId('search').getByTestId('loading')).toBeVisible();
  await expect(page.getByTestId('search-found')).toHaveText('Looking…');

  await look(page, 'lantern');
  const body = page.getByTestId('search').locator('[aria-busy]');
  await expect(body).toHaveAttribute('aria-busy', 'false');
  await field(page).fill('foghorn');
  await expect(body).toHaveAttribute('aria-busy', 'true');
  await expect(counts).toHaveCount(0);
  await expect(page.getByTestId('skipped-fold')).toHaveCount(0);
  const title = hit(page, id).locator('b');
  const colour = (what: Locator) => what.evaluate((element) => getComputedStyle(element).color);
  const faint = await colour(title);
  expect(await contrast(body), 'it can still be read').toBeGreaterThanOrEqual(4.5);
  release();
  await expect(body).toHaveAttribute('aria-busy', 'false');
  await expect(hit(page, id).getByTestId('found').first()).toHaveText('foghorn');
  await expect(counts).not.toHaveCount(0);
  expect(await colour(title), 'it was marked as old').not.toBe(faint);

  const { promise: broken, resolve: breakOff } = withResolvers();
  await page.route('**/api/search?*', async (route) => {
    await broken;
    await route.abort();
  });
  await field(page).fill('wick');
  await expect(body).toHaveAttribute('aria-busy', 'true');
  breakOff();
  await expect(page.getByTestId('search').getByTestId('error')).toBeVisible();
  await expect(body, 'nothing is on its way any more').toHaveAttribute('aria-busy', 'false');
  await expect(counts).toHaveCount(0);
  await expect(page.getByTestId('skipped-fold')).toHaveCount(0);
});

test('a row that is clicked before the answer to what was typed opens that, and typing and Enter go to its rows', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'lantern');
  await expect(hit(page, id).getByTestId('found')).toHaveText('lantern');
  const { promise: held, resolve: release } = withResolvers();
  await page.route('**/api/search?q=foghorn*', async (route) => {
    await held;
    await route.continue();
  });
  await field(page).fill('foghorn');
  await hit(page, id).click();
  release();
  await expect(page.getByTestId('find-field')).toHaveValue('foghorn');
  await expect(page.getByTestId('search')).toHaveCount(0);

  await search(app, 'lantern');
  await field(page).fill('wick');
  await field(page).press('Enter');
  await expect(hit(page, id)).toBeFocused();
  await expect(hit(page, id).getByTestId('found')).toHaveText('wick');
});
