import { expect, type Page } from '@playwright/test';

/** What has the focus after so many frames, in a few words; empty if nothing has, or nothing that can be seen. */
export function focused(page: Page, frames = 0): Promise<string> {
  return page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame++) await new Promise(requestAnimationFrame);
    const element = document.activeElement;
    if (!element || element === document.body) return '';
    const box = element.getBoundingClientRect();
    const inWindow = box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
    if (!inWindow || !element.checkVisibility({ visibilityProperty: true })) return '';
    return [element.tagName.toLowerCase(), element.getAttribute('data-testid') ?? '', element.textContent?.slice(0, 40)]
      .filter(Boolean)
      .join(' ');
  }, frames);
}

/** Presses keys one after the other, and after each the focus is somewhere that can be seen. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await expect.poll(() => focused(page), { message: `after ${key}` }).not.toBe('');
  }
}

/** Where the focus is stays visible for as long as it takes for everything that may take it away to be done. */
export async function kept(page: Page, after: string): Promise<void> {
  if (await focused(page, 6)) return;
  // What a key does may be done only now: then the focus is back within two frames, however long they take.
  await expect.poll(() => focused(page), { message: after, timeout: 2000 }).not.toBe('');
}
