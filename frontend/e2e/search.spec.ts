import { BIDI, HOSTILE, NAME } from './support/hostile';
import { Log, conversation } from './support/log';
import { field, hit, hits, indexed, look, piSession, search, story } from './support/search';
import { expect, test } from './support/test';

/** A promise and the way to settle it. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

test('what a person looks for is found, whatever signs are in it', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour', cwd: '/srv/harbour' });
  home.session(conversation(6), { name: 'another' });
  const pi = piSession(home, 'the foghorn of another agent');
  await app.start();
  await indexed(program, 3);
  await search(app);
  for (const [text, best] of [
    ['lantern', 'lantern'],
    ['ANTER', 'anter'],
    ['港の灯', '港の灯'],
    ['f(x)', 'f(x)'],
    ['a-b', 'a-b'],
    ['C:\\lamps', 'C:\\lamps'],
    ['"', '"'],
    ['"The lantern has"', 'The lantern has'],
    ['/ERR_[A-Z]+/', 'ERR_LOUD'],
  ] as const) {
    await look(page, text);
    await expect(hits(page), text).toHaveCount(1);
    await expect(hit(page, id).locator('mark'), text).toHaveText(best);
  }
  await look(page, 'foghorn');
  await expect(hits(page)).toHaveCount(2);
  await expect(hit(page, pi)).toContainText('pi · tides');
  await look(page, 'foghorn agent:pi');
  await expect(hits(page)).toHaveCount(1);
  await look(page, 'lantern -wick scope:assistant');
  await expect(hit(page, id).getByTestId('excerpt')).toContainText('the lantern, too');
  await expect(page.getByTestId('search-notes')).toContainText('Leaves out “wick”');
  await look(page, 'in:nowhere');
  await expect(page.getByTestId('search-notes')).toContainText('in: can be context, summary or dropped');
  await expect(page.getByTestId('search-nothing')).toContainText('ss not ß');
  for (const text of ['-', '🎉', '(', '\\', 'std::vector', 'http://x', '/[/', '%', 'tool:']) {
    await look(page, text);
    await expect(page.getByTestId('error'), text).toHaveCount(0);
  }
  await look(page, 'lantern '.repeat(600));
  const error = page.getByTestId('error');
  await expect(error).toContainText('4,799 bytes long; 4,096 can be looked for');
  await expect(error.getByRole('heading')).toHaveText('This can’t be looked for');
  await expect(error.getByRole('button'), 'it would be as long again').toHaveCount(0);
  await expect(field(page)).toHaveValue('lantern '.repeat(600));
});

test('it says whether the model still sees it, how often it is where, and shows all of it', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'foghorn');
  await expect(hit(page, id).getByTestId('excerpt')).toHaveAttribute('data-state', 'context');
  await expect(page.getByTestId('scope-output').getByTestId('scope-count')).toHaveText('1');
  await expect(page.getByTestId('scope-user').getByTestId('scope-count')).toHaveText('1');
  await expect(page.getByTestId('scope-thinking').getByTestId('scope-count')).toHaveText('0');
  await page.getByTestId('scope-output').click();
  await expect(hit(page, id).getByTestId('excerpt')).toContainText('foghorn rang');
  await expect(page.getByTestId('scope-user').getByTestId('scope-count'), 'of those not chosen, too').toHaveText('1');
  await page.getByTestId('scope-output').click();

  await look(page, 'lantern in:summary');
  await expect(hit(page, id).getByTestId('excerpt')).toHaveAttribute('data-state', 'summary');
  await look(page, 'lantern');
  await hit(page, id).getByTestId('unfold').click();
  await expect(page.getByTestId('search-place')).toHaveCount(3);
  await expect(page.getByTestId('search-place').nth(1)).toContainText('summary');

  // What is undone is dropped.
  await home.run(['revert', id, '4']);
  await look(page, 'wick in:dropped');
  await expect(async () => {
    await look(page, 'wick in:dropped ');
    await expect(hit(page, id).getByTestId('excerpt')).toHaveAttribute('data-state', 'dropped', { timeout: 1000 });
  }).toPass();
  await expect(hit(page, id)).toContainText('new wick');
});

test('what was found over the end of a line is marked where one comes to it', async ({ app, home, program }) => {
  const { page } = app;
  const log = new Log('2026-11-20T09:00:00Z').user('Tell of the\nlighthouse keeper.');
  log.assistant(
    'It stands on a **rock** in\nthe sea.\n\nNobody climbs it.\n\n- a lamp\n- a `bell`\n\n```sh\nring --loud\nsleep 5\n```\n\n港の灯台を\n直す人',
  );
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n} of the output`);
  log.call('bash', { command: 'cat' }, lines.join('\n').replace('line 200 of', 'line 200 of\ntwo'));
  const id = home.session(log.assistant('Done.'), { name: 'lighthouse' });
  await app.start();
  await indexed(program, 1);
  const marked = () =>
    page.evaluate(() =>
      [...(CSS.highlights.get('found-here') ?? [])].map((range) => String(range).replace(/\s+/g, ' ')),
    );
  for (const [text, shown, seq] of [
    ['"the lighthouse"', 'the lighthouse', 1],
    ['"IN THE SEA. Nobody"', 'in the sea. Nobody', 2],
    ['"a lamp - a `bell`"', 'a lamp a bell', 2],
    ['"--loud sleep"', '--loud sleep', 2],
    ['"港の灯台を 直す"', '港の灯台を 直す', 2],
    ['/rock\\*\\* in\\sthe/', 'rock in the', 2],
    ['"200 of two"', '200 of two', 4],
    ['"output line 399"', 'output line 399', 4],
  ] as const) {
    await search(app, text);
    await expect(hits(page), text).toHaveCount(1);
    const match = text.startsWith('/') ? 'rock** in the' : text.slice(1, -1);
    await expect(hit(page, id).locator('mark')).toHaveText(match, { ignoreCase: true });
    await hit(page, id).click();
    await expect.poll(marked, text).toEqual([shown]);
    await expect(page.locator(`[data-index="${seq - 1}"]`)).toBeInViewport();
  }
});

test('by keyboard: to what was found, into the session, and back', async ({ app, home, program }) => {
  const { page } = app;
  const first = home.session(conversation(4), { name: 'before' });
  const long = new Log('2026-11-21T09:00:00Z');
  for (let n = 1; n <= 300; n++) long.user(n % 100 === 50 ? `The needle ${n}.` : `Nothing ${n}.`);
  const id = home.session(long, { name: 'haystack' });
  await app.open(first);
  await indexed(program, 2);
  await search(app, 'needle');
  await expect(hits(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(hit(page, id)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(hit(page, id)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByTestId('search-place')).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('search-place').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('title')).toHaveText('haystack');
  await expect(app.message(150)).toBeInViewport();
  await expect(page.getByTestId('find-field')).toHaveValue('needle');
  await expect(page.getByTestId('find-count')).toHaveText('2 of 3 messages');

  await page.goBack();
  await expect(page.getByTestId('search-place').nth(1)).toBeFocused();
  await expect(field(page)).toHaveValue('needle');
  await page.keyboard.press('ArrowLeft');
  await expect(hit(page, id)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('search-place')).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
  await expect(page.getByTestId('title')).toHaveText('before');

  // A reload finds it again, and letters do nothing to what lies under it.
  await search(app);
  await expect(field(page)).toHaveValue('needle');
  await page.reload();
  await expect(hits(page)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(hit(page, id)).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByTestId('toast')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
});

test('from the library and from the palette; filters are offered, and completed', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour', cwd: '/srv/my harbour' });
  await app.start();
  await indexed(program, 1);
  await app.filter.fill('foghorn');
  await expect(page.getByTestId('search-all')).toHaveText(/Search everything for “foghorn”/);
  await app.filter.press('Enter');
  await expect(field(page)).toHaveValue('foghorn');
  await expect(hit(page, id)).toBeVisible();

  // As fast as nobody types: what is pressed behind Escape is not closed with the search.
  const left = page.evaluate(
    () => new Promise<void>((resolve) => void addEventListener('hashchange', () => resolve())),
  );
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    press({ key: 'Escape', code: 'Escape' });
    press({ key: 'k', code: 'KeyK', ctrlKey: true });
  });
  await left;
  await page.getByTestId('palette-field').fill('search everything');
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await field(page).fill('foghorn pro');
  await page.getByTestId('search-hints').getByRole('button', { name: 'project:' }).click();
  await expect(field(page)).toHaveValue('foghorn project:');
  await page.getByTestId('search-hints').getByRole('button', { name: 'my harbour' }).click();
  await expect(field(page)).toHaveValue('foghorn project:"my harbour" ');
  await expect(field(page)).toBeFocused();
  await expect(hit(page, id)).toBeVisible();
  await page.keyboard.type('/[/');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await expect(page.getByTestId('search-notes')).toContainText('no regular expression');
  await look(page, 'FOG.ORN');
  await expect(hit(page, id)).toBeVisible();
  await page.getByRole('button', { name: 'Mind upper and lower case' }).click();
  await expect(page.getByTestId('search-nothing')).toBeVisible();
  await page.getByRole('button', { name: 'Ignore upper and lower case' }).click();
  await expect(hit(page, id)).toBeVisible();
});

test('one that is asked for right behind the end of another opens', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(story(), { name: 'harbour' }));
  await search(app, 'foghorn');
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    press({ key: 'Escape', code: 'Escape' });
    press({ key: 'F', code: 'KeyF', ctrlKey: true, shiftKey: true });
  });
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
  await expect(app.message(1)).toBeVisible();
});

test('searches are saved, renamed and deleted, and that is undone', async ({ app, home, program }) => {
  const { page } = app;
  home.session(story(), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'foghorn');
  await page.getByTestId('scope-user').click();
  await page.getByRole('button', { name: 'Mind upper and lower case' }).click();
  await page.getByTestId('save-search').click();
  await expect(page.getByRole('button', { name: 'This search is saved' })).toBeVisible();
  await field(page).fill('');
  const saved = page.getByTestId('saved-search');
  await expect(saved).toHaveCount(1);
  await saved.getByRole('button', { name: 'Rename' }).click();
  await page.keyboard.type('noise');
  await page.keyboard.press('Enter');
  await expect(saved).toContainText('noise');
  await expect.poll(() => home.desk('searches')).toContain('"name":"noise","q":"foghorn scope:user"');
  await page.reload();
  await saved.getByRole('button', { name: 'noise', exact: true }).click();
  await expect(field(page)).toHaveValue('foghorn scope:user');
  await expect(page.getByRole('button', { name: 'Mind upper and lower case' })).toHaveAttribute('aria-pressed', 'true');
  await expect(hits(page)).toHaveCount(1);
  await field(page).fill('');
  await saved.getByRole('button', { name: 'Delete' }).click();
  await expect(saved).toHaveCount(0);
  await app.toast.getByRole('button', { name: 'Undo' }).click();
  await expect(saved).toContainText('noise');
});

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
  await expect(hit(page, id).locator('mark')).toHaveText('wick');
  release();
  await expect(hit(page, id).locator('mark')).toHaveText('wick');

  await page.route('**/api/search?*', (route) =>
    route.fulfill({ status: 500, json: { error: { code: 'failed', message: 'no disk', hint: 'wait' } } }),
  );
  await field(page).fill('horn');
  await expect(page.getByTestId('error')).toContainText('No disk.');
  await page.unroute('**/api/search?*');
  await page.getByTestId('error').getByRole('button').click();
  await expect(hit(page, id)).toBeVisible();
});

