import { vi } from 'vitest';
import { type SearchAnswer, type SearchHit, type SearchOptions } from '../lib/backend';
import { Search } from '../lib/search/search.svelte';
import { settled } from './fakes';

export function hit(id: string, count = 1, index = 0): SearchHit {
  const excerpt = { before: '', match: 'x', after: '' };
  return {
    ...{
      id,
      agent: 'palimpsest',
      title: id,
      cwd: null,
      model: '',
      lastMessageAt: '2026-11-20T10:00:00Z',
      gone: false,
      count,
    },
    hit: { seq: 1, index, scope: 'user', time: null, state: 'context', excerpt },
  };
}

export function answer(ids: string[], more: Partial<SearchAnswer> = {}): SearchAnswer {
  return {
    query: { text: 'x', terms: [{ text: 'x', not: false, regex: false }], filters: [], problems: [] },
    hits: ids.map((id) => hit(id)),
    scopes: { user: ids.length },
    ...{ counted: true, complete: true, cursor: null, skipped: [], took: 1 },
    ...more,
  };
}

/** As many sessions as are shown at first. */
export const PAGEFUL = Array.from({ length: 50 }, (_, i) => String(i));
export const queryOf = (text: string) => ({ ...answer([]).query, text, terms: [{ text, not: false, regex: false }] });

export function searching(give: (options: SearchOptions) => Promise<SearchAnswer>) {
  const ask = vi.fn((options: SearchOptions, _?: AbortSignal) => give(options));
  const searchIn = vi.fn((_id: string, _options: SearchOptions) =>
    Promise.resolve({ query: answer([]).query, id: 'a', hits: [], total: 0, complete: true, skipped: [] }),
  );
  const search = new Search({ search: ask, searchIn });
  search.isOpen = true;
  const asked = () => ask.mock.calls.map(([options]) => options);
  const still = async () => {
    await vi.advanceTimersByTimeAsync(120);
    await settled();
  };
  return { search, ask, asked, still, searchIn };
}
