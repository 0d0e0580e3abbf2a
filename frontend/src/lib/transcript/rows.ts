import type { Damage, Entry, Page, RawRecord } from '../backend';

/** A line of the log at a position of the view. Immutable: a change makes a new one. */
export interface RecordRow {
  kind: 'record';
  entry: Entry;
  record: RawRecord;
  seq: number;
  /** Damage that stands before this record and takes no position: gap and order. */
  notes: Damage[];
}
export interface DamageRow {
  kind: 'damage';
  damage: Damage;
}
export type Row = RecordRow | DamageRow;

function takesPosition(damage: Damage): boolean {
  return damage.kind === 'torn' || damage.kind === 'corrupt';
}

/**
 * The rows of a page in the order of their positions; the first stands at `page.first`. Damaged lines stand
 * between records in the whole log; a view that counts only what the model sees leaves them out.
 */
export function rowsOf(page: Page): Row[] {
  const rows: { index: number; row: Row }[] = page.records.flatMap((record, i) => {
    const entry = page.entries[i];
    if (!entry) return [];
    const notes = page.damage.filter((damage) => !takesPosition(damage) && damage.index === entry.index);
    const seq = typeof record.seq === 'number' ? record.seq : 0;
    return [{ index: entry.index, row: { kind: 'record', entry, record, seq, notes } }];
  });
  const broken = page.damage.filter(takesPosition);
  if (rows.length + broken.length <= page.count) {
    for (const damage of broken) rows.push({ index: damage.index, row: { kind: 'damage', damage } });
    rows.sort((a, b) => a.index - b.index);
  }
  return rows.map(({ row }) => row);
}

/** What a row weighs in memory, roughly: its line, as far as it came. */
export function weight(row: Row): number {
  const line = row.kind === 'record' ? row.entry.bytes : row.damage.reason.length;
  return Math.min(line, 1_048_576) + 200;
}

export function indexOf(row: Row): number {
  return row.kind === 'record' ? row.entry.index : row.damage.index;
}
