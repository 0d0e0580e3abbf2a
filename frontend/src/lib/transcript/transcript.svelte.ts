import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import {
  asBackendError,
  type Backend,
  type BackendError,
  type CompactionInfo,
  type News,
  type Opening,
  type Outline,
  type Part,
  type RawRecord,
  type View,
} from '../backend';
import { Find } from '../find/find.svelte';
import { OnceMore } from '../once-more';
import { Announced } from './announced';
import { AsOf, type Moment } from './as-of.svelte';
import { Copying } from './copying.svelte';
import type { Fork } from './course';
import { Folds } from './folds.svelte';
import type { Pages } from './pages.svelte';
import { isForeignId, placeIn, type Standing } from './excerpt';
import { Newest } from './newest.svelte';
import { Shown, type Jump } from './shown.svelte';
import { Ways, type Passed } from './ways.svelte';

// What is asked of the end of a session: as much as a page may hold.
const NEWEST = 500;

/** One conversation as it is read: its outline, its rows in the view chosen, and where the reader is. */
export class Transcript {
  outline = $state.raw<Outline | null>(null);
  error = $state.raw<BackendError | null>(null);
  gone = $state(false);
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

  readonly ways = new Ways(() => this.outline);
  readonly shown: Shown;

  readonly inForce = $derived(this.outline?.compactions.find(({ state }) => state === 'inForce') ?? null);

  /** Where the reader is: known to who shows the log. */
  where: () => Standing | null = () => null;

  private readonly reading = new OnceMore(() => this.refresh());
  private readonly announced = new Announced(() => this.reading.now());
  private readonly asOf: AsOf;
  /** What was read before may be another by now. */
  private rewritten = false;
  private readonly newest = new Newest();

  constructor(
    private readonly backend: Backend,
    readonly id: string,
  ) {
    this.asOf = new AsOf(backend, id);
    const seen = () => this.outline?.modelTotal ?? 0;
    this.shown = new Shown(backend, id, this.ways, this.asOf, seen, () => (this.gone = true));
    this.copying = new Copying(backend, id);
    this.find = new Find(backend, id, (index) => this.goToIndex(index));
  }

  /**
   * Opens at the end, or at a record: shown for what it is or, `asLeft`, on top as it was left. `known` is the outline, where that
   * was asked for before.
   */
  async open(seq: number | null, asLeft = false, known: Promise<Outline | null> | null = null): Promise<void> {
    this.error = null;
    this.asOf.known = known;
    this.newest.target = seq === null ? null : () => this.goToSeq(seq, asLeft);
    try {
      await this.openAll();
    } catch (cause) {
      this.fail(cause);
    }
  }

  /** Only the newest part is shown while all of it is being read; null once it is whole. */
  get excerpt(): Part | null {
    return this.newest.part;
  }

  get view(): View {
    return this.shown.view;
  }

  get pages(): Pages | null {
    return this.shown.pages;
  }

  get jump(): Jump | null {
    return this.shown.jump;
  }

  /** The log changed on disk. Several changes while one is being read are one more. */
  changed(): Promise<void> {
    this.rewritten = true;
    return this.announced.news();
  }

  /** How far the reading of all of it is. */
  progress(part: NonNullable<News['part']>): void {
    this.newest.progress(part);
  }

  /** Has all of it read once more, after that failed. */
  async readAgain(): Promise<void> {
    this.newest.again();
    try {
      await this.showAll(null);
    } catch (cause) {
      this.fail(cause);
    }
  }

  /** Something was added, which may be known by now; settles once it can be seen, where that is looked at. */
  async recorded(): Promise<void> {
    await this.announced.said();
    await this.pages?.grown;
  }

  async goToSeq(seq: number, asLeft = false): Promise<void> {
    this.missing = null;
    if (this.newest.later(() => this.goToSeq(seq, asLeft))) return;
    try {
      const page = await this.backend.recordsFrom(this.id, seq, 1);
      if (page.count === 0) this.missing = seq;
      else await this.goToIndex(page.entries[0]?.index ?? page.first, asLeft);
    } catch (cause) {
      if (asBackendError(cause).code !== 'not_found') throw cause;
      if (!asLeft) this.missing = seq;
      this.shown.toEnd();
    }
  }

