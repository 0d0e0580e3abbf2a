import { asBackendError, type Backend, type BackendError } from '../backend';
import type { Pattern, Place } from './pattern';

// So much is asked for at once: a request may have 32 MiB, and a character takes up to six bytes.
const AT_ONCE = 4_000_000;
const TEXTS = 5000;
// And so much of what was told is held.
const HELD = 16_000_000;
const NOWHERE: readonly Place[] = [];

/**
 * A regular expression. The program says where it fits: no expression holds the page up, and it means what it means in a
 * search of everything. Where it is not known yet it fits nowhere.
 */
export class Expression implements Pattern {
  answers = $state(0);
  private known = new Map<string, readonly Place[]>();
  private held = 0;
  private readonly wanted = new Set<string>();
  private readonly flight = new AbortController();
  private asking = false;

  constructor(
    private readonly backend: Pick<Backend, 'matches'>,
    private readonly expression: string,
    private readonly matchCase: boolean,
    private readonly onFailure: (error: BackendError) => void,
  ) {}

  get waits(): boolean {
    return this.asking;
  }

  placesIn(text: string): readonly Place[] {
    void this.answers;
    const places = this.known.get(text);
    if (places === undefined) this.want(text);
    return places ?? NOWHERE;
  }

  firstIn(text: string): number {
    return this.placesIn(text)[0]?.start ?? -1;
  }

  /** Nobody wants to know any more. */
  close(): void {
    this.flight.abort();
  }

  private want(text: string): void {
    // What is longer than all that is shown at once is not looked through.
    if (text === '' || text.length > AT_ONCE || this.flight.signal.aborted) return;
    this.wanted.add(text);
    if (this.asking) return;
    this.asking = true;
    // All that is wanted at this moment is one question.
    queueMicrotask(() => void this.ask());
  }

  private async ask(): Promise<void> {
    const { expression, matchCase } = this;
    const { signal } = this.flight;
    try {
      while (this.wanted.size > 0) {
        const texts = this.next();
        this.take(texts, await this.backend.matches({ expression, matchCase, texts }, signal));
        this.asking = this.wanted.size > 0;
        this.answers++;
      }
    } catch (cause) {
      if (!signal.aborted) this.onFailure(asBackendError(cause));
      this.close();
    }
  }

  private next(): string[] {
    const texts: string[] = [];
    let length = 0;
    for (const text of this.wanted) {
      if ((length += text.length) > AT_ONCE || texts.length === TEXTS) break;
      texts.push(text);
      this.wanted.delete(text);
    }
    return texts;
  }

  /** Takes what was told. Where there are very many places, nothing is told of the last texts: they are asked about again. */
  private take(texts: readonly string[], all: readonly (readonly number[])[]): void {
    const told = Math.max(1, all.length);
    for (const text of texts.slice(told)) this.wanted.add(text);
    for (const [n, text] of texts.slice(0, told).entries()) {
      if ((this.held += text.length) > HELD) {
        this.known = new Map();
        this.held = text.length;
      }
      this.known.set(text, pairsOf(all[n] ?? []));
    }
  }
}

function pairsOf(units: readonly number[]): Place[] {
  return Array.from({ length: units.length / 2 }, (_, n) => ({ start: units[2 * n] ?? 0, end: units[2 * n + 1] ?? 0 }));
}
