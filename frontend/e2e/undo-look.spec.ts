import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { App } from './support/app';
import { attach, named } from './support/attach';
import { Composer } from './support/composer';
import type { Home } from './support/home';
import { conversation } from './support/log';
import { look, looks, SIZES } from './support/look';
import { PNG } from './support/pictures';
import { piSession } from './support/search';
import { expect, test } from './support/test';

/** Where it stands: in the middle of the dialog that it is about, at its foot; in two lines at most. */
async function placed(app: App): Promise<void> {
  const { width = 0, height = 0 } = app.page.viewportSize() ?? {};
  const toast = await app.toast.boundingBox();
  if (!toast) throw new Error('there is none');
  expect(toast.height).toBeLessThan(64);
  if ((await app.page.getByRole('dialog').count()) === 0) return;
  expect(Math.abs(toast.x + toast.width / 2 - width / 2)).toBeLessThan(2);
  expect(height - toast.y - toast.height).toBeLessThanOrEqual(40);
}

/** The way back out of what was just done, in sight as long as it is looked at, and over everything. */
async function offered(app: App, screen: string, way = 'Undo'): Promise<void> {
  const undo = app.toast.getByRole('button', { name: way });
  await undo.focus();
  for (const [n, size] of SIZES.entries()) {
    await app.page.setViewportSize(size);
    await look(app.page, screen, { asBefore: n > 0 });
    await placed(app);
  }
  await expect(undo, 'nothing lies over it').toBeInViewport({ ratio: 1 });
  await undo.click({ trial: true });
  await app.toast.getByRole('button', { name: 'Close' }).click();
  await app.page.setViewportSize({ width: 1440, height: 900 });
}

/** The settings of a program that can keep keys: where tests run there is no keychain. */
async function withKeychain(page: Page): Promise<void> {
  let kept = true;
  await page.route('**/api/models**', async (route) => {
    const request = route.request();
    if (request.url().includes('/api/models/key')) {
      kept = request.method() !== 'DELETE';
      return route.fulfill({ json: { undo: 'h1', asItWas: true } });
    }
    const response = await route.fetch().catch(() => null);
    if (!response) return route.abort();
    const list = (await response.json()) as { keyFrom: string | null; providers: { keyFrom: string | null }[] };
    for (const one of [list, ...list.providers]) one.keyFrom = kept ? 'keychain' : null;
    return route.fulfill({ response, json: list });
  });
}

function providers(home: Home, url: string, names: readonly string[]): void {
  const lines = names.map((name) => `  ${name}: {base_url: "${url}", model: m}\n`).join('');
  writeFileSync(join(home.dir, 'config.yaml'), `provider: ${names[0] ?? ''}\nproviders:\n${lines}`);
}

test('the ways back out of settings are in sight', { tag: '@look' }, async ({ app, home, model }) => {
  test.slow();
  const { page } = app;
  // The longest name there can be.
  const long = 'a-very-long-name-of-a-server-with-all-the-letters-that-it-may-have';
  providers(home, model.url, ['work', long.slice(0, 64)]);
  await withKeychain(page);
  await app.open(home.session(conversation(6), { name: 'harbour' }));
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });

  await settings.getByRole('button', { name: 'Edit work' }).click();
  await settings.getByLabel('A new key').fill('sk-another');
  await settings.getByRole('button', { name: 'Keep' }).click();
  await offered(app, 'undo-key-replaced');
  await settings.getByRole('button', { name: 'Forget' }).click();
  await offered(app, 'undo-key-forgotten');

  await settings.getByLabel('Address').fill('http://localhost:9/v1');
  await settings.getByRole('button', { name: 'Cancel' }).click();
  await offered(app, 'undo-form-cancelled');
  await settings.getByRole('button', { name: `Edit ${long.slice(0, 64)}` }).click();
  await settings.getByRole('button', { name: 'Remove a-very' }).click();
  await offered(app, 'undo-provider-removed');
});

test('the ways back of what is saved, kept and old are in sight', { tag: '@look' }, async ({ app, home, program }) => {
  test.slow();
  const { page } = app;
  const old = home.session(conversation(6, '2024-05-01T09:00:00Z'), { name: 'the harbour of two years ago' });
  await program.put('searches', { searches: [{ name: 'what is lost', q: 'in:dropped' }] });
  await app.start();
  await page.keyboard.press('ControlOrMeta+Shift+f');
  await page.getByTestId('saved-search').getByRole('button', { name: 'Delete' }).click();
  await offered(app, 'undo-search-deleted');

  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+G');
  const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
  await dialog.getByRole('button', { name: 'Clean up', exact: true }).click();
  await dialog.getByLabel('Leave out those that I gave a name').uncheck();
  await dialog.getByRole('button', { name: 'Show what would go' }).click();
  await dialog.getByRole('button', { name: 'Move 1 conversation to the trash' }).click();
  await expect(app.session(old)).toHaveCount(0);
  await offered(app, 'undo-cleaned-up');
});

test('a copy that is about to be removed can be taken back', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  piSession(home, 'the lantern of another agent');
  await app.start();
  const row = app.library.getByTestId('session-row').first();
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Keep a copy' }).click();
  await expect(row).toContainText('copy kept');
  await app.toast.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('Shift+G');
  await page.getByRole('button', { name: 'Kept copies', exact: true }).click();
  await page.getByRole('button', { name: /^Remove the copy/ }).click();
  await expect(page.getByTestId('listed').getByTestId('copy')).toContainText('removed for good once this is closed');
  await looks(page, 'undo-copy-removed');
});

test.describe('with a model', () => {
  test.use({ withModel: true });

  test('the way back of a message that was withdrawn is in sight', { tag: '@look' }, async ({ app, home, model }) => {
    const { page } = app;
    const composer = new Composer(page);
    await app.open(home.session(conversation(6), { name: 'harbour' }));
    model.reply().text('One');
    await composer.send('First.');
    await expect(composer.live).toContainText('One');
    await composer.send('Is the harbour lit?');
    await composer.field.fill('Something else by now.');
    await composer.queued.getByRole('button', { name: 'Withdraw' }).click();
    await offered(app, 'undo-withdrawn', 'Put it in the field');
  });

  test('the ways back where somebody writes are in sight', { tag: '@look' }, async ({ app, home }) => {
    test.slow();
    const { page } = app;
    await app.open(home.session(conversation(6), { name: 'harbour' }));
    const name = `${'a long way from the harbour '.repeat(6)}.png`;
    await attach(page, named(name, PNG), named('chart.md', '# Depths', 'text/markdown'));
    await page.getByTestId('attached').getByRole('button').first().click();
    await offered(app, 'undo-attachment');

    await page.getByTestId('new').click();
    const folder = page.getByTestId('folder');
    await folder.getByRole('textbox').fill(home.dir);
    await folder.getByRole('button', { name: 'No folder' }).click();
    await offered(app, 'undo-folder');
  });
});
