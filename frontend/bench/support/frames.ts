import type { Page } from '@playwright/test';

/** What was seen of a time in which the view moved. */
export interface Seen {
  longest: number;
  p95: number;
  /** Frames that took longer than 50 ms, and tasks. */
  late: number;
  tasks: number[];
  /** Frames with a stretch in view where nothing stands at all, and with rows that are not loaded yet. */
  bare: number;
  loading: number;
}

type Watched = Window & { watched?: () => Seen };

/** Looks at every frame of the log while something happens. */
export async function watching(page: Page, action: () => Promise<void>): Promise<Seen> {
  await page.evaluate(() => {
    const log = document.querySelector('[role="feed"]') ?? document.body;
    const times: number[] = [];
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration);
    });
    observer.observe({ type: 'longtask' });
    let bare = 0;
    let loading = 0;
    let going = true;
    const look = (time: number) => {
      if (!going) return;
      times.push(time);
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
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    (window as Watched).watched = () => {
      going = false;
      observer.disconnect();
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? time));
      gaps.sort((a, b) => a - b);
      const p95 = gaps[Math.floor(gaps.length * 0.95)] ?? 0;
      return { longest: gaps.at(-1) ?? 0, p95, late: gaps.filter((gap) => gap > 50).length, tasks, bare, loading };
    };
  });
  await action();
  return page.evaluate(() => (window as Watched).watched?.()) as Promise<Seen>;
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
