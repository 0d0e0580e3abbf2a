import type { Opening } from '../backend';
import { rowsOf, type Row } from './rows';

/** Where somebody reads: the row at the top of the view, and how much of it is above that. */
export interface Standing {
  position: number;
  offset: number;
}

/** A session of another agent: only of such a one an excerpt is told. */
export const isForeignId = (id: string): boolean => id.includes(':');

/** What a row says, whatever its number is: an excerpt counts for itself. */
function said(row: Row): string {
  if (row.kind === 'damage') return row.damage.reason;
  const { recordType, timestamp, role, toolCallId, content, summary, data } = row.record;
  return JSON.stringify([recordType, timestamp, role, toolCallId, content, summary, data]);
}

/** The rows of an excerpt and those that have come since; null if a later excerpt has no row in common with it. */
export function joined(before: readonly Row[], now: readonly Row[]): readonly Row[] | null {
  const last = before.at(-1);
  if (!last) return null;
  const text = said(last);
  const at = now.findLastIndex((row) => said(row) === text);
  if (at < 0) return null;
  const more = now.slice(at + 1).map((row, n) => moved(row, before.length + n));
  return more.length > 0 ? [...before, ...more] : before;
}

function moved(row: Row, index: number): Row {
  if (row.kind === 'damage') return { ...row, damage: { ...row.damage, index } };
  return { ...row, entry: { ...row.entry, index } };
}

/** Where a row of an excerpt stands in the whole: found by what it says, nearest to as far from the end as it stood. */
export function placeIn(excerpt: readonly Row[], position: number, whole: Opening): number {
  const likely = Math.max(0, whole.total - (excerpt.length - position));
  const row = excerpt[position];
  if (!row) return likely;
  const text = said(row);
  const rows = rowsOf(whole);
  const places = rows.flatMap((other, n) => (said(other) === text ? [whole.first + n] : []));
  return places.reduce(
    (best, at) => (Math.abs(at - likely) < Math.abs(best - likely) ? at : best),
    places[0] ?? likely,
  );
}
