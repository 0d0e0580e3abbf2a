import { SvelteMap } from 'svelte/reactivity';
import { asBackendError, type Backend, type BackendError, type PageRange, type RawRecord, type View } from '../backend';
import { ChunkCache, type Chunk } from './chunks';
import { rowsOf, type Row } from './rows';

export const CHUNK = 40;
const MAX_WEIGHT = 48 * 1_048_576;
const MAX_CHUNKS = 120;
const PARALLEL = 2;

/** What is asked for to have so many rows from a position on, or the first of them. */
export type Ranged = (position: number, limit: number) => Omit<PageRange, 'view'>;

/** Who draws the rows. */
export interface Drawer {
  /** Whether what a row holds is in the page already, as it was written: nothing of it need be rendered ahead. */
  isShown: (position: number, row: Row) => boolean;
  /** Renders what takes long before it comes into view. */
  ahead: { prepare: (record: RawRecord) => void; stop: () => void };
}

/**
 * The rows of one view of a session, read in chunks around what is looked at. A row is found by its position:
 * nothing here grows with the length of the session.
 */
export class Pages {
  total = $state(0);
  error = $state.raw<BackendError | null>(null);
  /** Settles once rows are there, or none will come. */
  readonly first: Promise<void>;
  /** Settles once what was last added is shown, or need not be. */
  grown: Promise<void> = Promise.resolve();

  private drawer: Drawer | null = null;
  private readonly chunks = new SvelteMap<number, Chunk>();
  private readonly cache = new ChunkCache(this.chunks, MAX_WEIGHT, MAX_CHUNKS);
  private wanted: number[] = [];
  private readonly loading = new Set<number>();
  // Answers to questions asked before the last change are not what is there now.
  private epoch = 0;
  private closed = false;
  // How many there are; `total` follows once the first of the new ones is there, so that it is not a gap first.
  private target: number | null = null;
  private whenGrown: (() => void) | null = null;
  private whenFirst: () => void = () => undefined;

  constructor(
    private readonly backend: Pick<Backend, 'records'>,
    private readonly id: string,
    readonly view: View,
    private readonly onGone: (error: BackendError) => void,
    private readonly range: Ranged = (position, limit) => ({ index: position, limit }),
  ) {
    this.first = new Promise((resolve) => (this.whenFirst = resolve));
  }

  /** Reactive: the row at a position, or undefined while it is not loaded. */
  row(position: number): Row | undefined {
    const key = Math.floor(position / CHUNK);
    return this.chunks.get(key)?.rows[position - key * CHUNK];
  }

  /** Somebody draws the rows from now on, among them those that are there. */
  drawnBy(drawer: Drawer): void {
    this.drawer = drawer;
    for (const chunk of this.chunks.values()) this.prepareAll(chunk);
  }

  /** Asks for the rows in a range, and a chunk to either side; what was asked for before is dropped. */
  want(first: number, last: number): void {
    const from = Math.max(0, Math.floor(first / CHUNK));
    const to = Math.floor(Math.max(0, Math.min(last, this.total - 1)) / CHUNK);
    const keys: number[] = [];
    for (let key = to; key >= from; key--) keys.push(key);
    if (from > 0) keys.push(from - 1);
    if ((to + 1) * CHUNK < this.count) keys.push(to + 1);
    this.wanted = keys;
    for (const key of keys) this.cache.touch(key);
    this.pump();
  }

  /** Shows rows that need not be asked for: all there are. Later ones go on where these end. */
  hold(rows: readonly Row[]): void {
    for (let start = 0; start < rows.length; start += CHUNK) {
      const chunk = { start, rows: rows.slice(start, start + CHUNK), complete: true, stale: false };
      this.put(start / CHUNK, chunk);
    }
    this.total = rows.length;
  }

  /** The file changed: what is shown stays until it has been read again, the rest is forgotten. */
  invalidate(total: number): void {
    this.epoch++;
    this.error = null;
    this.loading.clear();
    this.grow(total);
    for (const key of this.cache.keys()) {
      const chunk = this.chunks.get(key);
      if (!chunk || !this.wanted.includes(key) || chunk.start >= total) this.cache.remove(key);
      else this.chunks.set(key, { ...chunk, stale: true });
    }
    this.pump();
  }

