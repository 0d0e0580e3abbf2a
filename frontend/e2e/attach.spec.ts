import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { look, SIZES } from './support/look';
import { expect, test } from './support/shared';

test.use({ withModel: true });

const GO = { name: 'lights.go', mimeType: 'text/x-go', buffer: Buffer.from('package lights\n') };
const BROKEN = { name: 'pier.heic', mimeType: 'image/heic', buffer: Buffer.from([0, 0]) };
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const PIER = { name: 'pier.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') };

/** A file that is dropped somewhere, or pasted into the field. */
async function give(page: Page, how: 'drop' | 'paste', name: string, content: string): Promise<void> {
  await page.evaluate(
    ([how, name, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content], name, { type: 'text/plain' }));
      const field = document.querySelector('textarea');
      if (how === 'paste') {
        field?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        return;
      }
      for (const kind of ['dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }
    },
    [how, name, content] as const,
  );
}

test('files are chosen, dropped and pasted, outlast a reload, and go with the message', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
  const attached = page.getByRole('list', { name: 'Attached files' });
  const chooser = page.waitForEvent('filechooser');
  await composer.field.focus();
  await page.keyboard.press('ControlOrMeta+Shift+a');
  await (await chooser).setFiles([GO, BROKEN]);
  await expect(app.toast).toContainText('pier.heic was not attached: models take PNG, JPEG, GIF and WebP images');
  await expect(attached.getByRole('listitem')).toHaveText(/lights\.go\s*15 B/);
  await expect(composer.field).toBeFocused();
  await give(page, 'drop', 'notes.md', '```\nfenced\n```\n');
  await give(page, 'paste', 'wrong.txt', 'not this one');
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  const leaveOut = page.getByRole('button', { name: 'Leave out wrong.txt' });
  await leaveOut.click();
  await expect(attached.getByRole('listitem')).toHaveCount(2);
  await app.toast.getByRole('button', { name: 'Undo' }).click();
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await leaveOut.click();
  await expect(composer.field).toBeFocused();
  await expect.poll(() => home.desk(`attached.${id}`)).toContain('notes.md');
  await expect.poll(() => home.desk(`attached.${id}`)).not.toContain('not this one');

  await page.reload();
  await expect(attached.getByRole('listitem')).toHaveText([/lights\.go/, /notes\.md/]);
  const reply = model.reply();
  await composer.field.fill('Look at these.');
  await composer.field.press('Enter');
  await expect(attached).toHaveCount(0);
  const { body } = await reply.asked;
  const wanted =
    'Look at these.\n\n`lights.go`\n\n```go\npackage lights\n```\n\n`notes.md`\n\n````md\n```\nfenced\n```\n````';
  expect(body.messages?.at(-1)).toMatchObject({ role: 'user', content: wanted });
  reply.text('Seen.').done();
  await expect(app.message(3).locator('pre').first()).toContainText('package lights');
  await expect.poll(() => home.desk(`attached.${id}`)).toBe('');
});

test('images are seen before they are sent, outlast a reload, wait, and are shown to the model', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
  const attached = page.getByRole('list', { name: 'Attached files' });
  const large = { ...PIER, name: 'large.png', buffer: Buffer.concat([PIER.buffer, Buffer.alloc(5_000_000)]) };
  // What it is called says nothing of what it is.
  await page.getByTestId('attach-input').setInputFiles([{ ...PIER, name: 'pier.dat', mimeType: '' }, large]);
  await expect(app.toast).toContainText('large.png was not attached: models take images of up to 5 MB');
  await expect(attached.getByRole('img', { name: 'pier.dat' })).toBeVisible();
  await expect.poll(() => home.desk(`attached.${id}`)).toContain('pier.dat');
  await page.reload();
  await expect(attached.getByRole('img', { name: 'pier.dat' })).toBeVisible();

  const first = model.reply();
  await composer.field.fill('What is this?');
  await composer.field.press('Enter');
  const shown = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
  const { body } = await first.asked;
  expect(body.messages?.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'What is this?' }, shown] });
  await expect(attached).toHaveCount(0);

  // Behind a turn it waits with its message, and comes back with it.
  await page.getByTestId('attach-input').setInputFiles([PIER]);
  await composer.field.press('Enter');
  await expect(page.getByTestId('queued-images')).toHaveText('1 image');
  await page.getByRole('button', { name: /^Withdraw/ }).click();
  await expect(attached.getByRole('img', { name: 'pier.png' })).toBeVisible();
  await composer.field.press('Enter');
  await expect(page.getByTestId('queued-images')).toHaveText('1 image');
  const second = model.reply();
  first.text('A pier.').done();
  expect((await second.asked).body.messages?.at(-1)).toEqual({ role: 'user', content: [shown] });
  second.text('Again.').done();
  await expect(app.message(3).getByRole('img', { name: 'pier.dat' })).toBeVisible();
  await expect(app.message(5).getByRole('img', { name: 'pier.png' })).toBeVisible();
  await expect.poll(() => home.desk(`attached.${id}`)).toBe('');
});

