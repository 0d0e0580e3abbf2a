import { tick } from 'svelte';
import type { VirtualizerHandle } from 'virtua/svelte';
import { focusShown } from '../../ui/focus';
import type { Point } from '../../ui/place';
import { Anchor, type Scroller } from './anchor';
import { Hand } from './hand';
import { menuByPointer } from './menu';
import type { Move } from './moves';
import type { Fork } from './course';
import type { Pages } from './pages.svelte';
import type { Standing } from './excerpt';
import { indexOf, type RecordRow } from './rows';
import { nextPosition } from './steps';
import type { Jump, Transcript } from './transcript.svelte';

// Nearer to the border than this, something is not well in view.
const EDGE = 48;
// Below the last row is this much room: with less than that out of view, all of the row is in it.
const BELOW = 32;
// Of a message taller than the view, a step shows this much more before it goes on to the next.
const STEP = 0.8;

/** Where the reader is in a log: what is in view, what has the focus, and how keys move it. */
export class Reader {
  scroller = $state<HTMLElement>();
  virtual = $state<VirtualizerHandle>();
  current = $state(-1);
  /** What comes in is followed. */
  atEnd = $state(true);
  /** The end of the last row is in view, whether that is followed or not. */
  endShown = $state(true);
  /** The position shown by a moment of colour after a jump. */
  flashed = $state<number | null>(null);

  /** The row whose menu is open, and where. */
  menu = $state.raw<{ row: RecordRow; at: Element | Point } | null>(null);
  /** How many messages there were when the end was last in view. */
  private seen = $state(0);

  private focusWanted = false;
  private readonly anchor: Anchor;
  readonly hand: Hand;
  /** Where the view was taken along with what grows at its end; the list need not hear of that. */
  private followedTo = -1;

