import { tick } from 'svelte';
import type { Point } from '../../ui/place';
import type { Fork } from './course';
import { Cursor } from './cursor.svelte';
import { menuByPointer } from './menu';
import type { Move } from './moves';
import type { Pages } from './pages.svelte';
import { indexOf, type RecordRow } from './rows';
import type { Jump } from './shown.svelte';
import type { Transcript } from './transcript.svelte';
import { Viewport } from './viewport.svelte';

// Nearer to the border than this, something is not well in view.
const EDGE = 48;
// Below the last row is this much room: with less than that out of view, all of the row is in it.
const BELOW = 32;

/** Where the reader is in a log: what is in view, what has come in since, and where one can go from there. */
export class Reader {
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

  readonly view: Viewport;
  readonly cursor: Cursor;

  constructor(
    private readonly transcript: Transcript,
    private readonly pages: Pages,
    /** How many rows stand below those of the log, because it does not hold them yet. */
    private readonly below: () => number = () => 0,
  ) {
    const count = () => this.count;
    this.view = new Viewport(count);
    this.cursor = new Cursor(this.view, (at) => pages.row(at), count);
    transcript.find.inView = () => this.indexInView;
    transcript.where = () => this.view.standing;
  }

  /** How many rows there are, those below the log too. */
  get count(): number {
    return this.pages.total + this.below();
  }

  /** The line at the top of the view, at the end too; in an answer that is being written, the one that it will be. */
  private get indexInView(): number {
    const at = this.view.virtual?.findItemIndex(this.view.offset) ?? 0;
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
    const { position } = this.cursor;
    const view = this.view.scroller?.getBoundingClientRect();
    const box = this.view.element(position)?.getBoundingClientRect();
    const row = view && box && box.bottom > view.top && box.top < view.bottom ? this.pages.row(position) : undefined;
    return row ? indexOf(row) : this.indexInView;
  }

  /** Changes heights all over the log, and keeps what is at the top of the view there. */
  async keep(change: () => void): Promise<void> {
    const { top } = this.view;
    change();
    if (top !== null) await this.view.hold({ position: top, align: 'start' });
  }

  /** To the next message of the user, or the last one before; false if there is none. */
  async toPrompt(by: 1 | -1): Promise<boolean> {
    const found = await this.transcript.goToPrompt(by, this.here);
    if (found) await this.cursor.focus();
    return found;
  }

  /** Shows another of the ways that begin at a position, where the one stood that was shown. */
  goWay(fork: Fork, way: number, position: number): void {
    this.transcript.shown.goWay(fork, way, position, this.view.within(position));
  }

  /** To the branch beside the one that is shown, at the last fork before the reader; false if there is none. */
  async toBranch(by: 1 | -1): Promise<boolean> {
    const { offset, virtual } = this.view;
    const inView = virtual?.findItemIndex(offset + virtual.getViewportSize()) ?? 0;
    const found = this.transcript.forkBefore(inView);
    if (!found || !found.fork.ways[found.way + by]) return false;
    this.goWay(found.fork, found.way + by, found.position);
    await tick();
    return true;
  }

  /** Opens the menu of a row: beside its button, or where the pointer is. */
  openMenu(position: number, at?: Element | Point): void {
    const row = this.pages.row(position);
    const element = this.view.element(position);
    if (row?.kind !== 'record' || !element) return;
    this.menu = { row, at: at ?? element.querySelector('[data-testid="row-menu"]') ?? element };
  }

  pointedMenu = (event: MouseEvent): void => {
    menuByPointer(event, this);
  };

  /** Asks for the rows in view. */
  look(): void {
    const { virtual, offset, anchor } = this.view;
    if (!virtual) return;
    const bottom = offset + virtual.getViewportSize();
    this.pages.want(virtual.findItemIndex(offset), virtual.findItemIndex(bottom));
    const fits = virtual.getScrollSize() <= virtual.getViewportSize();
    this.atEnd = anchor.atEnd || fits;
    this.endShown = this.atEnd || virtual.getScrollSize() - bottom <= BELOW;
    if (this.endShown) this.seen = this.transcript.outline?.messages ?? 0;
  }

  scrolled = (): void => {
    this.view.anchor.scrolled();
    this.look();
  };

  /** Heights changed, or there are more rows. */
  resized = (): void => {
    void this.view.settle();
    this.look();
  };

  jump(jump: Jump): void {
    void this.view.hold(jump.align === 'end' ? 'end' : jump);
    this.flashed = jump.flash ? jump.position : null;
    this.cursor.position = jump.position;
    this.pages.want(jump.position - 8, jump.position + 8);
    this.atEnd = this.view.anchor.atEnd;
  }

  /** Brings a place within a row into view, which a tall row may show far above or below. */
  reveal(place: Range, tries = 4): void {
    const view = this.view.scroller?.getBoundingClientRect();
    const box = place.getBoundingClientRect();
    if (!view || !place.startContainer.isConnected) return;
    const wide = place.startContainer.parentElement?.closest('pre, .table, .diff');
    const frame = wide?.getBoundingClientRect();
    if (wide && frame && (box.left < frame.left || box.right > frame.right)) {
      wide.scrollLeft += box.left - frame.left - frame.width / 3;
    }
    if (box.top >= view.top + EDGE && box.bottom <= view.bottom - EDGE) return;
    this.view.scrollBy(box.top - view.top - view.height / 3);
    // What comes into view is laid out only then, and may stand elsewhere.
    if (tries > 1) {
      requestAnimationFrame(() => {
        this.reveal(place, tries - 1);
      });
    }
  }

  pressed = (event: PointerEvent): void => {
    if (event.type === 'pointerdown') this.cursor.release();
    this.view.hand.pointer(event);
  };

  clicked = (event: MouseEvent): void => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button?.ariaExpanded || button?.closest('[data-testid="cut"]')) this.view.anchor.release();
  };

  move(move: Move): void {
    this.view.hand.touch();
    if (move === 'first') void this.cursor.go(0);
    else if (move === 'last') {
      this.transcript.shown.toEnd();
      void this.cursor.go(this.count - 1);
    } else this.cursor.step(move === 'next' ? 1 : -1);
  }
}
