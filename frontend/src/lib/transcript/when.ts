import { dayOf } from '../days';
import { ownerOf, type RowAt } from './join';
import { isResult, timeOf } from './record';

export interface When {
  /** Local midnight of a day that begins here. */
  day?: number;
  /** How long nothing had been written, in milliseconds, where that is long. */
  gap?: number;
}

const LONG = 3_600_000;
// How far rows without a time of their own are looked past.
const REACH = 64;

function timeAt(rowAt: RowAt, at: number): number | undefined {
  const row = rowAt(at);
  if (!row) return undefined;
  return row.kind === 'record' ? timeOf(row.record) : NaN;
}

function hasRow(rowAt: RowAt, at: number): boolean {
  const row = rowAt(at);
  return !(row?.kind === 'record' && isResult(row.record) && ownerOf(rowAt, at) !== null);
}

/**
 * What is to be said of time above the row at a position. Days are those of rows that show something: a result in its
 * call's card has no place for a day to begin at. Damaged lines and records without a time are looked past.
 */
export function whenOf(rowAt: RowAt, position: number): When {
  const here = timeAt(rowAt, position);
  if (here === undefined || Number.isNaN(here) || !hasRow(rowAt, position)) return {};
  const day = dayOf(here);
  let last: number | null = null;
  for (let at = position - 1; at >= 0 && at >= position - REACH; at--) {
    const time = timeAt(rowAt, at);
    // Not read yet: what stands there decides.
    if (time === undefined) return {};
    if (Number.isNaN(time)) continue;
    last ??= time;
    if (!hasRow(rowAt, at)) continue;
    if (dayOf(time) !== day) return { day };
    return here - last >= LONG ? { gap: here - last } : {};
  }
  return { day };
}
