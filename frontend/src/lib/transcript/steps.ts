import { ownerOf, type RowAt } from './join';
import { isResult } from './record';

/** The next position that shows something of its own: results shown within their call's card are passed over. */
export function nextPosition(rowAt: RowAt, from: number, by: 1 | -1, total: number): number {
  for (let at = from + by; at >= 0 && at < total; at += by) {
    const row = rowAt(at);
    const joined = row?.kind === 'record' && isResult(row.record) && ownerOf(rowAt, at) !== null;
    if (!joined) return at;
  }
  return Math.max(0, Math.min(from, total - 1));
}
