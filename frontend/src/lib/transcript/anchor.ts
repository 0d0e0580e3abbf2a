import type { Jump } from './transcript.svelte';

export interface Scroller {
  scrollToIndex(index: number, options: { align: 'start' | 'center' | 'end' }): void;
  getScrollOffset(): number;
  getScrollSize(): number;
  getViewportSize(): number;
}

// Nearer than this the reader is at the end.
const NEAR = 32;
// Scrolling within this time of a wheel, a key or a finger is the reader's own.
const OWN_MS = 400;
// Between a touch and the scrolling it causes nothing else may move the view.
const TOUCH_MS = 120;

/**
 * Where the view is held while heights settle: rows are measured only once they are shown, and each measurement
 * would move what is read. Only what the reader does lets go of it; being at the end takes hold again.
 */
export class Anchor {
  private held: Pick<Jump, 'position' | 'align'> | 'end' | null = 'end';
  private touched = -Infinity;

  constructor(
    private readonly scroller: () => Scroller | undefined,
    private readonly total: () => number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get atEnd(): boolean {
    return this.held === 'end';
  }

  /** Whether what grows at the end takes the view along. */
  get follows(): boolean {
    return this.atEnd && this.now() - this.touched > TOUCH_MS;
  }

  jump({ position, align }: Jump): void {
    this.held = align === 'end' ? 'end' : { position, align };
    this.settle();
  }

  /** The reader took hold of the wheel, a key, a finger or the bar. */
  touch(): void {
    this.touched = this.now();
  }

  scrolled(): void {
    const scroller = this.scroller();
    const own = this.now() - this.touched <= OWN_MS;
    // The bar can be dragged on and on without a word of it; whoever is not held anywhere may arrive at the end.
    if (!scroller || (!own && this.held !== null)) return;
    this.held = nearEnd(scroller) ? 'end' : null;
  }

  /** The reader opened or closed something: what was pressed must stay where it is. */
  release(): void {
    this.held = null;
  }

  /** Heights changed, or rows were added: back to where the view is held. */
  settle(): void {
    const total = this.total();
    const scroller = this.scroller();
    if (this.held === null && scroller && nearEnd(scroller)) this.held = 'end';
    if (this.held === null || total === 0) return;
    const { position, align } = this.held === 'end' ? { position: total - 1, align: 'end' as const } : this.held;
    scroller?.scrollToIndex(Math.min(position, total - 1), { align });
  }
}

function nearEnd(scroller: Scroller): boolean {
  return scroller.getScrollSize() - scroller.getScrollOffset() - scroller.getViewportSize() <= NEAR;
}
