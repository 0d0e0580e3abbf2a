import type { Page } from '@playwright/test';

/** How a time went by in which the view moved. */
export interface Pace {
  /** Milliseconds within which 95 of 100 frames came. */
  p95: number;
  /** Frames that took longer than 50 ms. */
  late: number;
}

/** What stood in view meanwhile: frames with a stretch where nothing does at all, and with rows that are not loaded yet. */
export interface Stood {
  bare: number;
  loading: number;
}

type Watched = Window & { watched?: () => unknown };

/** Times every frame of the page while something happens. */
export function timing(page: Page, action: () => Promise<void>): Promise<Pace> {
  return watch<Pace>(page, action, () => {
    const times: number[] = [];
    let going = true;
    const note = (time: number) => {
      times.push(time);
      if (going) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    (window as Watched).watched = () => {
      going = false;
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time));
      gaps.sort((a, b) => a - b);
      const p95 = gaps[Math.floor(gaps.length * 0.95)] ?? 0;
      return { p95, late: gaps.filter((gap) => gap > 50).length };
    };
  });
}

/** Looks at every frame of the log while something happens. That takes time of its own: frames are timed without it. */
export function looking(page: Page, action: () => Promise<void>): Promise<Stood> {
  return watch<Stood>(page, action, () => {
    const log = document.querySelector('[role="feed"]') ?? document.body;
    let bare = 0;
    let loading = 0;
    let going = true;
    const look = () => {
      const view = log.getBoundingClientRect();
      let isBare = false;
      let isLoading = false;
      for (let y = view.top + 8; y < view.bottom - 8; y += view.height / 8) {
        const hit = document.elementFromPoint(view.left + view.width / 3, y);
        if (hit === log || hit?.firstElementChild?.role === 'feed') isBare = true;
        if (hit?.closest('[data-testid="skeleton-row"]')) isLoading = true;
      }
      if (isBare) bare++;
      if (isLoading) loading++;
      if (going) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    (window as Watched).watched = () => {
      going = false;
      return { bare, loading };
    };
  });
}

async function watch<T>(page: Page, action: () => Promise<void>, begin: () => void): Promise<T> {
  await page.evaluate(begin);
  await action();
  return page.evaluate(() => (window as Watched).watched?.()) as Promise<T>;
}

/** Milliseconds from the start of a navigation until a message is painted. */
export async function painted(page: Page, url: string, seq: number): Promise<number> {
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const box = document.querySelector(`article[data-seq="${wanted}"]`)?.getBoundingClientRect();
          // Once what this frame shows has been drawn.
          if (box && box.height > 0 && box.top < innerHeight && box.bottom > 0) {
            setTimeout(() => {
              resolve(performance.now());
            });
          } else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    seq,
  );
}
