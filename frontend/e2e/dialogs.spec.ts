import type { Page } from '@playwright/test';
import { compacted } from './support/log';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

/** What of the controls in a dialog can't be brought into the window, or sticks out of it sideways. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wrong: string[] = [];
    for (const one of document.querySelectorAll<HTMLElement>('dialog :is(button, a[href], input, select, textarea)')) {
      if (one.closest('[inert], .unseen, [hidden]') || !one.checkVisibility() || one.matches('.unseen')) continue;
      one.scrollIntoView({ block: 'nearest' });
      const box = one.getBoundingClientRect();
      const inside = box.left >= -1 && box.right <= innerWidth + 1 && box.top >= -1 && box.bottom <= innerHeight + 1;
      if (!inside) wrong.push(`${one.outerHTML.slice(0, 120)} at ${JSON.stringify(box)}`);
    }
    return wrong;
  });
}

test.describe('at 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test('every dialog fits, keeps the focus while it is open, and gives it back', async ({ app, home }) => {
    test.slow();
    const { page } = app;
    await app.visit();
    await app.go(home.session(compacted(), { name: 'fix the harbour lights', cwd: '/srv/harbour' }));
    const row = app.message(12);
    for (const [key, name] of [
      ['?', 'Keyboard'],
      ['Control+k', 'Find a session or command'],
      ['Control+g', 'Go to record'],
      ['Control+,', 'Settings'],
      ['Shift+G', 'Kept copies and cleaning up'],
      ['Shift+P', 'Rules for tools'],
      ['Shift+U', 'Undo files'],
    ] as const) {
      await row.focus();
      await page.keyboard.press(key);
      const dialog = page.locator('dialog');
      await expect(dialog, name).toBeVisible();
      await expect(dialog).toHaveAccessibleName(/./);
      const box = await dialog.boundingBox();
      const fits = box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 720 && box.y + box.height <= 450;
      expect(fits, `${name} is within the window`).toBe(true);
      expect(await outside(page), name).toEqual([]);
      for (const [tab, times] of [
        ['Tab', 40],
        ['Shift+Tab', 5],
      ] as const) {
        for (let n = 0; n < times; n++) {
          await page.keyboard.press(tab);
          const inside = await page.evaluate(() => Boolean(document.activeElement?.closest('dialog')));
          expect(inside, `${tab} in ${name}`).toBe(true);
        }
      }
      await page.keyboard.press('Escape');
      await expect(dialog, name).toHaveCount(0);
      await expect(row, `after ${name}`).toBeFocused();
    }
  });
});

shared('what is opened while another one is on its way out stays open', async ({ app }) => {
  const { page } = app;
  await app.start();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  // Its event comes later, as with Escape.
  await page.evaluate(() => {
    document.querySelector('dialog')?.close();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }));
  });
  const field = page.getByTestId('palette-field');
  await expect(field).toBeVisible();
  await field.fill('still there');
  await expect(field).toHaveValue('still there');
});

shared('a key right after a dialog has closed is for the window', async ({ app }) => {
  const { page } = app;
  await app.start();
  await page.keyboard.press('Control+,');
  await page.getByTestId('add-provider').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  // The focus is still in it: it leaves with the next frame.
  await page.evaluate(() => {
    document.querySelector('dialog')?.close();
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true }));
  });
  await expect(page.getByTestId('new-conversation')).toBeVisible();
});