  constructor(
    private readonly transcript: Transcript,
    private readonly pages: Pages,
    /** How many rows stand below those of the log, because it does not hold them yet. */
    private readonly below: () => number = () => 0,
  ) {
    this.anchor = new Anchor(
      () => this.scrolls,
      () => this.count,
    );
    this.hand = new Hand(
      this.anchor,
      () => this.scroller,
      () => (this.followedTo = -1),
    );
    transcript.find.inView = () => this.indexInView;
    transcript.where = () => this.standing;
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
          const quiet = scroller.scrollTop === this.followedTo && this.element(this.count - 1) !== null;
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
  private get offset(): number {
    return this.scroller?.scrollTop ?? 0;
  }

  private moved(scroller: HTMLElement): void {
    this.anchor.moved(scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight);
  }

  /** The list is told where the view is: at once, or a frame without rows would be drawn, and if it was not told before. */
  private tell(scroller: HTMLElement): void {
    this.followedTo = -1;
    if (this.virtual?.getScrollOffset() !== scroller.scrollTop) scroller.dispatchEvent(new Event('scroll'));
  }

  /** How many rows there are, those below the log too. */
  get count(): number {
    return this.pages.total + this.below();
  }

  /** The position at the top of the view; null where the reader is at the end. */
  get top(): number | null {
    const { virtual } = this;
    return this.anchor.atEnd || !virtual ? null : virtual.findItemIndex(this.offset);
  }

  private get standing(): Standing | null {
    const { top, virtual } = this;
    if (top === null || !virtual) return null;
    return { position: top, offset: this.offset - virtual.getItemOffset(top) };
  }

  /** The line at the top of the view, at the end too; in an answer that is being written, the one that it will be. */
  private get indexInView(): number {
    const at = this.virtual?.findItemIndex(this.offset) ?? 0;
    const row = this.pages.row(at);
    if (at >= this.pages.total) return this.transcript.outline?.total ?? 0;
    return row ? indexOf(row) : 0;
  }

  /** How many messages have come in since the end was in view. */
  get unseen(): number {
    const messages = this.transcript.outline?.messages ?? 0;
    return this.endShown ? 0 : Math.max(0, messages - this.seen);
  }

  /** The line one stands at, if that is in view, or else the one at the top of it. */
  get here(): number {
    const view = this.scroller?.getBoundingClientRect();
    const box = this.element(this.current)?.getBoundingClientRect();
    const row =
      view && box && box.bottom > view.top && box.top < view.bottom ? this.pages.row(this.current) : undefined;
    return row ? indexOf(row) : this.indexInView;
  }

  /** Changes heights all over the log, and keeps what is at the top of the view there. */
  async keep(change: () => void): Promise<void> {
    const { top, virtual } = this;
    change();
    if (top === null || !virtual) return;
    this.anchor.hold({ position: top, align: 'start' });
    await this.settle();
  }

  /** To the next message of the user, or the last one before; false if there is none. */
  async toPrompt(by: 1 | -1): Promise<boolean> {
    const found = await this.transcript.goToPrompt(by, this.here);
    if (found) await this.focusCurrent();
    return found;
  }

  /** Shows another of the ways that begin at a position, where the one stood that was shown. */
  goWay(fork: Fork, way: number, position: number): void {
    const { virtual } = this;
    const offset = virtual ? this.offset - virtual.getItemOffset(position) : 0;
    this.transcript.goWay(fork, way, position, offset);
  }

  /** To the branch beside the one that is shown, at the last fork before the reader; false if there is none. */
  async toBranch(by: 1 | -1): Promise<boolean> {
    const inView = this.virtual?.findItemIndex(this.offset + this.virtual.getViewportSize()) ?? 0;
    const found = this.transcript.forkBefore(inView);
    if (!found || !found.fork.ways[found.way + by]) return false;
    this.goWay(found.fork, found.way + by, found.position);
    await tick();
    return true;
  }

  /** Gives the focus to where the view went. */
  async focusCurrent(): Promise<void> {
    await tick();
    const { current } = this;
    this.focusWanted = true;
    await focusShown(() => (this.focusWanted && this.current === current ? this.element(current) : null));
  }

  /** Opens the menu of a row: beside its button, or where the pointer is. */
  openMenu(position: number, at?: Element | Point): void {
    const row = this.pages.row(position);
    const element = this.element(position);
    if (row?.kind !== 'record' || !element) return;
    this.menu = { row, at: at ?? element.querySelector('[data-testid="row-menu"]') ?? element };
  }

  pointedMenu = (event: MouseEvent): void => {
    menuByPointer(event, this);
  };

  /** Asks for the rows in view. */
  look(): void {
    if (!this.virtual) return;
    const top = this.offset;
    const bottom = top + this.virtual.getViewportSize();
    this.pages.want(this.virtual.findItemIndex(top), this.virtual.findItemIndex(bottom));
    const fits = this.virtual.getScrollSize() <= this.virtual.getViewportSize();
    this.atEnd = this.anchor.atEnd || fits;
    this.endShown = this.atEnd || this.virtual.getScrollSize() - bottom <= BELOW;
    if (this.endShown) this.seen = this.transcript.outline?.messages ?? 0;
  }

  scrolled = (): void => {
    this.anchor.scrolled();
    this.look();
  };

  /** Heights changed, or there are more rows. */
  resized = (): void => {
    void this.settle();
    this.look();
  };

  /** What the list knows by now is in the page in a moment. */
  private async settle(): Promise<void> {
    await tick();
    this.anchor.settle();
  }

  /**
   * The answer grew. The list has all rows that are in view, so the view goes along without it: for the list to
   * scroll is to work out anew which rows there are, and to tell them that it scrolls and that it does not any more.
   */
  grew = (): void => {
    const { scroller } = this;
    if (!scroller || !this.anchor.follows || !this.element(this.count - 1)) return;
    scroller.scrollTop = scroller.scrollHeight;
    this.followedTo = scroller.scrollTop;
    this.moved(scroller);
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

  /** On its way to the list: what `grew` did ends here. */
  scrolling = (event: Event): void => {
    if (event.target === this.scroller && this.scroller?.scrollTop === this.followedTo) event.stopPropagation();
  };

  jump(jump: Jump): void {
    this.anchor.hold(jump.align === 'end' ? 'end' : jump);
    void this.settle();
    this.flashed = jump.flash ? jump.position : null;
    this.current = jump.position;
    this.pages.want(jump.position - 8, jump.position + 8);
    this.atEnd = this.anchor.atEnd;
  }

  /** Brings a place within a row into view, which a tall row may show far above or below. */
  reveal(place: Range, tries = 4): void {
    const view = this.scroller?.getBoundingClientRect();
    const box = place.getBoundingClientRect();
    if (!view || !place.startContainer.isConnected) return;
    const wide = place.startContainer.parentElement?.closest('pre, .table, .diff');
    const frame = wide?.getBoundingClientRect();
    if (wide && frame && (box.left < frame.left || box.right > frame.right)) {
      wide.scrollLeft += box.left - frame.left - frame.width / 3;
    }
    if (box.top >= view.top + EDGE && box.bottom <= view.bottom - EDGE) return;
    this.scrollBy(box.top - view.top - view.height / 3);
    // What comes into view is laid out only then, and may stand elsewhere.
    if (tries > 1) {
      requestAnimationFrame(() => {
        this.reveal(place, tries - 1);
      });
    }
  }

  /** Gives the focus to the row that shows the line at `index`, and stays where the view is. */
  focusLine(index: number): boolean {
    const line = this.scroller?.querySelector(`[data-index="${index}"]`);
    // A result without a row of its own, whose card is folded, is where one went to.
    const row = line?.closest<HTMLElement>('[data-position]') ?? this.element(this.current);
    row?.focus({ preventScroll: true });
    return row !== null && row === document.activeElement;
  }

  pressed = (event: PointerEvent): void => {
    if (event.type === 'pointerdown') this.focusWanted = false;
    this.hand.pointer(event);
  };

  clicked = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button?.ariaExpanded || button?.closest('[data-testid="cut"]')) this.anchor.release();
  };

