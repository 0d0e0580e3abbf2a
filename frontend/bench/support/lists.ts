import type { Page } from '@playwright/test';

type Noted = Window & { noted?: number; longest?: number };

/** Notes from now on, in every page that is opened, when its first row can be pressed, and its longest task. */
export async function noteList(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = window as Noted;
    noted.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.longest = Math.max(noted.longest ?? 0, duration);
    }).observe({ type: 'longtask', buffered: true });
    const look = () => {
      const row = document.querySelector('[data-testid="session-row"] a');
      const { left = 0, top = 0, height = 0 } = row?.getBoundingClientRect() ?? {};
      if (row && row.contains(document.elementFromPoint(left + 5, top + height / 2))) noted.noted = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Milliseconds from the beginning of the way to the page to the first row that can be pressed; and of its longest task. */
export async function notedList(page: Page): Promise<{ first: number; longest: number }> {
  await page.waitForFunction(() => (window as Noted).noted !== undefined);
  return page.evaluate(() => {
    const { noted = NaN, longest = NaN } = window as Noted;
    return { first: noted, longest };
  });
}
