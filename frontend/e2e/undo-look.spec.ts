import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { App } from './support/app';
import { attach, named } from './support/attach';
import type { Home } from './support/home';
import { conversation } from './support/log';
import { look, SIZES } from './support/look';
import { PNG } from './support/pictures';
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
async function offered(app: App, screen: string): Promise<void> {
  const undo = app.toast.getByRole('button', { name: 'Undo' });
  await undo.focus();
  for (const size of SIZES) {
    await app.page.setViewportSize(size);
    await look(app.page, screen);
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

test.describe('with a model', () => {
  test.use({ withModel: true });

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