test('an excerpt runs nothing and hides nothing', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(new Log().user(`needle ${BIDI} ${HOSTILE}`).assistant(`${HOSTILE} needle`), { name: NAME });
  await app.start();
  await indexed(program, 1);
  await search(app, 'needle');
  await hit(page, id).getByTestId('unfold').click();
  await expect(page.getByTestId('search-place')).toHaveCount(2);
  await expect(page.getByTestId('search-place').first()).toContainText('invoice⟨RLO⟩fdp.exe⟨LRI⟩');
  expect(await page.getByTestId('search').locator('img, script, iframe, a[href^="javascript"], style').count()).toBe(0);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
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
  await expect(hit(page, id).locator('mark')).toHaveText('lantern');
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
  await expect(hit(page, id).locator('mark')).toHaveText('wick');
});

test('beside a title of any length it says whole whose conversation it is', async ({ app, home, program }) => {
  const { page } = app;
  await page.setViewportSize({ width: 900, height: 600 });
  const id = piSession(home, 'the foghorn of the harbour '.repeat(20));
  await app.start();
  await indexed(program, 1);
  await search(app, 'foghorn');
  const about = hit(page, id).locator('.head .about');
  await expect(about).toHaveText('pi · tides');
  expect(await about.evaluate((label) => label.scrollWidth - label.clientWidth)).toBeLessThanOrEqual(0);
  await expect(hit(page, id).locator('time')).toBeInViewport({ ratio: 1 });
});