test('an image is pasted as the system has it, and dropped as the system drops it', async ({
  app,
  home,
  model,
  context,
}) => {
  const { page } = app;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const composer = new Composer(page);
  await app.open(home.session(conversation(2)));
  const thumbnails = page.getByTestId('attached').getByRole('img');
  const copy = (items: Record<string, string>) =>
    page.evaluate(async (all) => {
      const bytes = (kind: string, data: string) =>
        new Blob([kind === 'image/png' ? Uint8Array.from(atob(data), (one) => one.charCodeAt(0)) : data], {
          type: kind,
        });
      const entries = Object.entries(all).map(([kind, data]) => [kind, bytes(kind, data)] as const);
      await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(entries))]);
    }, items);

  // An image alone, as of a screen; one copied from a page, which comes with its address; a text with a picture of itself.
  await copy({ 'image/png': PNG });
  await composer.field.focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(thumbnails).toHaveCount(1);
  await copy({ 'image/png': PNG, 'text/html': '<img src="http://evil.example/pier.png">' });
  await page.keyboard.press('ControlOrMeta+v');
  await expect(thumbnails).toHaveCount(2);
  await expect(composer.field).toHaveValue('');
  await copy({ 'image/png': PNG, 'text/plain': 'a cell' });
  await page.keyboard.press('ControlOrMeta+v');
  await expect(composer.field).toHaveValue('a cell');
  await expect(thumbnails).toHaveCount(2);

  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-drop-'));
  const files = ['mole.png', 'pier.heic'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, file.endsWith('.png') ? PIER.buffer : BROKEN.buffer);
  const devtools = await context.newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data });
    if (type === 'dragOver') await expect(composer.field).toHaveAttribute('placeholder', 'Drop to attach');
  }
  await expect(thumbnails).toHaveCount(3);
  await expect(thumbnails.last()).toHaveAttribute('alt', 'mole.png');
  rmSync(folder, { recursive: true });
  await expect(app.toast).toContainText('pier.heic was not attached');
  await expect(composer.field).toBeFocused();

  const reply = model.reply();
  await composer.field.press('Enter');
  const { body } = await reply.asked;
  expect(JSON.stringify(body.messages?.at(-1)).match(/data:image\/png;base64/g)).toHaveLength(3);
  reply.text('Three piers.').done();
  await expect(app.message(3).getByRole('img')).toHaveCount(3);
});

test('an image that a model refuses is tried again with another one', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  await app.open(home.session(conversation(2)));
  await page.getByTestId('attach-input').setInputFiles([PIER]);
  model.reply().error(404, 'No endpoints found that support image input');
  await composer.field.press('Enter');
  await expect(page.getByTestId('failure')).toContainText('this model takes no images');
  const again = model.reply();
  await page.getByTestId('retry').click();
  expect(JSON.stringify((await again.asked).body.messages?.at(-1))).toContain(PNG);
  again.text('A pier.').done();
  await expect(app.message(3).getByRole('img')).toBeVisible();
});

test('a first message has its files, and files alone are a message', async ({ app, model }) => {
  const { page } = app;
  await app.start();
  await page.keyboard.press('n');
  await page.getByTestId('attach-input').setInputFiles([GO, PIER]);
  await expect(page.getByTestId('thumbnail')).toBeVisible();
  const reply = model.reply();
  await page.getByTestId('send').click();
  const { body } = await reply.asked;
  expect(body.messages?.at(-1)).toMatchObject({
    content: [{ text: '`lights.go`\n\n```go\npackage lights\n```' }, { type: 'image_url' }],
  });
  reply.text('Seen.').done();
  await expect(app.message(1)).toContainText('package lights');
  await expect(app.message(1).getByRole('img', { name: 'pier.png' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Attached files' })).toHaveCount(0);
});

test('attached files can be read by everyone, at both sizes', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(conversation(4), { name: 'harbour' }));
  const names = ['lights.go', 'a-name-that-is-much-longer-than-anything-that-anybody-would-call-a-file-of-theirs.md'];
  await page.getByTestId('attach-input').setInputFiles([...names.map((name) => ({ ...GO, name })), PIER]);
  for (const [n, size] of SIZES.entries()) {
    await page.setViewportSize(size);
    await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(3);
    await look(page, 'attached', { asBefore: n > 0 });
  }
});
