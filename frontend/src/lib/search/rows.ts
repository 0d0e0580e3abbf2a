import type { SearchHit, SearchPlace } from '../backend';
import type { Places } from './places.svelte';

/** A row of the results: a session with its best place, or one of all its places. */
export interface Row {
  key: string;
  hit: SearchHit;
  /** Where Enter goes; null: to the session. */
  place: SearchPlace | null;
  /** One of all places, below its session. */
  below: boolean;
}

/** The rows from top to bottom, as the arrows go through them. */
export function rowsOf(hits: readonly SearchHit[], opened: ReadonlyMap<string, Places>): Row[] {
  return hits.flatMap((hit) => {
    const head: Row = { key: hit.id, hit, place: hit.hit, below: false };
    const places = opened.get(hit.id)?.all ?? [];
    return [head, ...places.map((place, n) => ({ key: keyOf(hit.id, n), hit, place, below: true }))];
  });
}

export const keyOf = (id: string, n: number): string => `${id} ${n}`;

/** Whether there is more to see of a session than its best place. */
export const opens = (hit: SearchHit): boolean => hit.hit !== null && hit.count > 1;

export type Step = { kind: 'to'; key: string } | { kind: 'open' | 'shut'; id: string } | { kind: 'field' };

/** What a key does that is pressed on a row; null for a key that means nothing there. */
export function step(
  rows: readonly Row[],
  key: string,
  at: string | null,
  isOpen: (id: string) => boolean,
): Step | null {
  const here = rows.findIndex((row) => row.key === at);
  const row = rows[here];
  if (!row) return null;
  const to = (n: number): Step => ({ kind: 'to', key: (rows[Math.max(0, Math.min(n, rows.length - 1))] ?? row).key });
  const { id } = row.hit;
  switch (key) {
    case 'ArrowDown':
      return to(here + 1);
    case 'ArrowUp':
      return here === 0 ? { kind: 'field' } : to(here - 1);
    case 'PageDown':
      return to(here + 8);
    case 'PageUp':
      return to(here - 8);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'ArrowRight':
      if (row.below) return null;
      if (isOpen(id)) return rows[here + 1]?.below ? to(here + 1) : null;
      return opens(row.hit) ? { kind: 'open', id } : null;
    case 'ArrowLeft':
      if (row.below) return { kind: 'to', key: id };
      return isOpen(id) ? { kind: 'shut', id } : null;
  }
  return null;
}
