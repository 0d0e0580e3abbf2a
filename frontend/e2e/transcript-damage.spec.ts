import { Log } from './support/log';
import { expect, test } from './support/shared';

/** A torn line, two corrupt ones, a gap in the numbers and a number out of order, each between whole records. */
function damaged(): Log {
  const log = new Log().user('One.');
  log.raw('{"recordType":"message","schemaVersion":1,"seq":2,"role":"assist').assistant('Two, after a torn line.');
  log.raw('\u0000\u0000 not json at all').raw('{"nor":"this"').user('Five.', { seq: 5 });
  return log.assistant('Ten, after a gap.', { seq: 10 }).user('Seven, out of order.', { seq: 7 });
}

test('what is damaged, left, not seen or put in is marked where it stands', async ({ app, home }) => {
  const { page } = app;

  await test.step('the first damage of a long log is one click away', async () => {
    const log = new Log();
    for (let n = 1; n <= 900; n++) {
      log.user(`Message ${n}.`);
      if (n === 120) log.raw('half a li');
    }
    await app.open(home.session(log));
    await page.getByTestId('damage-chip').click();
    await expect(page.getByTestId('damage-row')).toBeInViewport();
    await app.log.press('End');
    await expect(app.message(900)).toBeInViewport();
    await page.getByTestId('first-damage').click();
    await expect(page.getByTestId('damage-row')).toBeInViewport();
  });

  await test.step('messages on a branch that was left are marked, and the branch leads to where it started', async () => {
    const log = new Log().user('One.').assistant('Two.').user('Wrong way.').assistant('Very wrong.');
    log.overlay('branch', { fromSeq: 2, summary: 'The other way was **wrong**.' }).user('Right way.');
    await app.go(home.session(log));
    await app.page.getByRole('button', { name: 'Previous branch' }).click();
    for (const seq of [3, 4]) {
      await expect(app.message(seq)).toHaveAttribute('data-state', 'offPath');
      await expect(app.message(seq).getByTestId('state-note')).toContainText('On a branch that was left.');
    }
    await app.page.getByTestId('way-now').click();
    for (const seq of [1, 2, 6]) await expect(app.message(seq)).toHaveAttribute('data-state', 'kept');
    await expect(app.row(5)).toContainText('The other way was wrong.');
    await app.row(5).getByRole('button', { name: 'Branched off after 2' }).click();
    await expect(app.message(2)).toBeInViewport();
  });

  await test.step('what the model does not get to see says why', async () => {
    const log = new Log().user('Look.').call('bash', { command: 'cat big' }, 'A very long output.').assistant('Seen.');
    log
      .overlay('prune', { seqs: [3], tokensFreed: 4000 })
      .assistant('Broken', { stopReason: 'error' })
      .user('Again.');
    log.overlay('label', { targetSeq: 1, label: 'start here' });
    log.overlay('model', { provider: 'openai', model: 'gpt-6' });
    log.overlay('note', {
      namespace: 'notes',
      data: {},
      content: [{ type: 'text', text: 'Mind the *gap*.' }],
      display: true,
    });
    await app.go(home.session(log));
    await app.message(2).getByTestId('tool-head').click();
    await expect(app.message(2).getByTestId('state-note')).toContainText('a note in place of this output');
    await expect(app.message(2)).toContainText('A very long output.');
    await expect(app.message(6)).toHaveAttribute('data-state', 'dropped');
    await expect(app.message(6).getByTestId('state-note')).toContainText('The model does not see this:');
    await expect(app.row(5)).toContainText('Cleared 1 tool result, 4,000 tokens');
    await expect(app.row(8)).toContainText('Labelled 1 “start here”');
    await expect(app.row(9)).toContainText('Model: openai/gpt-6');
    await expect(app.row(10)).toContainText('Note by notes');
    await expect(app.row(10).locator('em')).toHaveText('gap');
  });

  await test.step('what a program put before the model is folded, and opens where it is found', async () => {
    const log = new Log().user('Look.');
    log.overlay('note', {
      namespace: 'agent.attachment.todo_list',
      data: null,
      content: [{ type: 'text', text: '<reminder>\nThree things\n\nare left: the lamp.\n</reminder>' }],
      display: false,
    });
    await app.go(home.session(log.assistant('Seen.')));
    const fold = app.row(2).getByRole('button', { name: /Injected/ });
    await expect(fold).toContainText('Injected · todo list');
    await expect(fold).toContainText('Three things');
    await expect(fold).toHaveAttribute('aria-expanded', 'false');
    await expect(app.row(2)).not.toContainText('the lamp');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('the lamp');
    await expect(fold).toHaveAttribute('aria-expanded', 'true');
    await expect(app.row(2)).toContainText('are left: the lamp.');
  });

  await test.step('damage is shown where it stands, and nothing else is lost', async () => {
    const id = home.session(damaged());
    await app.go(id);
    await expect(app.message(7)).toBeInViewport();

    const lines = app.log.locator('[data-kind], [data-testid="message"]');
    expect(await lines.evaluateAll((all) => all.map((one) => one.dataset.kind ?? one.dataset.seq))).toEqual([
      ...['1', 'torn', '2'],
      ...['corrupt', 'corrupt', '5'],
      ...['gap', '10'],
      ...['order', '7'],
    ]);
    await expect(app.message(2)).toContainText('Two, after a torn line.');
    await expect(page.getByTestId('damage-row').first()).toContainText('line 2');
    const kinds = await app.log
      .locator('[data-kind]')
      .evaluateAll((all) =>
        all.map((one) => [one.querySelectorAll('svg').length, (one as HTMLElement).innerText.replace(/\n+/g, ' · ')]),
      );
    expect(kinds.slice(-2), 'each in the same form').toEqual([
      [
        1,
        expect.stringMatching(
          /^Records are missing here · line \d+, byte \d+ · Records 6 to 9 are missing\. What is there/,
        ),
      ],
      [
        1,
        expect.stringMatching(
          /^This record is out of order · line \d+, byte \d+ · Record 7 stands behind record 10\. It is/,
        ),
      ],
    ]);
    expect(kinds[0]).toEqual([1, expect.stringMatching(/^A write broke off here · line 2, byte \d+ · .+\. The other/)]);
    await expect(page.getByTestId('damage-chip')).toContainText('5 damaged places');
    await expect(app.context).toContainText('5 damaged places');
    expect(home.log(id).toString(), 'reading repairs nothing on disk').toBe(damaged().text());

    await page.setViewportSize({ width: 900, height: 600 });
    const edges = () =>
      app.log.locator('[data-kind] > div').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
    await expect(async () => {
      const rights = await edges();
      expect(rights.length, 'of lines and before lines').toBeGreaterThan(2);
      expect(new Set(rights).size, 'none wider than the others').toBe(1);
    }).toPass();
  });
});
