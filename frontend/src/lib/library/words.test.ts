import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { session } from '../../test/fakes';
import { entryOf } from './entries';
import { filterEntries } from './filter';
import { noFilter } from './pieces';
import { searchedWords } from './words';

const NOW = new Date(2026, 10, 21, 12, 0);
const at = (id: string, month: number, day: number, hour = 12, year = 2026) =>
  entryOf(
    session(id, {
      name: `harbour ${id}`,
      model: id,
      lastMessageAt: new Date(year, month - 1, day, hour).toISOString(),
    }),
  );
const entries = [
  at('today', 11, 21, 1),
  at('yesterday', 11, 20, 23),
  at('week', 11, 14, 13),
  at('longer', 11, 14, 11),
  at('october', 10, 1, 0),
  at('year', 12, 31, 23, 2025),
  entryOf(session('undated', { name: 'harbour undated', lastMessageAt: 'never' })),
];
const found = (query: string) => filterEntries(entries, query).map(({ session: { id } }) => id);
const ids = entries.map(({ session: { id } }) => id);

beforeEach(() => vi.useFakeTimers({ now: NOW }));
afterEach(() => vi.useRealTimers());

test.each([
  ['after:today', ['today']],
  ['after:yesterday', ['today', 'yesterday']],
  ['after:7d', ['today', 'yesterday', 'week']],
  ['before:1w', ['longer', 'october', 'year']],
  ['after:2026-11-20', ['today', 'yesterday']],
  ['after:2026-10 before:2026-11', ['october']],
  ['before:2026', ['year']],
  ['AFTER:2026-11 -after:yesterday', ['week', 'longer']],
  ['-before:2026', ids.filter((id) => id !== 'year')],
])('%s finds what search finds by the same words', (query, expected) => {
  expect(found(query)).toEqual(expected);
});

test.each(['after:', 'after:2', 'after:2026-1', 'after:2026-10-', 'after:yest', 'before:12', '-after:2026-1'])(
  '%s is not written to its end, and keeps everything',
  (query) => {
    expect(found(query)).toEqual(ids);
  },
);

test.each(['after:2026-13', 'after:2026-02-30', 'after:tomorrow', 'before:7y'])('%s is no time', (query) => {
  expect(found(query)).toEqual([]);
});

test('several values with commas are alternatives, and a minus leaves out', () => {
  expect(found('model:week,octo')).toEqual(['week', 'october']);
  expect(found('-model:week,octo')).toEqual(ids.filter((id) => id !== 'week' && id !== 'october'));
  expect(found('-model:year')).toEqual(ids.filter((id) => id !== 'year'));
  expect(found('name:undated')).toEqual(['undated']);
  expect(found('id:yea')).toEqual(['year']);
});

test.each([
  ['harbour -week', ids.filter((id) => id !== 'week')],
  ['-harbour', []],
  ['-WEEK -2', ids.filter((id) => id !== 'week')],
  ['-', ids],
  ['->', []],
  ['--week', []],
  ['-nothing:such', ids],
  ['-after:2026-13', []],
])('a word that %s has a minus in front of is left out; an arrow and a flag are words', (query, expected) => {
  expect(found(query)).toEqual(expected);
});

test('words that no row can answer leave nothing out, and are told', () => {
  expect(found('tool:bash harbour week')).toEqual(['week']);
  expect(found('is:damaged scope:user')).toEqual(ids);
  expect(searchedWords('harbour tool:bash after:7d -in:context is:archived,damaged on:today')).toEqual([
    ...['tool:bash', '-in:context', 'is:archived,damaged', 'on:today'],
  ]);
  expect(searchedWords('in: a:b is:archived agent:codex tool:')).toEqual([]);
});

test('a name that no filter has is told, unless it begins an address', () => {
  expect(noFilter('harbour agent:codex -Foo:bar baz:1')).toBe('foo');
  expect(noFilter('constructor:x')).toBe('constructor');
  expect(noFilter('is:x after:y tool:z -by:w in:v cron:n id:a')).toBeNull();
  expect(noFilter('https://x.example harbour: 12:30 C:\\x')).toBe('c');
  expect(noFilter('https://x.example harbour: 12:30 :x')).toBeNull();
});

test('several states with commas all have to hold, and with a minus none may', () => {
  const make = (id: string, foreign: boolean, compactions: number) =>
    entryOf(session(id, { name: id, foreign, compactions }));
  const four = [
    make('both', true, 1),
    make('foreign', true, 0),
    make('compacted', false, 1),
    make('neither', false, 0),
  ];
  const kept = (query: string) => filterEntries(four, query).map(({ session: { id } }) => id);
  expect(kept('is:compacted,foreign')).toEqual(['both']);
  expect(kept('is:compacted,')).toEqual(['both', 'compacted']);
  expect(kept('-is:compacted,foreign')).toEqual(['neither']);
  expect(kept('is:compacted,nothing')).toEqual([]);
});
