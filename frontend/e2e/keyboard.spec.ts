import type { Locator, Page } from '@playwright/test';
import { compacted, conversation } from './support/log';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

/** What has the focus, in a word; `nothing` if it is lost. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'nothing';
    return element.getAttribute('data-testid') ?? element.getAttribute('data-key') ?? element.tagName.toLowerCase();
  });
}

test('without a mouse: find, open, read, fold, undo', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour' });
  home.session(conversation(4, '2026-11-20T11:00:00Z'), { name: 'another' });
  const log = home.log(id);
  await app.start();

  await page.keyboard.press('/');
  await expect(app.filter).toBeFocused();
  await page.keyboard.type('harb');
  await page.keyboard.press('ArrowDown');
  await expect(app.link(id)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('title')).toHaveText('harbour');
  await app.settled();

  await page.keyboard.press('k');
  await expect(app.message(13)).toBeFocused();
  for (const seq of [12, 11, 10]) {
    await page.keyboard.press('k');
    await expect(app.message(seq)).toBeFocused();
  }
  await page.keyboard.press('ArrowUp');
  await expect(app.band(9)).toBeFocused();
  await page.keyboard.press('j');
  await expect(app.message(10)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(app.message(1)).toBeFocused();
  await expect(app.message(1).locator('.user'), 'the ring goes around what was said').toHaveCSS(
    'outline-style',
    'solid',
  );
  await expect(app.message(1).locator('.content')).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('End');
  await expect(app.message(13)).toBeFocused();

  await page.keyboard.press('m');
  await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'model');
  await expect(app.message(1)).toHaveCount(0);
  await page.keyboard.press('m');
  await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'all');
  await app.settled();

  await page.keyboard.press('u');
  await expect(app.toast).toContainText('Undo the last compaction?');
  expect(home.log(id), 'the key only asks').toEqual(log);
  const undo = app.toast.getByRole('button', { name: 'Undo' });
  for (let n = 0; n < 80 && !(await undo.evaluate((button) => button === document.activeElement)); n++) {
    await page.keyboard.press('Tab');
  }
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(app.band(9)).toHaveAttribute('data-state', 'reverted');
  expect(home.log(id).length).toBeGreaterThan(log.length);
});

shared('the list of keys opens with ? and gives the focus back', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(6), { name: 'one' });
  await app.open(id);
  await app.link(id).focus();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard' });
  await expect(dialog).toContainText('Only what the model sees');
  await page.keyboard.press('j');
  await expect(dialog, 'keys of the page do nothing behind it').toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(app.link(id)).toBeFocused();
});

test('menus open and close with keys and give the focus back', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(2), { name: 'one' });
  const other = home.session(conversation(2, '2026-11-19T09:00:00Z'), { name: 'two' });
  await app.start();
  await app.link(id).focus();
  await page.keyboard.press('ArrowDown');
  await expect(app.link(other)).toBeFocused();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Archive' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(app.link(other)).toBeFocused();

  await page.keyboard.press('Shift+F10');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rename')).toBeFocused();
  await page.keyboard.type('renamed with keys');
  await page.keyboard.press('Enter');
  await expect(app.link(other)).toBeFocused();
  await expect(app.session(other)).toContainText('renamed with keys');
});

test('Tab goes through everything and is never lost', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour' });
  await app.open(id);
  await page.keyboard.press('Tab');
  const names = new Set<string>();
  for (let n = 0; n < 60; n++) {
    names.add(await focused(page));
    const visible = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return true;
      const style = getComputedStyle(element);
      return style.visibility !== 'hidden' && element.getClientRects().length > 0;
    });
    expect(visible, 'what has the focus is there to be seen').toBe(true);
    await page.keyboard.press('Tab');
  }
  for (const name of ['toggle-library', 'theme', 'keys', 'toggle-context', 'filter', 'shelf-trash', id]) {
    expect([...names]).toContain(name);
  }
  for (const name of ['view-model', 'summary-toggle', 'undo-compaction', 'compaction', 'counting']) {
    expect([...names]).toContain(name);
  }

  // The first stop leads past the library.
  await page.reload();
  await app.settled();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the conversation' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  // Which one depends on where the way through everything had left the log.
  await expect(app.log.locator('[data-testid="message"]:focus')).toHaveCount(1);
});

test('a key that is held down does what it does once', async ({ app, home }) => {
  const { page } = app;
  for (const day of ['19', '18', '17']) {
    home.session(conversation(4, `2026-11-${day}T09:00:00Z`), { name: `day ${day}` });
  }
  await app.start();
  await page.keyboard.press('l');
  await page.keyboard.press('Home');
  await expect(app.link(home.ids()[0] ?? '')).toBeFocused();
  for (let held = 0; held < 4; held++) await page.keyboard.down('e');
  await page.keyboard.up('e');
  await expect(app.library.getByText('day 19')).toHaveCount(0);
  await expect(app.toast).toContainText('archived');
  await expect(app.library.getByText('day 18')).toBeVisible();
  await expect(app.library.getByText('day 17')).toBeVisible();
  // Where it moves one along it goes on.
  await app.link(home.ids()[2] ?? '').click();
  await app.settled();
  for (let held = 0; held < 3; held++) await page.keyboard.down('k');
  await expect(app.message(2)).toBeFocused();
});

shared('while a word is put together, keys are for that word', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(6), { name: 'harbour' });
  await app.open(id);
  const composes = (field: Locator, key: string) =>
    field.evaluate((one, key) => {
      one.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }));
    }, key);
  await app.filter.fill('har');
  await composes(app.filter, 'Enter');
  await composes(app.filter, 'Escape');
  await expect(app.filter).toHaveValue('har');
  await app.filter.press('Escape');
  await app.message(6).focus();
  await page.keyboard.press('p');
  const prompts = page.getByTestId('prompts-filter');
  await prompts.fill('Question');
  for (const key of ['Escape', 'Enter']) await composes(prompts, key);
  await expect(prompts).toHaveValue('Question');
  await prompts.press('Escape');
  await app.menu(id, 'Rename');
  await composes(page.getByTestId('rename'), 'Escape');
  await expect(page.getByTestId('rename')).toBeFocused();
});
