import { flushSync } from 'svelte';

// Of the time that goes by, showing what came takes at most one part in so many.
const SHARE = 8;
// What waits longer is more to show at once.
const MOST_MS = 200;

/** Shows what has gathered once per frame, and less often where showing it takes long. */
export class Frames {
  private asked = 0;
  private notBefore = 0;

  /** `flush` shows what there is. */
  constructor(private readonly flush: () => void) {}

  ask(): void {
    this.asked ||= requestAnimationFrame(this.frame);
  }

  stop(): void {
    cancelAnimationFrame(this.asked);
    this.asked = 0;
  }

  private readonly frame = (): void => {
    this.asked = 0;
    const began = performance.now();
    if (began < this.notBefore) {
      this.ask();
      return;
    }
    flushSync(this.flush);
    const took = performance.now() - began;
    // What fits well into a frame may come with each of them.
    this.notBefore = took > 4 ? began + Math.min(took * SHARE, MOST_MS) : 0;
  };
}
