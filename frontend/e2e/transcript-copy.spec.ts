import { readFileSync, writeFileSync } from 'node:fs';
import { Log, textBlock } from './support/log';
import { look, looks } from './support/look';
import { expect, test } from './support/shared';

test.beforeEach(async ({ context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
});

test('what is copied, and what is shown, is what the log has', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;

  await test.step('arguments and records are shown and copied as the log has them', async () => {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const said = '{"id":1234567890123456789,"v":3.10,"a":1,"a":2}';
    const id = home.session(new Log().user('Look.').call('look', { said: 0 }, 'ok'));
    const log = readFileSync(home.path(id, 'session.jsonl'), 'utf8').replace('{"said":0}', said);
    writeFileSync(home.path(id, 'session.jsonl'), log);
    await app.open(id);
    const head = app.message(2).getByTestId('tool-head');
    await expect(head).toContainText('id: 1234567890123456789');
    await head.click();
    const shown = '{ "id": 1234567890123456789, "v": 3.10, "a": 1, "a": 2 }';
    await expect(app.message(2).getByRole('group', { name: 'Arguments' })).toHaveText(shown);
    const choose = async (name: string) => {
      await app.message(2).focus();
      await page.keyboard.press('ContextMenu');
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Copy raw JSON');
    await expect.poll(copied).toBe(log.split('\n')[1]);
    await choose('Show raw JSON');
    await expect(app.row(2)).toContainText('"v": 3.10, "a": 1, "a": 2');
  });

  await test.step('the whole conversation is copied, not only what is loaded', async () => {
    const log = new Log();
    for (let n = 1; n <= 1500; n++) log.user(`Question ${n}.`);
    await app.go(home.session(log));
    await page.getByTestId('conversation-menu').click();
    await page.getByRole('menuitem', { name: 'Copy conversation as Markdown' }).click();
    await expect(app.toast).toContainText('Conversation copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.match(/Question \d+\./g)).toHaveLength(1500);
  });

  await test.step('a browser that allows no writing is copied to in the old way, and what does not work is told', async () => {
    const id = home.session(new Log().user('A lantern.').assistant('Of brass.'));
    await app.go(id);
    await page.evaluate(() => {
      navigator.clipboard.writeText = () =>
        Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
    });
    const copy = async () => {
      await app.message(2).hover();
      await app.message(2).getByTestId('copy-message').click();
    };
    await copy();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Of brass.');
    await page.evaluate(() => {
      document.execCommand = () => false;
    });
    await copy();
    await expect(app.toast).toContainText('Nothing was copied');
    await page.evaluate(() => {
      Reflect.deleteProperty(navigator.clipboard, 'writeText');
      Reflect.deleteProperty(document, 'execCommand');
    });
  });

  await test.step('what lies beside the log is copied whole', async () => {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const whole = `begins ${'and goes on '.repeat(8000)}and ends`;
    const log = new Log();
    const id = home.session(log);
    const blob = home.blob(id, whole);
    const cut = { type: 'text', text: 'begins … and ends', blob, bytes: whole.length };
    writeFileSync(home.path(id, 'session.jsonl'), log.user('Say it.').assistant([cut]).text());
    await app.go(id);
    await app.message(2).hover();
    await app.message(2).getByTestId('copy-message').click();
    await expect.poll(copied).toBe(whole);
    await page.keyboard.press('Shift+W');
    await expect.poll(copied).toContain(`Say it.`);
    expect(await copied()).toContain(whole);
  });

  await test.step('"compact up to here" opens the review with its cut behind that message', async () => {
    const log = new Log();
    for (let n = 1; n <= 12; n++) log.user(`Question ${n}.`).assistant(`Answer ${n}.`);
    await app.go(home.session(log));
    await app.message(8).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compact up to here…' }).click();
    await expect(page.getByRole('slider', { name: 'Cut' })).toHaveAttribute(
      'aria-valuetext',
      /^cut at 9: 8 messages go/,
    );
  });

  await test.step('a message, its code, its output and its command are copied as they are', async () => {
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    const log = new Log()
      .user('Raise **it**.')
      .assistant([textBlock('Do:\n\n```go\nfirst()\n```\n\nand\n\n```sh\nls\u200b -la\n```')])
      .call('bash', { command: 'echo one\necho two' }, '\u001b[31mred\u001b[0m\n{"not": json}');
    const id = home.session(log);
    await app.go(id);
    await app.message(2).getByRole('button', { name: 'Copy code' }).nth(1).click();
    await expect.poll(copied).toBe('ls\u200b -la');
    await app.message(3).getByTestId('tool-head').click();
    await app.message(3).getByTestId('copy-output').click();
    await expect.poll(copied).toBe('\u001b[31mred\u001b[0m\n{"not": json}');
    await expect(app.message(3).locator('pre .red')).toHaveText('red');
    await app.message(3).getByTestId('raw-output').click();
    await expect(app.message(3).locator('pre .red')).toHaveCount(0);
    await app.message(3).getByTestId('tool-head').hover();
    await app.message(3).getByTestId('copy-command').click();
    await expect.poll(copied).toBe('echo one\necho two');

    await app.message(1).click({ button: 'right' });
    await look(page, 'row-menu');
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await expect.poll(copied).toBe('Raise **it**.');
    await app.message(1).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy raw JSON' }).click();
    await expect.poll(copied).toBe(log.text().split('\n')[0]);
    await app.message(1).hover();
    await app.message(1).getByTestId('row-menu').click();
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await expect.poll(copied).toContain(`#/s/${id}/1`);
  });

  await test.step('a message shows its source and its record, and goes back', async () => {
    await app.go(home.session(new Log().user('A **word**.').assistant('Yes.')));
    const choose = async (name: string, row = app.message(1)) => {
      await row.focus();
      await page.keyboard.press('ContextMenu');
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Show source');
    await expect(app.message(1)).toContainText('A **word**.');
    await choose('Show formatted');
    await expect(app.message(1).locator('strong')).toHaveText('word');
    await choose('Show raw JSON');
    await expect(app.row(1)).toContainText('"recordType": "message"');
    await looks(page, 'raw-record');
    await app.row(1).getByRole('button', { name: 'Show formatted' }).click();
    await expect(app.message(1).locator('strong')).toHaveText('word');
  });
});
