import { colourFound, uncoloured } from './colours';
import { AROUND } from './near';

// An answer goes past in leaps, each as long as `Frames` waits at most: what stands longer is there to be read.
const SETTLED_MS = 1800;

/**
 * Colours code in text that grows once it stays where it is. Coloured code is many times the elements of plain code,
 * and an answer that comes in faster than anybody reads would have all of them laid out for a moment.
 */
export class GrowingColours {
  /** What has no colours yet, and when it came. */
  private readonly waiting = new Map<HTMLElement, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly root: Element) {}

  /** Takes in what is new; `open` as long as more is to come. */
  look(open: boolean): void {
    for (const element of uncoloured(this.root)) this.waiting.set(element, performance.now());
    if (open) {
      if (this.waiting.size > 0) this.timer ??= setTimeout(this.check, SETTLED_MS);
      return;
    }
    clearTimeout(this.timer);
    for (const element of this.waiting.keys()) colourFound(element, false);
    this.waiting.clear();
  }

  private readonly check = (): void => {
    this.timer = undefined;
    if (!this.root.isConnected) return;
    const before = performance.now() - SETTLED_MS;
    let next = SETTLED_MS;
    for (const [element, since] of this.waiting) {
      if (since > before) next = Math.min(next, since - before);
      else if (isNear(element)) {
        this.waiting.delete(element);
        colourFound(element, true);
      }
    }
    if (this.waiting.size > 0) this.timer = setTimeout(this.check, next);
  };
}

function isNear(element: Element): boolean {
  // Where that is not laid out, to ask where it is would have it laid out.
  if (element.closest('.passed')) return false;
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > -AROUND && top < innerHeight + AROUND;
}