  private get count(): number {
    return this.target ?? this.total;
  }

  /** New lines next to what is looked at are shown once they are there; all others are only counted. */
  private grow(total: number): void {
    this.target = null;
    const next = Math.floor(this.total / CHUNK);
    const inView = this.total === 0 || this.wanted.includes(Math.floor((this.total - 1) / CHUNK));
    if (total <= this.total || !inView) {
      this.total = total;
      this.settle();
      return;
    }
    this.target = total;
    if (!this.wanted.includes(next)) this.wanted = [next, ...this.wanted];
    if (!this.whenGrown) this.grown = new Promise((resolve) => (this.whenGrown = resolve));
  }

  private settle(): void {
    if (this.target !== null) this.total = this.target;
    this.target = null;
    this.whenGrown?.();
    this.whenGrown = null;
  }

  retry(): void {
    this.error = null;
    this.pump();
  }

  close(): void {
    this.closed = true;
    this.whenFirst();
    this.drawer?.ahead.stop();
    this.wanted = [];
    this.settle();
  }

  /** What was shown as it was written is gone: its record is rendered ahead, like those of others. */
  shownNoMore(position: number): void {
    this.prepare(this.row(position));
  }

  private prepare(row: Row | undefined): void {
    if (row?.kind === 'record') this.drawer?.ahead.prepare(row.record);
  }

  private prepareAll({ start, rows }: Chunk): void {
    rows.forEach((row, i) => {
      if (!this.drawer?.isShown(start + i, row)) this.prepare(row);
    });
  }

  /** Every loaded row, for what must be looked for among them. */
  *loaded(): Generator<Row> {
    for (const chunk of this.chunks.values()) yield* chunk.rows;
  }

  private pump(): void {
    if (this.error || this.closed) return;
    for (const key of this.wanted) {
      if (this.loading.size >= PARALLEL) return;
      const chunk = this.chunks.get(key);
      if (this.loading.has(key) || key * CHUNK >= this.count || (chunk?.complete && !chunk.stale)) continue;
      this.loading.add(key);
      void this.load(key, this.epoch);
    }
  }

  private async load(key: number, epoch: number): Promise<void> {
    const start = key * CHUNK;
    const end = Math.min(start + CHUNK, this.count);
    let rows: Row[] = [];
    try {
      // A page may hold fewer rows than asked for: long records fill it.
      while (start + rows.length < end) {
        const asked = this.range(start + rows.length, end - start - rows.length);
        const page = await this.backend.records(this.id, { ...asked, view: this.view });
        if (epoch !== this.epoch || this.closed) return;
        const more = rowsOf(page);
        if (more.length === 0) break;
        rows = [...rows, ...more];
        const partial = start + rows.length < end;
        const shown = this.chunks.get(key)?.rows.length ?? 0;
        if (!partial || rows.length >= shown) this.put(key, { start, rows, complete: !partial, stale: false });
        if (partial && !this.wanted.includes(key)) return;
      }
      // Fewer lines than were counted: the next change will tell; asking again now would go on for ever.
      if (start + rows.length < end) this.put(key, { start, rows, complete: true, stale: false });
    } catch (cause) {
      if (epoch !== this.epoch || this.closed) return;
      const error = asBackendError(cause);
      if (error.code === 'not_found') this.onGone(error);
      this.error = error;
      this.whenFirst();
      this.settle();
    } finally {
      if (epoch === this.epoch) {
        this.loading.delete(key);
        this.pump();
      }
    }
  }

  private put(key: number, chunk: Chunk): void {
    this.prepareAll(chunk);
    const holdsNew = this.target !== null && chunk.start + chunk.rows.length > this.total;
    this.cache.put(key, chunk);
    this.whenFirst();
    if (holdsNew || (chunk.complete && key === Math.floor(this.total / CHUNK))) this.settle();
    this.cache.trim(new Set(this.wanted));
  }
}
