import type { Jump } from './transcript.svelte';

export interface Scroller {
  scrollToIndex(index: number, options: { align: 'start' | 'center' | 'end'; offset?: number }): void;
  getScrollOffset(): number;
  getScrollSize(): number;
  getViewportSize(): number;
}

// Nearer than this the reader is at the end.
const NEAR = 32;
// What a scroller rounds is no scrolling.
const SLACK = 1;
// Scrolling within this time of a wheel, a key or a finger is the reader's own.
const OWN_MS = 400;
// Between a touch and the scrolling it causes nothing else may move the view.
const TOUCH_MS = 120;

/**
 * Where the view is held while heights settle: rows are measured only once they are shown, and each measurement
 * would move what is read. Only what the reader does lets go of it; being at the end takes hold again.
 */
export class Anchor {
  private held: Pick<Jump, 'position' | 'align' | 'offset'> | 'end' | null = 'end';
  private touched = -Infinity;
  private offset = 0;
  private room = 0;
  /** The reader went up from the end, however little: only going down takes hold of it again. */
  private left = false;

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

  jump({ position, align, offset = 0 }: Jump): void {
    this.left = false;
    this.held = align === 'end' ? 'end' : { position, align, offset };
    this.settle();
  }

  /** The reader took hold of the wheel, a key, a finger or the bar. */
  touch(): void {
    this.touched = this.now();
  }

  scrolled(): void {
    const scroller = this.scroller();
    const own = this.now() - this.touched <= OWN_MS;
    if (scroller && this.wentUp(scroller, own)) {
      // Whatever it was done with: wheel, keys, bar, finger, or a selection that is dragged on.
      this.left = true;
      if (this.held === 'end') this.held = null;
    }
    // The bar can be dragged on and on without a word of it; whoever is not held anywhere may arrive at the end.
    if (!scroller || (!own && this.held !== null)) return;
    this.held = nearEnd(scroller) && !this.left ? 'end' : null;
  }

  /**
   * Whether somebody moved the view up. It goes up by itself where what is above it turns out shorter, or the view
   * grows; then there is less to scroll through than before.
   */
  private wentUp(scroller: Scroller, own: boolean): boolean {
    const offset = scroller.getScrollOffset();
    const room = scroller.getScrollSize() - scroller.getViewportSize();
    const up = this.offset - offset;
    const change = room - this.room;
    if (up < 0) this.left = false;
    this.offset = offset;
    this.room = room;
    return up > Math.max(0, -change) + SLACK && (own || Math.abs(change) <= SLACK);
  }

  /** The view went along with the end, which the scroller was not told of. */
  followed(offset: number, room: number): void {
    this.offset = offset;
    this.room = room;
  }

  /** The reader opened or closed something: what was pressed must stay where it is. */
  release(): void {
    this.held = null;
  }

  /** Heights changed, or rows were added: back to where the view is held. */
  settle(): void {
    const total = this.total();
    const scroller = this.scroller();
    if (this.held === null && !this.left && scroller && nearEnd(scroller)) this.held = 'end';
    if (this.held === null || total === 0) return;
    const end = { position: total - 1, align: 'end' as const, offset: 0 };
    const { position, align, offset } = this.held === 'end' ? end : this.held;
    scroller?.scrollToIndex(Math.min(position, total - 1), offset ? { align, offset } : { align });
  }
}

function nearEnd(scroller: Scroller): boolean {
  return scroller.getScrollSize() - scroller.getScrollOffset() - scroller.getViewportSize() <= NEAR;
}
