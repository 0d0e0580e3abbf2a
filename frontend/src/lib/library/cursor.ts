import type { Item } from './entries';

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
    if (items[at]?.kind === 'session') return at;
  }
  return from;
}
