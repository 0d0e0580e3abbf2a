import type { Item } from './arrange';

/** Where the cursor may stand: on sessions, and on the headings of groups that are shut. */
export const isStop = (item: Item | undefined): boolean => item?.kind === 'session' || item?.open === false;

/** Where a key moves the cursor in a list that has headings among its rows; null for any other key. */
export function step(items: readonly Item[], from: number, key: string, page: number): number | null {
  const moves: Record<string, [start: number, by: number]> = {
    ArrowDown: [from + 1, 1],
    ArrowUp: [from - 1, -1],
    PageDown: [Math.min(from + page, items.length - 1), -1],
    PageUp: [Math.max(from - page, 0), 1],
    Home: [0, 1],
    End: [items.length - 1, -1],
  };
  const move = moves[key];
  if (!move) return null;
  const [start, by] = move;
  for (let at = start; at >= 0 && at < items.length; at += by) {
    if (isStop(items[at])) return at;
  }
  return from;
}

/** What stands one level above: the session that started it, or the heading of its group; -1 if nothing does. */
export function above(items: readonly Item[], at: number): number {
  const item = items[at];
  const depth = item?.kind === 'session' ? item.depth : -1;
  for (let up = at - 1; up >= 0; up--) {
    const other = items[up];
    if (other?.kind === 'heading' ? depth >= 0 : other && other.depth < depth) return up;
  }
  return -1;
}
