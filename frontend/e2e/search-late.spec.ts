import { Log } from './support/log';
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
