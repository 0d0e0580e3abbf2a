import { flushSync } from 'svelte';

// Of the time that goes by, showing what came takes at most one part in so many.
const SHARE = 40;
// More often than this nobody sees, more seldom it would stand still. What fills more than a view in the time of a leap
// nobody reads as it comes: it goes past in leaps.
const LEAST_MS = 33;
const MOST_MS = 800;
const SWIFT_MS = 1600;
// More characters than a view has room for; and so few that they say nothing of how swiftly more will come.
const VIEW = 4000;
const BURST = 1000;

/**
 * Shows what has gathered at once, and then as often as the machine can afford: what counts is not only the script
 * but also the layout and the painting after it.
 */
export class Frames {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private notBefore = 0;
  private before = -Infinity;
  private painting = 0;

  /** `flush` shows what there is, and says how many characters that were. */
  constructor(private readonly flush: () => number) {}

  ask(): void {
    // Not from within a frame: a view that follows the text would scroll after that frame, and need another one.
    this.timer ??= setTimeout(this.show, Math.max(0, this.notBefore - performance.now()));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private readonly show = (): void => {
    this.timer = undefined;
    const began = performance.now();
    const shown = flushSync(this.flush);
    const took = performance.now() - began + this.painting;
    const swift = shown > VIEW || (shown > BURST && shown / (began - this.before) > VIEW / SWIFT_MS);
    this.before = began;
    this.notBefore = began + (swift ? SWIFT_MS : Math.min(Math.max(took * SHARE, LEAST_MS), MOST_MS));
    requestAnimationFrame(this.paint);
  };

  private readonly paint = (): void => {
    const began = performance.now();
    // The first task after a frame.
    setTimeout(() => (this.painting = performance.now() - began));
  };
}
