import type { Page } from '@playwright/test';
import { compacted } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/test';

/** What is read behind the first look can't be had, its script or its styles, until it is said. */
async function withhold(page: Page, kind: 'js' | 'css'): Promise<() => Promise<void>> {
  const pattern = new RegExp(`/assets/parts-[^/]*\\.${kind}$`);
  await page.route(pattern, (route) => route.abort());
  return () => page.unroute(pattern);
}

const FAILED = 'This part of the window could not be read';

test(
  'a page that can’t be read says so in its place, and is there once it can',
  { tag: '@look' },
  async ({ app, home }) => {
    const { page } = app;
    home.session(compacted(), { name: 'fix the harbour lights' });
    const give = await withhold(page, 'js');
    await app.start();
    await page.keyboard.press('i');
    const note = page.locator('main').getByRole('alert');
    await expect(note).toContainText(FAILED);
    await looks(page, 'part-unread');
    // It is tried again, and again it can't be read.
    const tried = page.waitForEvent('load');
    await note.getByRole('button', { name: 'Try again' }).press('Enter');
    await tried;
    await expect(note).toContainText(FAILED);
    await give();
    await note.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(page.getByTestId('statistics')).toContainText('A year of days');
  },
);

test('a dialog that can’t be read says so, and can be left', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  // None is shown without them, whichever was asked for first.
  const give = await withhold(page, 'css');
  await app.open(home.session(compacted(), { name: 'fix the harbour lights', cwd: home.dir }));
  const row = app.message(12);
  const dialog = page.getByRole('dialog', { name: FAILED });
  for (const key of ['?', 'Shift+P', 'Shift+U', 'Control+,', 'Shift+G', 'c']) {
    await row.focus();
    await page.keyboard.press(key);
    await expect(dialog, key).toBeVisible();
    if (key === '?') await looks(page, 'part-unread-dialog');
    await page.keyboard.press('Escape');
    await expect(dialog, key).toHaveCount(0);
    await expect(row, key).toBeFocused();
  }
  await page.keyboard.press('?');
  await expect(dialog).toBeVisible();
  await give();
  const loaded = page.waitForEvent('load');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await loaded;
  await app.settled();
  await page.keyboard.press('?');
  await expect(page.getByTestId('keys-dialog')).toBeVisible();
});

test('while the program does not answer, trying again keeps the window', async ({ app, home, program }) => {
  const { page } = app;
  await withhold(page, 'js');
  await app.open(home.session(compacted(), { name: 'fix the harbour lights' }));
  await page.keyboard.press('i');
  const note = page.locator('main').getByTestId('error');
  await expect(note).toContainText('its version');
  expect(await program.stop()).toBe(0);
  await note.getByRole('button', { name: 'Try again' }).click();
  await expect(note).toContainText('Palimpsest does not answer.');
  await expect(app.library).toContainText('fix the harbour lights');
});
