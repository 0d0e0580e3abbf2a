import { tick } from 'svelte';
import { focusShown } from '../../ui/focus';
import type { Row } from './rows';
import { nextPosition } from './steps';
import type { Viewport } from './viewport.svelte';

// Of a message taller than the view, a step shows this much more before it goes on to the next.
const STEP = 0.8;

/** The row that one stands at in a log, and how the focus gets there. */
export class Cursor {
  position = $state(-1);
  private wanted = false;

  constructor(
    private readonly view: Viewport,
    private readonly rowAt: (position: number) => Row | undefined,
    private readonly count: () => number,
  ) {}

  /** The row that stands there now: the last one, where that was below it and is gone. */
  get current(): number {
    return Math.min(this.position, this.count() - 1);
  }

  /** Gives the focus to a row, and brings it into view. */
  async go(position: number): Promise<void> {
    this.position = position;
    this.wanted = true;
    this.view.bringIntoView(position);
    await this.view.settle();
    await this.whenShown(position);
  }

  /** Gives the focus to where the view went. */
  async focus(): Promise<void> {
    await tick();
    this.wanted = true;
    await this.whenShown(this.position);
  }

  private whenShown(position: number): Promise<void> {
    return focusShown(() => (this.wanted && this.position === position ? this.view.element(position) : null));
  }

  /** Gives the focus to the row that was jumped to. */
  focusJumped(): void {
    if (this.position >= 0) void this.go(this.position);
  }

  /** Gives the focus to the row that shows the line at `index`, and stays where the view is. */
  focusLine(index: number): boolean {
    const line = this.view.scroller?.querySelector(`[data-index="${index}"]`);
    // A result without a row of its own, whose card is folded, is where one went to.
    const row = line?.closest<HTMLElement>('[data-position]') ?? this.view.element(this.position);
    row?.focus({ preventScroll: true });
    return row !== null && row === document.activeElement;
  }

  /** Whether the row at a position had the focus before it was loaded. */
  takesFocus(position: number): boolean {
    return this.wanted && position === this.position && document.activeElement === document.body;
  }

  /** Somebody pressed something: the focus is there. */
  release(): void {
    this.wanted = false;
  }

  focused = (event: FocusEvent): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-position]') : null;
    if (row) this.position = Number(row.dataset.position);
  };

  /** To the next message, or the one before. */
  step(by: 1 | -1): void {
    const { view } = this;
    const inLog = this.position >= 0 && view.scroller?.contains(document.activeElement);
    if (inLog && this.scrollWithin(by)) return;
    const from = inLog ? this.position : (view.top ?? this.count()) - (by === 1 ? 1 : 0);
    void this.go(nextPosition(this.rowAt, from, by, this.count()));
  }

  /** Scrolls on within a message that is taller than the view. */
  private scrollWithin(by: 1 | -1): boolean {
    const row = this.view.element(this.position)?.getBoundingClientRect();
    const view = this.view.scroller?.getBoundingClientRect();
    if (!row || !view || row.height <= view.height) return false;
    const hidden = by === 1 ? row.bottom - view.bottom : view.top - row.top;
    if (hidden <= 8) return false;
    this.view.scrollBy(by * Math.min(hidden, view.height * STEP));
    return true;
  }
}
