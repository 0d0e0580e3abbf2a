import type { Jump } from './shown.svelte';

/** The list of rows, and where in it the view is. */
export interface Scroller {
  scrollTo(offset: number): void;
  scrollToEnd(): void;
  getItemOffset(index: number): number;
  getItemSize(index: number): number;
  getScrollOffset(): number;
  getScrollSize(): number;
  getViewportSize(): number;
}

/** A row at the top of the view, in the middle of it, or at its foot; or further down than that by `offset`. */
export type Held = Pick<Jump, 'position' | 'align' | 'offset'>;

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
  /** The bar is being dragged: nothing else moves the view until it is let go. */
  gripped = false;
  private held: Held | 'end' | null = 'end';
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
    return this.atEnd && !this.gripped && this.now() - this.touched > TOUCH_MS;
  }

  /** From here on the view is held there. */
  hold(there: Held | 'end'): void {
    this.left = false;
    this.held = there;
  }

  /** The reader took hold of the wheel, a key, a finger or the bar. */
  touch(): void {
    this.touched = this.now();
  }

  /** The reader goes up, of which nothing shows yet. */
  up(): void {
    this.held = null;
    this.left = true;
  }

  /** The reader goes down; at the end that moves nothing. */
  down(): void {
    const scroller = this.scroller();
    if (!scroller || this.held === 'end') return;
    this.held = nearEnd(scroller) ? 'end' : null;
    if (this.held) this.left = false;
  }

  scrolled(): void {
    const scroller = this.scroller();
    // It is where it was put.
    if (!scroller || scroller.getScrollOffset() === this.offset) return;
    const own = this.gripped || this.now() - this.touched <= OWN_MS;
    if (this.wentUp(scroller, own)) {
      // Whatever it was done with: wheel, keys, bar, finger, or a selection that is dragged on.
      this.left = true;
      if (this.held === 'end') this.held = null;
    }
    // The bar can be dragged on and on without a word of it; whoever is not held anywhere may arrive at the end.
    if (!own && this.held !== null) return;
    this.held = nearEnd(scroller) && !this.left ? 'end' : null;
  }

  /**
   * Whether somebody moved the view up. It goes up by itself where what is above it turns out shorter, or the view
   * grows; then there is less to scroll through than before.
   */
  private wentUp(scroller: Scroller, own: boolean): boolean {
    const offset = scroller.getScrollOffset();
    const room = roomOf(scroller);
    const up = this.offset - offset;
    const change = room - this.room;
    if (up < 0) this.left = false;
    this.offset = offset;
    this.room = room;
    return up > Math.max(0, -change) + SLACK && (own || Math.abs(change) <= SLACK);
  }

  /** The view was moved, and not by the reader. */
  moved(offset: number, room: number): void {
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
    if (!scroller || total === 0 || this.gripped) return;
    if (this.held === null && !this.left && nearEnd(scroller)) this.held = 'end';
    if (this.held === 'end') scroller.scrollToEnd();
    else if (this.held) scroller.scrollTo(placeOf(scroller, this.held, total));
  }
}

const roomOf = (scroller: Scroller) => scroller.getScrollSize() - scroller.getViewportSize();

function nearEnd(scroller: Scroller): boolean {
  return roomOf(scroller) - scroller.getScrollOffset() <= NEAR;
}

/** How far down the view is where it is held. */
function placeOf(scroller: Scroller, { position, align, offset = 0 }: Held, total: number): number {
  const row = Math.min(position, total - 1);
  const rest = scroller.getItemSize(row) - scroller.getViewportSize();
  // Where not all of it has room, it begins with what it is.
  const part = align === 'end' ? 1 : align === 'center' && rest < 0 ? 0.5 : 0;
  return scroller.getItemOffset(row) + rest * part + offset;
}
