import { writeFileSync } from 'node:fs';
import { BIDI, HOSTILE, NAME } from './support/hostile';
import { Log, conversation } from './support/log';
import { field, hit, hits, indexed, look, piSession, search, story } from './support/search';
import { expect, test } from './support/test';

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
    await expect(hit(page, id).getByTestId('found'), text).toHaveText(best);
  }
  await look(page, 'foghorn');
  await expect(hits(page)).toHaveCount(2);
  await expect(hit(page, pi)).toContainText('pi · tides');
  await look(page, 'foghorn agent:pi');
  await expect(hits(page)).toHaveCount(1);
  await look(page, 'too lantern scope:assistant');
  await expect(hit(page, id).locator('mark')).toHaveText(['lantern', 'too']);
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
    await expect(hit(page, id).getByTestId('found')).toHaveText(match, { ignoreCase: true });
    await hit(page, id).click();
    await expect.poll(marked, text).toEqual([shown]);
    await expect(page.locator(`[data-index="${seq - 1}"]`)).toBeInViewport();
  }
});

test('where nothing is found it says what held it back, and how to look without that', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  const nothing = page.getByTestId('search-nothing');
  await search(app, 'is:gone');
  await expect(nothing).toContainText('No session is as the filter says.');
  await expect(nothing, 'there is no word').not.toContainText(/spelling|letters/);
  await look(page, 'lanternn');
  await expect(nothing).toContainText('Check the spelling');
  await look(page, 'is:gone tool:bash lantern');
  await expect(nothing).toContainText('Only what the filters let through was looked in: it may stand elsewhere.');
  await expect(nothing).not.toContainText(/spelling|letters/);
  await nothing.getByRole('button', { name: 'Look without is:gone' }).click();
  await expect(field(page)).toHaveValue('"lantern" tool:bash');
  await expect(nothing.getByRole('button', { name: /Look without (is|tool):/ })).toHaveCount(0);
  await nothing.getByRole('button', { name: 'Look without filters' }).click();
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

test('the field has as much room on both sides, however narrow the window is', async ({ app }) => {
  const { page } = app;
  await app.start();
  await search(app, 'lantern');
  for (const width of [1440, 900, 420, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const more = async () => {
      const box = await page.getByTestId('search').getByRole('search').boundingBox();
      const around = await page.getByTestId('search').boundingBox();
      return box && around && Math.round(around.x + around.width - box.x - box.width - (box.x - around.x));
    };
    await expect.poll(more, `more to the right of it than to the left, at ${width}`).toBe(0);
  }
});

test('what comes in while a search is open is found', async ({ app, home, program }) => {
  const { page } = app;
  const log = story();
  const id = home.session(log, { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'zebrafish');
  await expect(page.getByTestId('search-nothing')).toBeVisible();
  await expect(page.getByTestId('search-said')).toHaveText('Nothing found');
  writeFileSync(home.path(id, 'session.jsonl'), log.user('A zebrafish.').text());
  await expect(hit(page, id)).toContainText('A zebrafish.');
  await expect(page.getByTestId('scope-user')).toContainText('1');
  await expect(page.getByTestId('search-said')).toHaveText('1 session');

  await test.step('under a reader it is offered', async () => {
    await page.keyboard.press('ArrowDown');
    await expect(hit(page, id)).toBeFocused();
    const other = home.session(new Log('2026-11-21T09:00:00.000Z').user('Another zebrafish.'), { name: 'tides' });
    const offer = page.getByRole('button', { name: 'Something new was found: show it' });
    await expect(offer).toBeVisible();
    await expect(hits(page)).toHaveCount(1);
    await expect(hit(page, id)).toBeFocused();
    await offer.click();
    await expect(hits(page)).toHaveCount(2);
    await expect(hit(page, other)).toBeFocused();
    await expect(offer).toHaveCount(0);
  });
  await test.step('what is read out goes with what it is about', async () => {
    await expect(page.getByTestId('search-said')).toHaveText('2 sessions');
    await field(page).fill('');
    await expect(page.getByTestId('search-said')).toHaveText('');
    await look(page, 'zebrafish');
    await expect(page.getByTestId('search-said')).toHaveText('2 sessions');
    let fail!: () => void;
    const held = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route('**/api/search?*', (route) => held.then(() => route.abort()));
    await look(page, 'zebra');
    await expect(page.getByTestId('search-found')).toHaveText('Looking…');
    fail();
    await expect(page.getByTestId('error')).toBeVisible();
    await expect(page.getByTestId('search-said')).toHaveText('');
  });
});
