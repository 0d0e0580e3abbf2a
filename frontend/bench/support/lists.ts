import type { Page, Route } from '@playwright/test';

type Noted = Window & { whole?: number; longest?: number };

export const THERE = 'the first row can be pressed';

/** Notes, in every page that is opened from now on, when its first row can be pressed, and when all rows are there. */
export async function noteList(page: Page): Promise<void> {
  await page.addInitScript((mark) => {
    const all = () => {
      if (document.querySelector('[placeholder^="Filter "][placeholder*=","]'))
        (window as Noted).whole = performance.now();
      else requestAnimationFrame(all);
    };
    requestAnimationFrame(all);
    const look = () => {
      const row = document.querySelector('[data-testid="session-row"] a');
      const { left = 0, top = 0, height = 0 } = row?.getBoundingClientRect() ?? {};
      if (row?.contains(document.elementFromPoint(left + 5, top + height / 2)))
        // eslint-disable-next-line no-console -- how a page can say something that nobody asks it for
        console.info(mark, performance.mark(mark).startTime);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, THERE);
}

export const ASKED = 'the list is asked for';

/** Sets a mark, in every page that is opened from now on, when it asks for the list, or for how it began the last time. */
export async function markAsked(page: Page): Promise<void> {
  await page.addInitScript((mark) => {
    const { fetch } = window;
    window.fetch = (asked, init) => {
      if (
        typeof asked === 'string' &&
        /^\/api\/sessions\?(archived|last)/.test(asked) &&
        !performance.getEntriesByName(mark).length
      )
        performance.mark(mark);
      return fetch(asked, init);
    };
  }, ASKED);
}

/**
 * Milliseconds from the beginning of the way to a page to the first row that could be pressed. The page says so
 * itself: to be asked, it would read a script of Playwright's meanwhile.
 */
export async function toFirstRow(page: Page, url: string): Promise<number> {
  const said = page.waitForEvent('console', (message) => message.text().startsWith(THERE));
  await page.goto(url);
  return Number((await said).text().slice(THERE.length));
}

/** The same to when all rows were there, of thousands. */
export async function wholeList(page: Page): Promise<number> {
  await page.waitForFunction(() => (window as Noted).whole !== undefined);
  return page.evaluate(() => (window as Noted).whole ?? NaN);
}

/** Keeps the list from the page until it is released. */
export async function holdList(page: Page): Promise<{ asked: Promise<void>; release: () => Promise<void> }> {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const held: Route[] = [];
  const hold = (route: Route) => {
    held.push(route);
    ask();
  };
  await page.route('**/api/sessions?archived*', hold, { times: 1 });
  return {
    asked,
    release: async () => {
      for (const route of held) await route.continue();
    },
  };
}

/** In the page: notes tasks of more than 50 ms from now on. */
export function noteTasks(): void {
  const noted = window as Noted;
  noted.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.longest = Math.max(noted.longest ?? 0, duration);
  }).observe({ type: 'longtask' });
}

/** In the page: the longest of them, 0 if there was none. */
export const longestTask = (): number => (window as Noted).longest ?? NaN;
