import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import {
  asBackendError,
  type Backend,
  type BackendError,
  type CompactionInfo,
  type Outline,
  type RawRecord,
  type View,
} from '../backend';
import { Find } from '../find/find.svelte';
import { Copying } from './copying.svelte';
import { Folds } from './folds.svelte';
import { Pages } from './pages.svelte';
import { indexOf } from './rows';

/** Where the view should go. A new object each time, so that going to the same place twice is two jumps. */
export interface Jump {
  position: number;
  align: 'start' | 'center' | 'end';
  flash: boolean;
}

/** One conversation as it is read: its outline, its rows in the view chosen, and where the reader is. */
export class Transcript {
  outline = $state.raw<Outline | null>(null);
  error = $state.raw<BackendError | null>(null);
  gone = $state(false);
  view = $state<View>('all');
  pages = $state.raw<Pages | null>(null);
  jump = $state.raw<Jump | null>(null);
  /** The number that an address asked for and that no record has. */
  missing = $state<number | null>(null);
  readonly folds = new Folds();
  readonly find: Find;
  readonly copying: Copying;
  /** The list of what the user wrote is shown. */
  promptsShown = $state(false);
  /** Outputs that are shown as they are, by the key of their fold. */
  readonly asIs = new SvelteSet<string>();
  /** Rows that are shown in another form, by index: their markdown as it was written, or the record as JSON. */
  readonly forms = new SvelteMap<number, 'source' | 'raw'>();
  /** Records that came cut and were then read whole, by index. */
  readonly whole = new SvelteMap<number, RawRecord>();

  readonly inForce = $derived(this.outline?.compactions.find(({ state }) => state === 'inForce') ?? null);

  private wanted: View = 'all';
  private refreshing: Promise<void> | null = null;
  private changedAgain = false;

  constructor(
    private readonly backend: Backend,
    readonly id: string,
  ) {
    this.copying = new Copying(backend, id);
    this.find = new Find(backend, id, (index) => this.goToIndex(index));
  }

  /** Opens at the end, or at a record: shown for what it is or, `asLeft`, on top as it was left. */
  async open(seq: number | null, asLeft = false): Promise<void> {
    this.error = null;
    try {
      this.outline = await this.backend.outline(this.id);
      this.show('all');
      if (seq === null) this.toEnd();
      else await this.goToSeq(seq, asLeft);
    } catch (cause) {
      this.fail(cause);
    }
  }

  /** The log changed on disk. Several changes while one is being read are one more. */
  changed(): Promise<void> {
    if (this.refreshing) this.changedAgain = true;
    else this.refreshing = this.refresh().finally(() => (this.refreshing = null));
    return this.refreshing ?? Promise.resolve();
  }

  /** As `changed`, and settles once what was added can be seen, where that is looked at. */
  async recorded(): Promise<void> {
    await this.changed();
    await this.pages?.grown;
  }

  async goToSeq(seq: number, asLeft = false): Promise<void> {
    this.missing = null;
    try {
      const page = await this.backend.recordsFrom(this.id, seq, 1);
      if (page.count === 0) this.missing = seq;
      else await this.goToIndex(page.entries[0]?.index ?? page.first, asLeft);
    } catch (cause) {
      if (asBackendError(cause).code !== 'not_found') throw cause;
      if (!asLeft) this.missing = seq;
      this.toEnd();
    }
  }

  /** Goes to a line of the log; where the view leaves it out, the view changes to the whole log. */
  async goToIndex(index: number, asLeft = false): Promise<void> {
    let position = index;
    if (this.view === 'model') {
      const found = await this.locate(index);
      if (found.exact) position = found.position;
      else this.show('all');
    }
    this.jump = asLeft ? { position, align: 'start', flash: false } : { position, align: 'center', flash: true };
  }

  /** Goes to the next message of the user behind a line, or the last one in front of it; false if there is none. */
  async goToPrompt(by: 1 | -1, index: number): Promise<boolean> {
    if (by === -1 && index === 0) return false;
    const range = by === 1 ? { from: index + 1 } : { before: index };
    const page = await this.backend.prompts(this.id, { ...range, limit: 1 });
    const prompt = page.prompts[0];
    if (prompt) await this.goToIndex(prompt.index);
    return prompt !== undefined;
  }

  toEnd(): void {
    this.jump = { position: Math.max(0, (this.pages?.total ?? 0) - 1), align: 'end', flash: false };
  }

  /** The view that is not shown, nor about to be. */
  get otherView(): View {
    return this.wanted === 'all' ? 'model' : 'all';
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
    const position = view === 'all' ? index : (await this.locate(index)).position;
    if (this.wanted !== view) return;
    this.show(view);
    this.jump = { position, align: 'start', flash: false };
  }

  async undo(compaction: CompactionInfo): Promise<void> {
    await this.backend.revert(this.id, compaction.seq);
    await this.changed();
  }

  /** Takes back what undid the compaction at `index`, as it stands now; false if there is nothing to take back. */
  async redo(index: number): Promise<boolean> {
    const revert = this.compactionAt(index)?.revertedBy ?? null;
    if (revert === null) return false;
    await this.backend.revert(this.id, revert);
    await this.changed();
    return true;
  }

  compactionAt(index: number): CompactionInfo | undefined {
    return this.outline?.compactions.find((compaction) => compaction.index === index);
  }

  close(): void {
    this.pages?.close();
    this.find.close();
    this.copying.cancel();
  }

  private async refresh(): Promise<void> {
    do {
      this.changedAgain = false;
      try {
        this.outline = await this.backend.outline(this.id);
        this.find.grew(this.outline.total);
        this.gone = false;
        this.error = null;
        if (this.pages) this.pages.invalidate(this.totalOf(this.view));
        else this.show(this.view);
      } catch (cause) {
        this.fail(cause);
      }
    } while (this.askedAgain());
  }

  private askedAgain(): boolean {
    return this.changedAgain;
  }

  private totalOf(view: View): number {
    return (view === 'all' ? this.outline?.total : this.outline?.modelTotal) ?? 0;
  }

  private show(view: View): void {
    this.pages?.close();
    this.jump = null;
    this.view = view;
    this.wanted = view;
    const pages = new Pages(this.backend, this.id, view, () => (this.gone = true));
    pages.total = this.totalOf(view);
    this.pages = pages;
  }

  /** The first position of the model's view at or after a line of the log: positions rise with lines. */
  private async locate(index: number): Promise<{ position: number; exact: boolean }> {
    let low = 0;
    let high = this.totalOf('model');
    let exact = false;
    while (low < high) {
      const middle = (low + high) >> 1;
      const page = await this.backend.records(this.id, { index: middle, limit: 1, view: 'model' });
      const found = page.entries[0]?.index;
      if (found === index) exact = true;
      if (found !== undefined && found < index) low = middle + 1;
      else high = middle;
    }
    return { position: Math.max(0, Math.min(low, this.totalOf('model') - 1)), exact };
  }

  private fail(cause: unknown): void {
    const error = asBackendError(cause);
    if (error.code === 'not_found' || error.code === 'invalid_id') this.gone = true;
    this.error = error;
  }
}
