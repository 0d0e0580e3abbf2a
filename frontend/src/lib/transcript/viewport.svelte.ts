import { tick } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';
import { Anchor, type Held, type Scroller } from './anchor';
import type { Standing } from './excerpt';
import { Hand } from './hand';

/** The view on a log: which part of it is shown, what holds it there, and what moves it. */
export class Viewport {
  scroller = $state<HTMLElement>();
  virtual = $state<VirtualizerHandle>();

  readonly anchor: Anchor;
  readonly hand: Hand;
  /** Where the view was taken along with what grows at its end; the list need not hear of that. */
  private followedTo = -1;

  constructor(
    /** How many rows there are. */
    private readonly count: () => number,
  ) {
    this.anchor = new Anchor(() => this.scrolls, count);
    this.hand = new Hand(
      this.anchor,
      () => this.scroller,
      () => (this.followedTo = -1),
    );
  }

  /**
   * The list, and how large the view is by now: the list is told of that only behind the scrolling that it causes, which would look
   * like somebody's own. Nor does the list scroll: it would go on with that as long as rows are measured, whatever the reader does.
   */
  private get scrolls(): Scroller | undefined {
    const { virtual, scroller } = this;
    return (
      virtual &&
      scroller && {
        scrollTo: (offset) => {
          // Where the list moved it, too: it waits to hear of that, and until then shows no other rows.
          this.moved(scroller);
          this.tell(scroller);
          scroller.scrollTop = offset;
          this.moved(scroller);
          this.tell(scroller);
        },
        scrollToEnd: () => {
          const quiet = scroller.scrollTop === this.followedTo && this.element(this.count() - 1) !== null;
          scroller.scrollTop = scroller.scrollHeight;
          this.moved(scroller);
          if (quiet) this.followedTo = scroller.scrollTop;
          else this.tell(scroller);
        },
        getItemOffset: virtual.getItemOffset,
        getItemSize: virtual.getItemSize,
        getScrollOffset: () => scroller.scrollTop,
        getScrollSize: virtual.getScrollSize,
        getViewportSize: () => scroller.clientHeight,
      }
    );
  }

  /** How far down the view is: of what grows at the end the list is not told. */
  get offset(): number {
    return this.scroller?.scrollTop ?? 0;
  }

  /** The position at the top of the view; null where the reader is at the end. */
  get top(): number | null {
    const { virtual } = this;
    return this.anchor.atEnd || !virtual ? null : virtual.findItemIndex(this.offset);
  }

  /** How far below the top of a row the view begins. */
  within(position: number): number {
    const { virtual } = this;
    return virtual ? this.offset - virtual.getItemOffset(position) : 0;
  }

  get standing(): Standing | null {
    const { top } = this;
    return top === null ? null : { position: top, offset: this.within(top) };
  }

  element(position: number): HTMLElement | null {
    return this.scroller?.querySelector<HTMLElement>(`[data-position="${position}"]`) ?? null;
  }

  private moved(scroller: HTMLElement): void {
    this.anchor.moved(scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight);
  }

  /** The list is told where the view is: at once, or a frame without rows would be drawn, and if it was not told before. */
  private tell(scroller: HTMLElement): void {
    this.followedTo = -1;
    if (this.virtual?.getScrollOffset() !== scroller.scrollTop) scroller.dispatchEvent(new Event('scroll'));
  }

  /** From here on the view is held there; heights may still change. */
  async hold(there: Held | 'end'): Promise<void> {
    this.anchor.hold(there);
    await this.settle();
  }

  /** Back to where the view is held. What the list knows by now is in the page in a moment. */
  async settle(): Promise<void> {
    await tick();
    this.anchor.settle();
  }

  /** Has the view held where all of a row is in it, unless it is. */
  bringIntoView(position: number): void {
    const { scrolls } = this;
    if (!scrolls) return;
    const top = scrolls.getItemOffset(position);
    const offset = scrolls.getScrollOffset();
    if (top < offset) this.anchor.hold({ position, align: 'start' });
    else if (top + scrolls.getItemSize(position) > offset + scrolls.getViewportSize()) {
      this.anchor.hold(position === this.count() - 1 ? 'end' : { position, align: 'end' });
    }
  }

  /** Moves the view, which is held nowhere from then on. */
  scrollBy(by: number): void {
    const { scroller } = this;
    if (!scroller) return;
    if (by < 0) this.anchor.up();
    else this.anchor.release();
    scroller.scrollTop += by;
  }

  /**
   * The answer grew. The list has all rows that are in view, so the view goes along without it: for the list to
   * scroll is to work out anew which rows there are, and to tell them that it scrolls and that it does not any more.
   */
  grew = (): void => {
    const { scroller } = this;
    if (!scroller || !this.anchor.follows || !this.element(this.count() - 1)) return;
    scroller.scrollTop = scroller.scrollHeight;
    this.followedTo = scroller.scrollTop;
    this.moved(scroller);
  };

  /** On its way to the list: what `grew` did ends here. */
  scrolling = (event: Event): void => {
    if (event.target === this.scroller && this.scroller?.scrollTop === this.followedTo) event.stopPropagation();
  };

  /** What is above the end of something changed its height by so much: what is in view stays there. */
  shift(element: Element, by: number): void {
    const { scroller } = this;
    if (!scroller || by === 0) return;
    // The list itself sees to what ends above the view.
    if (element.getBoundingClientRect().bottom - by <= scroller.getBoundingClientRect().top) return;
    scroller.scrollTop += by;
    this.moved(scroller);
  }
}
