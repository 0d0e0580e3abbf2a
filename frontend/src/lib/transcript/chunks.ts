import type { Row } from './rows';
import { weight } from './rows';

/** Rows from `start` on; `complete` once it holds as many as there are. */
export interface Chunk {
  start: number;
  rows: readonly Row[];
  complete: boolean;
  /** From before the last change of the file: shown until it has been read again. */
  stale: boolean;
}

interface ChunkStore {
  get(key: number): Chunk | undefined;
  set(key: number, chunk: Chunk): unknown;
  delete(key: number): unknown;
}

/** Forgets the chunks that were used longest ago once they weigh too much together. */
export class ChunkCache {
  private readonly weights = new Map<number, number>();
  private total = 0;

  constructor(
    private readonly store: ChunkStore,
    private readonly maxWeight: number,
    private readonly maxChunks: number,
  ) {}

  put(key: number, chunk: Chunk): void {
    this.drop(key);
    const sum = chunk.rows.reduce((total, row) => total + weight(row), 0);
    this.weights.set(key, sum);
    this.total += sum;
    this.store.set(key, chunk);
  }

  /** Makes a chunk the most recently used one. */
  touch(key: number): void {
    const known = this.weights.get(key);
    if (known === undefined) return;
    this.weights.delete(key);
    this.weights.set(key, known);
  }

  /** Forgets what is over the bound, oldest first, but never what is in use. */
  trim(inUse: ReadonlySet<number>): void {
    for (const key of [...this.weights.keys()]) {
      if (this.total <= this.maxWeight && this.weights.size <= this.maxChunks) return;
      if (!inUse.has(key)) this.drop(key, true);
    }
  }

  keys(): number[] {
    return [...this.weights.keys()];
  }

  remove(key: number): void {
    this.drop(key, true);
  }

  private drop(key: number, forget = false): void {
    const known = this.weights.get(key);
    if (known === undefined) return;
    this.weights.delete(key);
    this.total -= known;
    if (forget) this.store.delete(key);
  }
}
