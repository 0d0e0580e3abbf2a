import type { Backend, View } from '../backend';
import type { AsOf, Moment } from './as-of.svelte';
import type { Fork } from './course';
import { locate } from './locate';
import { Pages, type Ranged } from './pages.svelte';
import { indexOf } from './rows';
import type { Ways } from './ways.svelte';

/** Where the view should go. A new object each time, so that going to the same place twice is two jumps. */
export interface Jump {
  position: number;
  align: 'start' | 'center' | 'end';
  flash: boolean;
  /** How much of the row is above the view. */
  offset?: number;
}

/** What is shown of a session: its rows in the view chosen, and where in them the reader is sent. */
export class Shown {
  view = $state<View>('all');
  pages = $state.raw<Pages | null>(null);
  jump = $state.raw<Jump | null>(null);
  private wanted: View = 'all';

  constructor(
    private readonly backend: Backend,
    private readonly id: string,
    private readonly ways: Ways,
    private readonly asOf: AsOf,
    private readonly modelTotal: () => number,
    private readonly onGone: () => void,
  ) {}

  /** The view that is not shown, nor about to be. */
  get otherView(): View {
    return this.wanted === 'all' ? 'model' : 'all';
  }

  show(view: View): void {
    this.pages?.close();
    this.jump = null;
    this.view = view;
    this.wanted = view;
    const pages = new Pages(this.backend, this.id, view, this.onGone, this.range);
    pages.total = this.totalOf(view);
    this.pages = pages;
  }

  /** What was read of the rows may be something else by now. */
  follow(): void {
    this.pages?.invalidate(this.totalOf(this.view));
  }

  toEnd(): void {
    this.jump = { position: Math.max(0, (this.pages?.total ?? 0) - 1), align: 'end', flash: false };
  }

  /** Goes to a line of the log; where the view leaves it out, the view changes to the whole log. */
  async goToIndex(index: number, asLeft: boolean): Promise<void> {
    if (this.view === 'model') {
      const found = await this.locate(index);
      if (found.exact) {
        this.goTo(found.position, asLeft);
        return;
      }
      this.show('all');
    }
    if (!this.ways.holds(index)) this.choose(index);
    this.goTo(this.ways.positionOf(index), asLeft);
  }

  /** Shows another way in the place of the one that begins at `position`, which stays where it is: that far down in the view. */
  goWay({ ways, now }: Fork, way: number, position: number, offset: number): void {
    const chosen = ways[way];
    if (!chosen) return;
    this.choose(way === now ? null : chosen.to - 1);
    this.jump = { position, align: 'start', flash: false, offset };
  }

  /** Shows the branch in which the conversation goes on. */
  backOnPath(): void {
    if (this.ways.through === null) return;
    this.choose(null);
    this.toEnd();
  }

  /** Shows what the model had before it at a moment, where that is, or what it has now. */
  lookAt(moment: Moment | null): void {
    if (this.view === 'model') {
      this.show('model');
      this.toEnd();
      return;
    }
    const left = moment && !this.ways.holds(moment.index);
    this.choose(left ? moment.index : moment && this.ways.through);
    if (moment) this.jump = { position: this.ways.positionOf(moment.index), align: 'center', flash: false };
  }

  /** Changes the view; `top` is the position being read, null at the end. */
  async setView(view: View, top: number | null): Promise<void> {
    // Whoever presses twice before the first is done wants the second.
    this.wanted = view;
    if (view === this.view) return;
    const row = top === null ? undefined : this.pages?.row(top);
    const index = row ? indexOf(row) : null;
    if (index === null) {
      this.show(view);
      this.toEnd();
      return;
    }
    const position = view === 'all' ? this.ways.positionOf(index) : (await this.locate(index)).position;
    if (this.wanted !== view) return;
    this.show(view);
    this.jump = { position, align: 'start', flash: false };
  }

  private goTo(position: number, asLeft: boolean): void {
    this.jump = asLeft ? { position, align: 'start', flash: false } : { position, align: 'center', flash: true };
  }

  private choose(line: number | null): void {
    this.ways.through = line;
    if (this.view === 'all') this.follow();
  }

  private totalOf(view: View): number {
    return view === 'all' ? this.ways.shown : this.modelTotal();
  }

  private readonly range: Ranged = (position, limit) => ({
    ...(this.view === 'all' ? this.ways.lines(position, limit) : { index: position, limit }),
    asOf: this.asOf.seq,
  });

  private locate(index: number): Promise<{ position: number; exact: boolean }> {
    return locate(this.backend, { id: this.id, total: this.totalOf('model'), asOf: this.asOf.seq }, index);
  }
}