  /** Goes to a line of the log; where the view leaves it out, the view changes to the whole log. */
  async goToIndex(index: number, asLeft = false): Promise<void> {
    if (this.newest.later(() => this.goToIndex(index, asLeft))) return;
    await this.shown.goToIndex(index, asLeft);
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

  /** The fork of which a way begins with a line, and which way that is; in the view of the whole log alone. */
  forkAt(line: number): { fork: Fork; way: number } | undefined {
    return this.view === 'all' ? this.ways.forkAt(line) : undefined;
  }

  /** The last fork that is shown at or before a position; null for none. */
  forkBefore(position: number): Passed | null {
    return this.view === 'all' ? this.ways.forkBefore(position) : null;
  }

  /** The moment that is looked at: states are as of that record. Null is now. */
  get moment(): Moment | null {
    return this.asOf.moment;
  }

  /** Shows what the model had before it at a moment, where that is, or what it has now. */
  async lookAt(moment: Moment | null): Promise<void> {
    if (this.excerpt || moment?.seq === this.moment?.seq) return;
    this.asOf.moment = moment;
    const outline = await this.asOf.outline();
    if (moment?.seq !== this.moment?.seq) return;
    this.outline = outline;
    this.shown.lookAt(moment);
  }

  /** Changes the view; `top` is the position being read, null at the end. */
  async setView(view: View, top: number | null): Promise<void> {
    if (!this.excerpt) await this.shown.setView(view, top);
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
    if (isForeignId(this.id) && !this.outline) this.backend.leave(this.id).catch(() => undefined);
    this.pages?.close();
    this.find.close();
    this.copying.cancel();
  }

  private async refresh(): Promise<void> {
    const { rewritten, outline: before } = this;
    this.rewritten = false;
    try {
      if (this.excerpt || !this.pages) {
        await this.openAll();
        return;
      }
      // What was read before answers while what it has become is being read; the end of that is news.
      if (isForeignId(this.id)) await this.backend.opening(this.id, 1);
      this.outline = await this.asOf.outline();
      // The end of a turn adds nothing to what its last record was news of.
      if (rewritten || this.gone || this.error || JSON.stringify(this.outline) !== JSON.stringify(before))
        this.follow();
    } catch (cause) {
      this.fail(cause);
    }
  }

  /** Shows all of it or, as long as that is being read, its newest part. */
  private async openAll(): Promise<void> {
    const opening = isForeignId(this.id) ? await this.backend.opening(this.id, NEWEST) : null;
    if (opening?.excerpt) this.showNewest(opening, opening.excerpt);
    else await this.showAll(opening);
  }

  private showNewest(opening: Opening, part: Part): void {
    if (this.newest.take(opening, part)) {
      this.pages?.hold(this.newest.rows);
      return;
    }
    this.shown.show('all');
    this.pages?.hold(this.newest.rows);
    this.shown.toEnd();
  }

  private async showAll(opening: Opening | null): Promise<void> {
    const outline = await this.asOf.outline();
    const left = this.excerpt && this.where();
    const end = left && (opening ?? (await this.backend.opening(this.id, NEWEST)));
    const { target, rows } = this.newest;
    this.outline = outline;
    if (this.pages && !this.excerpt) {
      this.follow(); // somebody else was faster
      return;
    }
    this.newest.done();
    this.forms.clear();
    this.folds.forget();
    this.gone = false;
    this.error = null;
    this.shown.show('all');
    if (target) await target();
    else if (left && end) {
      const position = this.ways.positionOf(placeIn(rows, left.position, end));
      this.shown.jump = { position, align: 'start', flash: false, offset: left.offset };
    } else this.shown.toEnd();
  }

  private follow(): void {
    this.find.grew(this.outline?.total ?? 0);
    this.gone = false;
    this.error = null;
    this.shown.follow();
  }

  private fail(cause: unknown): void {
    const error = asBackendError(cause);
    if (error.code === 'not_found' || error.code === 'invalid_id') this.gone = true;
    this.error = error;
    this.newest.failed(error);
  }
}
