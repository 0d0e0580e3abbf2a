import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/shared';

test.use({ withModel: true });

let folder = '';
test.beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
});
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a conversation begins in a folder that is there, and has tools', async ({ app, home, model }) => {
  const { page } = app;
  home.session(conversation(2), { name: 'harbour', cwd: folder });
  await app.start();
  await page.keyboard.press('n');
  const choice = page.getByTestId('folder');
  await expect(choice).toContainText('Without a folder the model is offered no tools.');
  const field = choice.getByRole('textbox');
  await expect(field).toHaveValue('');

  await field.fill(join(folder, 'gone'));
  const composer = new Composer(page);
  await composer.field.fill('Hello.');
  await composer.field.press('Enter');
  await expect(page.getByTestId('failure')).toContainText("can't be used");
  await expect(composer.field).toHaveValue('Hello.');

  await choice.getByRole('button', { name: basename(folder) }).click();
  await expect(field).toHaveValue(folder);
  const reply = model.reply();
  await page.getByTestId('send-again').click();
  const { body } = await reply.asked;
  expect(JSON.stringify(body.tools)).toContain('bash');
  reply.text('Good day.').done();
  await expect(app.message(2)).toContainText('Good day.');
  await expect(page.getByTestId('no-tools-why')).toHaveCount(0);
  await expect(page.locator('.about')).toContainText(folder);
});

test('without a folder it says that there are no tools, why, and what to do', async ({ app, model }) => {
  const { page } = app;
  await app.start();
  await page.keyboard.press('n');
  const reply = model.reply();
  await new Composer(page).send('Hello.');
  const { body } = await reply.asked;
  expect(body.tools).toBeUndefined();
  reply.text('Good day.').done();
  await page.getByTestId('no-tools-why').click();
  await expect(page.getByTestId('no-tools')).toContainText('the session has no folder to work in');
});

test('a conversation that is yet to begin', { tag: '@look' }, async ({ app, home }) => {
  home.session(conversation(2), { name: 'fix the harbour lights', cwd: folder });
  home.session(conversation(2), { name: 'tide tables', cwd: '/srv/tides' });
  await app.start();
  await app.page.keyboard.press('n');
  const tides = app.page.getByRole('button', { name: 'tides' });
  await tides.click();
  await app.page.getByRole('button', { name: 'No folder' }).click();
  await expect(tides).toHaveAttribute('aria-pressed', 'false');
  await app.page.keyboard.press('ControlOrMeta+z');
  await expect(tides).toHaveAttribute('aria-pressed', 'true');
  await looks(app.page, 'new-conversation-folder');
});
