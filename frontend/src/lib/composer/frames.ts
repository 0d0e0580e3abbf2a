import { flushSync } from 'svelte';

// Of the time that goes by, showing what came takes at most one part in so many.
const SHARE = 40;
// More often than this nobody sees. More seldom it would stand still: only what brings more than a view of text at once
// takes so long, and that nobody reads as it comes.
const LEAST_MS = 33;
const MOST_MS = 800;

/**
 * Shows what has gathered at once, and then as often as the machine can afford: what counts is not only the script
 * but also the layout and the painting after it.
 */
export class Frames {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private notBefore = 0;
  private painting = 0;

  /** `flush` shows what there is. */
  constructor(private readonly flush: () => void) {}

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
    flushSync(this.flush);
    const took = performance.now() - began + this.painting;
    this.notBefore = began + Math.min(Math.max(took * SHARE, LEAST_MS), MOST_MS);
    requestAnimationFrame(this.paint);
  };

  private readonly paint = (): void => {
    const began = performance.now();
    // The first task after a frame.
    setTimeout(() => (this.painting = performance.now() - began));
  };
}
