import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from './support/app';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import type { Model } from './support/model';
import { Program, TOKEN } from './support/program';
import { expect, test } from './support/test';

let folder = '';
test.beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
});
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Has the model call a tool that asks. */
async function asks(app: App, model: Model): Promise<void> {
  const call = model.reply();
  await new Composer(app.page).send('Write it down.');
  await call.asked;
  call.toolCall('write', { path: 'lights.txt', content: 'seven\n' }).done();
}

test('the reason of a no outlasts the window, and where the program goes it stands in the field', async ({
  home,
  browser,
  model,
}) => {
  const id = home.session(conversation(4), { name: 'harbour', cwd: folder });
  const options = { env: { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } };
  const first = await Program.start(home.dir, options);
  const app = new App(await (await browser.newContext()).newPage(), first);
  await app.open(id);
  const reason = app.page.getByTestId('approval').getByRole('textbox');
  await asks(app, model);
  await reason.fill('Ask the harbour master first.');
  await expect.poll(() => home.desk(`reason.${id}`)).toContain('harbour master');
  await app.page.reload();
  await expect(reason).toHaveValue('Ask the harbour master first.');
  const after = model.reply();
  await reason.press('Enter');
  const { body } = await after.asked;
  expect(JSON.stringify(body.messages?.at(-1))).toContain('Ask the harbour master first.');
  after.text('I will.').done();
  await expect(app.message(8)).toContainText('I will.');
  await expect.poll(() => home.desk(`reason.${id}`)).toBe('');
  await expect(new Composer(app.page).field, 'it was said').toHaveValue('');

  await asks(app, model);
  await reason.fill('Not before noon.');
  await expect.poll(() => home.desk(`reason.${id}`)).toContain('noon');
  await first.kill();
  await app.page.context().close();

  const second = await Program.start(home.dir, options);
  const again = new App(await (await browser.newContext()).newPage(), second);
  await again.open(id);
  await expect(new Composer(again.page).field).toHaveValue('Not before noon.');
  await expect.poll(() => home.desk(`reason.${id}`)).toBe('');
  await again.page.context().close();
  await second.stop();
});

test.describe('with a model', () => {
  test.use({ withModel: true });

  test('whoever writes there stays there as the answer becomes a message, and moves down below one of elsewhere', async ({
    app,
    home,
    model,
    program,
  }) => {
    const { page } = app;
    const id = home.session(conversation(4), { name: 'harbour', cwd: folder });
    await app.open(id);
    let read: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (read = resolve));
    await page.route('**/records**', async (route) => {
      await held;
      await route.continue();
    });
    const call = model.reply();
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ text: 'Write it down.' });
    await fetch(`${program.origin}/api/sessions/${id}/messages`, { method: 'POST', headers, body });
    await call.asked;
    call.toolCall('write', { path: 'lights.txt', content: 'seven\n' }).done();
    const reason = page.getByTestId('approval').getByRole('textbox');
    await reason.pressSequentially('Not ');
    await expect(app.message(5)).toHaveCount(0);
    read();
    await expect(app.message(6)).toBeVisible();
    await app.settled();
    await expect(reason).toBeFocused();
    await page.keyboard.type('yet.');
    await expect(reason).toHaveValue('Not yet.');
  });
});
