import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from './support/app';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import type { Model } from './support/model';
import { expect, test } from './support/test';

test.use({ withModel: true });

let folder = '';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
};
test.beforeEach(({ home }) => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
  home.config('permissions:\n  allow: [bash, write]\n');
  write('lights.txt', 'six\n');
});
test.afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A turn that changes two files with a tool, and does something with a shell. */
async function changed(app: App, model: Model, id: string): Promise<void> {
  const composer = new Composer(app.page);
  await app.open(id);
  const call = model.reply();
  await composer.send('Write it down.');
  await call.asked;
  call
    .toolCall('read', { path: 'lights.txt' })
    .toolCall('write', { path: 'lights.txt', content: 'seven\n' })
    .toolCall('write', { path: 'tides.txt', content: 'high\nlow\n' })
    .toolCall('bash', { command: 'echo noon > bell.txt' })
    .done();
  const answer = model.reply();
  await answer.asked;
  answer.text('It is written.').done();
  await expect(app.message(11)).toContainText('It is written.');
  expect(read('lights.txt')).toBe('seven\n');
}

async function ask(app: App, seq: number): Promise<void> {
  await app.message(seq).click({ button: 'right' });
  await app.page.getByRole('menuitem', { name: 'Undo files since here…' }).click();
}

test('files are taken back after a look at what that comes to, and that is taken back too', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const id = home.session(conversation(4), { name: 'harbour', cwd: folder });
  await changed(app, model, id);
  await ask(app, 5);
  const dialog = page.getByTestId('undo-files');
  await expect(dialog.getByTestId('undone-file')).toHaveCount(2);
  await expect(dialog.getByTestId('undone-file').first()).toContainText('seven');
  await expect(dialog.getByTestId('undo-commands')).toContainText('1 command was run by a shell');
  expect(read('lights.txt')).toBe('seven\n');

  await page.getByTestId('undo-files-now').click();
  await expect(app.toast).toContainText('2 files are as before');
  expect(read('lights.txt')).toBe('six\n');
  expect(() => read('tides.txt')).toThrow();
  expect(read('bell.txt')).toBe('noon\n');
  const note = page.locator('[data-testid="event-row"]', { hasText: 'Took back changes in 2 files' });
  await expect(note.getByTestId('undone-files')).toContainText('lights.txt');
  await expect(note).not.toContainText('{');

  await app.toast.getByRole('button', { name: 'Undo' }).click();
  await expect(app.toast).toContainText('2 files are as the tools left them');
  expect(read('tides.txt')).toBe('high\nlow\n');
  await expect(page.getByTestId('event-row')).toHaveCount(2);
  await expect(app.session(id).getByTestId('edits')).toContainText('+3 −1 · 2 files');
});

test('what is not as the tools left it stays, and says why; where nothing changed, that is said', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const id = home.session(conversation(4), { name: 'harbour', cwd: folder });
  await changed(app, model, id);
  write('lights.txt', 'mine\n');
  const dialog = page.getByTestId('undo-files');
  await ask(app, 11);
  await expect(dialog).toContainText('There is nothing to take back');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await ask(app, 5);
  await expect(dialog.getByTestId('undone-file').first()).toContainText('Stays as it is');
  await expect(dialog).toContainText('1 of 2 files can be taken back.');
  await page.getByTestId('undo-files-now').click();
  await expect(app.toast).toContainText('1 file is as before');
  expect(read('lights.txt')).toBe('mine\n');
  expect(() => read('tides.txt')).toThrow();

  // The keyboard leads there too.
  await page.keyboard.press('t');
  await page.keyboard.press('Shift+U');
  await expect(page.getByTestId('undo-files')).toContainText('None of these files can be taken back.');
});

test('an undo before it is made', { tag: '@look' }, async ({ app, home, model }) => {
  const id = home.session(conversation(4), { name: 'fix the harbour lights', cwd: folder });
  await changed(app, model, id);
  write('tides.txt', 'mine\n');
  await ask(app, 5);
  await expect(app.page.getByTestId('undone-file')).toHaveCount(2);
  await looks(app.page, 'undo-files');
});
