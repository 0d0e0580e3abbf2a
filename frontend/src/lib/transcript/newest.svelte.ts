import type { BackendError, News, Opening, Part } from '../backend';
import { joined } from './excerpt';
import { rowsOf, type Row } from './rows';

/** The newest part of a session, which is shown while all of it is being read. */
export class Newest {
  /** How far the reading of all of it is; null once it is whole. */
  part = $state.raw<Part | null>(null);
  rows: readonly Row[] = [];
  /** Where to go once there is more than that. */
  target: (() => Promise<void>) | null = null;

  progress(part: NonNullable<News['part']>): void {
    if (this.part) this.part = { ...part, problem: null };
  }

  /** What kept it from being read is tried once more. */
  again(): void {
    if (this.part) this.part = { ...this.part, problem: null };
  }

  failed({ code, message, hint }: BackendError): void {
    if (this.part) this.part = { ...this.part, problem: { code, message, hint } };
  }

  /** Takes what is the newest part now; true if it goes on from what was that before. */
  take(opening: Opening, part: Part): boolean {
    const rows = rowsOf(opening);
    const more = this.part && joined(this.rows, rows);
    this.rows = more ?? rows;
    this.part = part;
    return more !== null;
  }

  /** Keeps where to go for when all of it is read; false if it is. */
  later(go: () => Promise<void>): boolean {
    if (!this.part) return false;
    this.target = go;
    return true;
  }

  /** All of it is read. */
  done(): void {
    this.part = null;
    this.rows = [];
    this.target = null;
  }
}
