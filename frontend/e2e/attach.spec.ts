import type { Page } from '@playwright/test';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { look, SIZES } from './support/look';
import { expect, test } from './support/test';

test.use({ withModel: true });

const GO = { name: 'lights.go', mimeType: 'text/x-go', buffer: Buffer.from('package lights\n') };
const IMAGE = { name: 'pier.png', mimeType: 'image/png', buffer: Buffer.from([0x89, 0x50]) };

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
  await (await chooser).setFiles([GO, IMAGE]);
  await expect(app.toast).toContainText('pier.png was not attached: images can’t be sent from here');
  await expect(attached.getByRole('listitem')).toHaveText(/lights\.go\s*15 B/);
  await expect(composer.field).toBeFocused();
  await give(page, 'drop', 'notes.md', '```\nfenced\n```\n');
  await give(page, 'paste', 'wrong.txt', 'not this one');
  await expect(attached.getByRole('listitem')).toHaveCount(3);
  await page.getByRole('button', { name: 'Leave out wrong.txt' }).click();
  await expect(composer.field).toBeFocused();
  await expect.poll(() => home.desk(`attached.${id}`)).not.toContain('not this one');
  expect(home.desk(`attached.${id}`)).toContain('notes.md');

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

test('a first message has its files, and files alone are a message', async ({ app, model }) => {
  const { page } = app;
  await app.start();
  await page.keyboard.press('n');
  await page.getByTestId('attach-input').setInputFiles([GO]);
  const reply = model.reply();
  await page.getByTestId('send').click();
  const { body } = await reply.asked;
  expect(body.messages?.at(-1)).toMatchObject({ content: '`lights.go`\n\n```go\npackage lights\n```' });
  reply.text('Seen.').done();
  await expect(app.message(1)).toContainText('package lights');
  await expect(page.getByRole('list', { name: 'Attached files' })).toHaveCount(0);
});

for (const size of SIZES) {
  test(
    `attached files can be read by everyone at ${size.width}x${size.height}`,
    { tag: '@look' },
    async ({ app, home }) => {
      const { page } = app;
      await app.open(home.session(conversation(4), { name: 'harbour' }));
      await page.setViewportSize(size);
      const names = [
        'lights.go',
        'a-name-that-is-much-longer-than-anything-that-anybody-would-call-a-file-of-theirs.md',
      ];
      await page.getByTestId('attach-input').setInputFiles(names.map((name) => ({ ...GO, name })));
      await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2);
      await look(page, 'attached');
    },
  );
}
