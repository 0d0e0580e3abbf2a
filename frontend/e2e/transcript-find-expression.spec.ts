import type { Page } from '@playwright/test';
import { Log, textBlock } from './support/log';
import { looks } from './support/look';
import { hit, indexed, piSession, search, story } from './support/search';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

const field = (page: Page) => page.getByTestId('find-field');
const count = (page: Page) => page.getByTestId('find-count');
const marked = (page: Page, name = 'found-here') =>
  page.evaluate((of) => [...(CSS.highlights.get(of) ?? [])].map((range) => String(range).replace(/\s+/g, ' ')), name);

test('an expression is found, in whatever there is', { tag: '@look' }, async ({ app, home, program }) => {
  test.slow();
  const { page } = app;

  await test.step('what an expression found in the search is looked for as one in the session', async () => {
    const id = home.session(story(), { name: 'harbour' });
    await app.start();
    await indexed(program, 1);
    for (const [text, expression, found, all] of [
      ['/ERR_[A-Z]+/', 'ERR_[A-Z]+', 'ERR_LOUD', '1 of 1 message'],
      ['/lantern (of|has)/', 'lantern (of|has)', 'lantern of', '1 of 2 messages'],
      ['/C:\\\\[a-z]+ and/', 'C:\\\\[a-z]+ and', 'C:\\lamps and', '1 of 1 message'],
    ] as const) {
      await search(app, text);
      await hit(page, id).click();
      await expect(field(page)).toHaveValue(expression);
      await expect(page.getByRole('button', { name: 'Regular expression' })).toHaveAttribute('aria-pressed', 'true');
      await expect(count(page), text).toHaveText(all);
      await expect.poll(() => marked(page), text).toEqual([found]);
    }
    await search(app, 'wick');
    await hit(page, id).click();
    await expect(field(page)).toHaveValue('wick');
    await expect(page.getByRole('button', { name: 'Regular expression' })).toHaveAttribute('aria-pressed', 'false');
  });

  await test.step('in what only the model sees, in folds, in what came cut, and in sessions of others', async () => {
    const log = new Log()
      .user('Light the lamps.')
      .assistant([{ type: 'thinking', text: 'First.\n\nThe thought 17 of it.' }]);
    log.compaction(2, 'The lamps are lit.', {
      replacement: [{ role: 'user', content: [textBlock('What keeper No 18 said.')] }],
      keptSeqs: [1],
    });
    log.user(`${'All work and no play.\n'.repeat(60_000)}the keeper 19`);
    log.user('All play.\r\nof the lamp');
    log.call('bash', { command: 'light it' }, 'ok');
    log.assistant('| wick | tar |\n|---|---|\n| a | b |\n\nAs [the book](https://x.example/path) has it.');
    const id = home.session(log.user('And the horn?'));
    const pi = piSession(home, 'the foghorn 20 of another agent');
    await app.go(id);
    await page.keyboard.press('Control+f');
    await field(page).press('Alt+r');
    for (const [expression, found] of [
      ['thought \\d+', 'thought 17'],
      ['keeper no \\d+', 'keeper No 18'],
      ['(?m)^the keeper \\d+$', 'the keeper 19'],
      ['play\\.\\nof the lamp$', 'play. of the lamp'],
      ['wick\\s+tar', 'wicktar'],
      ['wick \\| tar', 'wicktar'],
      ['command: light', 'light'],
    ] as const) {
      await field(page).fill(expression);
      await expect(count(page), expression).toHaveText('1 of 1 message');
      await expect.poll(() => marked(page), { message: expression, timeout: 20_000 }).toEqual([found]);
      await expect(page.getByTestId('find-unmarked'), expression).toHaveCount(0);
    }
    await field(page).fill('example/[a-z]+');
    await expect(count(page)).toHaveText('1 of 1 message');
    await expect.poll(() => marked(page), 'where a link goes is shown without its path').toEqual(['the bookx.example']);
    await expect(page.getByTestId('find-unmarked')).toHaveCount(0);
    // Only what is of records is marked: no day, no heading of the window's, no button.
    await field(page).fill('[A-Z][a-z]+');
    await expect.poll(() => marked(page, 'found')).toContain('Light');
    const words = await marked(page, 'found');
    expect(
      words.filter((word) => /Friday|November|Compacted|Review|Undo|Summary|Replaced|Thinking/.test(word)),
    ).toEqual([]);
    await app.go(pi);
    await page.keyboard.press('Control+f');
    await field(page).press('Alt+r');
    await field(page).fill('horn \\d+');
    await expect.poll(() => marked(page)).toEqual(['horn 20']);
  });

  await test.step('what is no expression is said, and what fits everything holds nothing up', async () => {
    const id = home.session(new Log().user('A wick (new).').assistant(`${'x'.repeat(40_000)} The end.`));
    await app.go(id);
    await page.keyboard.press('Control+f');
    await field(page).press('Alt+r');
    await field(page).fill('wick (');
    await expect(page.getByTestId('find-error')).toHaveText('No regular expression: missing closing ): `wick (`');
    await expect(page.getByTestId('find-error').getByRole('button')).toHaveCount(0);
    await looks(page, 'find-error');
    await field(page).fill('q*');
    await expect(page.getByTestId('find-said')).toHaveText('not found');
    await expect(page.getByTestId('find-error')).toHaveCount(0);
    await field(page).fill('z*(?:w|\\()');
    await expect(count(page)).toHaveText('1 of 1 message');
    await expect.poll(() => marked(page, 'found')).toEqual(['w', '(', 'w']);
    await field(page).fill('(x+x+)+y');
    await expect(page.getByTestId('find-said')).toHaveText('not found');
    await field(page).fill('(?:x+x+)+');
    await expect(count(page)).toHaveText('1 of 1 message');
  });

  await page.setViewportSize({ width: 1440, height: 900 });
  await test.step('an expression is found, marked and gone through, by the same keys as in the search', async () => {
    const log = new Log();
    for (let n = 0; n < 200; n++) log.user(`Question ${n}.`).assistant(`Filler ${n}.`);
    log.user('🎉 It says err_quiet, then **ERR_LOUD** and concatenate; the cat sleeps.');
    log.call('bash', { command: 'make' }, 'ok\nERR_LAST in the output\n');
    const id = home.session(log.assistant('The `cat` is out.'));
    await app.go(id, 300);
    await page.keyboard.press('Control+f');
    await field(page).fill('ERR_[A-Z]+');
    await expect(page.getByTestId('find-said')).toHaveText('not found');
    await field(page).press('Alt+r');
    await expect(count(page)).toHaveText('1 of 2 messages');
    await expect.poll(() => marked(page)).toEqual(['err_quiet']);
    await expect(page.getByTestId('find-bar').locator('small')).toHaveText('1/2 here');
    await expect.poll(() => marked(page, 'found')).toContain('ERR_LOUD');
    await looks(page, 'find-expression');
    await field(page).press('Enter');
    await expect.poll(() => marked(page)).toEqual(['ERR_LOUD']);
    await field(page).press('Enter');
    await expect(count(page)).toHaveText('2 of 2 messages');
    await expect.poll(() => marked(page)).toEqual(['ERR_LAST']);
    await field(page).press('Shift+Enter');
    await expect.poll(() => marked(page)).toEqual(['ERR_LOUD']);
    await field(page).press('Alt+c');
    await expect(page.getByRole('button', { name: 'Mind upper and lower case' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(page.getByTestId('find-bar').locator('small')).toHaveCount(0);
    await expect.poll(() => marked(page)).toEqual(['ERR_LOUD']);

    // A border of a word is one in all of the text.
    await field(page).fill('\\bcat\\b');
    await expect(count(page)).toHaveText('1 of 2 messages');
    await expect.poll(() => marked(page, 'found')).toEqual(['cat', 'cat']);
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await expect(page.getByTestId('find-said')).toHaveText('not found');
    expect(await marked(page, 'found')).toEqual([]);
  });
});

shared('where a text ends, and blanks', async ({ app, home }) => {
  const { page } = app;
  const log = new Log();
  for (let n = 10; n < 70; n++) log.user(`Question ${n}.`).assistant(`Filler ${n}.\n\nAnd more ${n}.`);
  await app.open(home.session(log), 100);
  await page.keyboard.press('Control+f');
  await field(page).press('Alt+r');
  await field(page).fill('more (59|60|61)\\.$');
  await expect(count(page)).toHaveText('1 of 3 messages');
  await expect.poll(() => marked(page)).toEqual(['more 59.']);
  await expect.poll(() => marked(page, 'found')).toEqual(['more 59.', 'more 60.', 'more 61.']);

  await field(page).fill('\\s+');
  await expect(count(page)).toHaveText('100 of 120 messages');
  await expect.poll(() => marked(page)).toEqual([' ']);
  await app.settled();
  await expect(app.message(100)).toBeInViewport();
  await field(page).press('Enter');
  await expect(page.getByTestId('find-bar').locator('small')).toHaveText('2/3 here');
  await app.settled();
  await expect(app.message(100)).toBeInViewport();
});
