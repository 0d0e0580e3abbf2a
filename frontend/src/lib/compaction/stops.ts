import type { CompactionReview, ReviewRow } from '../backend';

/** A place where the cut can be: before the row at `index`, or behind all of them. */
export interface Stop {
  seq: number;
  index: number;
}

export function stopsOf({ rows, endSeq, firstRow, totalRows }: CompactionReview): Stop[] {
  const stops = rows.flatMap(({ seq, boundary }, index) => (boundary ? [{ seq, index }] : []));
  const toEnd = firstRow + rows.length >= totalRows;
  return toEnd ? [...stops, { seq: endSeq, index: rows.length }] : stops;
}

/** The row that a cut stands before. */
export function cutIndex(rows: readonly ReviewRow[], cut: number): number {
  const exact = rows.findIndex(({ seq }) => seq === cut);
  if (exact >= 0) return exact;
  const after = rows.findIndex(({ seq }) => seq > cut);
  return after >= 0 ? after : rows.length;
}

/** The stop nearest to a row; -1 if there is none. */
export function nearestStop(stops: readonly Stop[], index: number): number {
  let best = -1;
  let distance = Infinity;
  for (const [i, stop] of stops.entries()) {
    const away = Math.abs(stop.index - index);
    if (away < distance) [best, distance] = [i, away];
  }
  return best;
}

/** Where a key takes the cut, from one stop to another; null if the key does not move it. */
export function stopForKey(key: string, now: number, stops: number): number | null {
  const to = {
    ArrowUp: now - 1,
    ArrowLeft: now - 1,
    ArrowDown: now + 1,
    ArrowRight: now + 1,
    PageUp: now - 10,
    PageDown: now + 10,
    Home: 0,
    End: stops - 1,
  }[key];
  return to === undefined ? null : Math.max(0, Math.min(stops - 1, to));
}
