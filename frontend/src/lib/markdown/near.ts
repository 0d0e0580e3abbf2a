// What only flies past, as where an answer comes in faster than anybody reads, is left alone.
export const STAYS_MS = 300;
// As far around the view as rows are made.
export const AROUND = 600;

/** Tells of each element once, when it has been near the view for a moment. */
export class Near {
  private readonly timers = new Map<HTMLElement, ReturnType<typeof setTimeout>>();
  private observer: IntersectionObserver | null = null;

  constructor(private readonly onNear: (element: HTMLElement) => void) {}

  observe(element: HTMLElement): void {
    const report = (entries: IntersectionObserverEntry[]) => {
      for (const entry of entries) this.changed(entry.target as HTMLElement, entry.isIntersecting);
    };
    // Where the browser knows that margin.
    const margin: IntersectionObserverInit & { scrollMargin: string } = { scrollMargin: `${AROUND}px` };
    this.observer ??= new IntersectionObserver(report, margin);
    this.observer.observe(element);
  }

  private changed(element: HTMLElement, isNear: boolean): void {
    clearTimeout(this.timers.get(element));
    this.timers.delete(element);
    if (!isNear) return;
    const timer = setTimeout(() => {
      this.timers.delete(element);
      this.observer?.unobserve(element);
      this.onNear(element);
    }, STAYS_MS);
    this.timers.set(element, timer);
  }
}

const callbacks = new WeakMap<HTMLElement, () => void>();
const seen = new Near((element) => callbacks.get(element)?.());

/** Attached to an element, calls back once that has been near the view for a moment. */
export function whenNear(onNear: () => void): (element: HTMLElement) => void {
  return (element) => {
    callbacks.set(element, onNear);
    seen.observe(element);
  };
}