  focused = (event: FocusEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-position]') : null;
    if (row) this.current = Number(row.dataset.position);
  };

  /** Whether the row at a position had the focus before it was loaded. */
  takesFocus(position: number): boolean {
    return this.focusWanted && position === this.current && document.activeElement === document.body;
  }

  /** Gives the focus to the row that was jumped to. */
  focusWhenShown(): void {
    if (this.current >= 0) void this.focus(this.current);
  }

  move(move: Move): void {
    this.hand.touch();
    if (move === 'first') void this.focus(0);
    else if (move === 'last') {
      this.transcript.toEnd();
      void this.focus(this.count - 1);
    } else this.step(move === 'next' ? 1 : -1);
  }

  private step(by: 1 | -1): void {
    const inLog = this.current >= 0 && this.scroller?.contains(document.activeElement);
    if (inLog && this.scrollWithin(by)) return;
    const from = inLog ? this.current : (this.top ?? this.count) - (by === 1 ? 1 : 0);
    void this.focus(nextPosition((at) => this.pages.row(at), from, by, this.count));
  }

  /** Scrolls on within a message that is taller than the view. */
  private scrollWithin(by: 1 | -1): boolean {
    const row = this.element(this.current)?.getBoundingClientRect();
    const view = this.scroller?.getBoundingClientRect();
    if (!row || !view || row.height <= view.height) return false;
    const hidden = by === 1 ? row.bottom - view.bottom : view.top - row.top;
    if (hidden <= 8) return false;
    this.scrollBy(by * Math.min(hidden, view.height * STEP));
    return true;
  }

  /** Moves the view, which is held nowhere from then on. */
  private scrollBy(by: number): void {
    const { scroller } = this;
    if (!scroller) return;
    if (by < 0) this.anchor.up();
    else this.anchor.release();
    scroller.scrollTop += by;
  }

  private async focus(position: number): Promise<void> {
    this.current = position;
    this.focusWanted = true;
    this.bringIntoView(position);
    await this.settle();
    await focusShown(() => (this.focusWanted && this.current === position ? this.element(position) : null));
  }

  /** Has the view held where all of a row is in it, unless it is. */
  private bringIntoView(position: number): void {
    const { scrolls } = this;
    if (!scrolls) return;
    const top = scrolls.getItemOffset(position);
    const offset = scrolls.getScrollOffset();
    if (top < offset) this.anchor.hold({ position, align: 'start' });
    else if (top + scrolls.getItemSize(position) > offset + scrolls.getViewportSize()) {
      this.anchor.hold(position === this.count - 1 ? 'end' : { position, align: 'end' });
    }
  }

  private element(position: number): HTMLElement | null {
    return this.scroller?.querySelector<HTMLElement>(`[data-position="${position}"]`) ?? null;
  }
}
