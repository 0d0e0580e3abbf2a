import { describe, expect, test, vi } from 'vitest';
import { session } from '../../test/fakes';
import { entryOf } from '../library/entries';
import { marks } from './marks';
import { prepare, search } from './search';

const commands = [
  { id: 'compact' as const, label: 'Compact…' },
  { id: 'copyMessage' as const, label: 'Copy message' },
];
const entries = [
  entryOf(session('A', { name: 'decompile the lamp' })),
  entryOf(session('B', { name: 'lamp oil', cwd: '/srv/harbour' })),
  entryOf(session('C', { name: 'unrelated', model: 'lamp-2' })),
];
const names = (query: string) =>
  search(query, commands, entries).map(({ kind, found }) => [
    kind,
    ...found.map((one) => (one.kind === 'command' ? one.id : one.entry.session.id)),
  ]);

describe('the palette finds', () => {
  test('the same in a list that was prepared, half prepared, or not at all', () => {
    vi.useFakeTimers();
    const many = Array.from({ length: 2500 }, (_, i) => entryOf(session(`S${i}`, { name: `lamp ${i}` })));
    const last = () => search('2499', [], many)[0]?.found[0];
    for (const turns of [0, 1, 5]) {
      const stop = prepare([...many]);
      const other = prepare(many);
      for (let turn = 0; turn < turns; turn++) vi.advanceTimersToNextTimer();
      expect(last()).toEqual({ kind: 'session', entry: many[2499] });
      stop();
      other();
    }
    vi.useRealTimers();
  });

  test('without a query, what was talked in last, and every command', () => {
    expect(names('')).toEqual([
      ['recent', 'A', 'B', 'C'],
      ['commands', 'compact', 'copyMessage'],
    ]);
  });

  test('names before folders and models, beginnings of words first', () => {
    expect(names('lamp')).toEqual([['sessions', 'A', 'B', 'C']]);
    expect(names('harb')).toEqual([['sessions', 'B']]);
    expect(names('comp')).toEqual([
      ['commands', 'compact'],
      ['sessions', 'A'],
    ]);
  });

  test('only where every word is found', () => {
    expect(names('lamp oil')).toEqual([['sessions', 'B']]);
    expect(names('oil harbour')).toEqual([['sessions', 'B']]);
    expect(names('lamp x')).toEqual([]);
  });

  test('no more than can be looked through', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => entryOf(session(`S${n}`, { name: `lamp ${n}` })));
    expect(search('lamp', [], many)[0]?.found).toHaveLength(14);
    expect(search('', commands, many)[0]?.found).toHaveLength(6);
  });
});

test('what matched is marked, in its own letters', () => {
  expect(marks('Harbour lights', ['har', 'lig'])).toEqual([
    { said: 'Har', marked: true },
    { said: 'bour ', marked: false },
    { said: 'lig', marked: true },
    { said: 'hts', marked: false },
  ]);
  expect(marks('aaa', ['aa', 'a'])).toEqual([{ said: 'aaa', marked: true }]);
  expect(marks('İx', ['x'])).toEqual([{ said: 'İx', marked: false }]);
});
