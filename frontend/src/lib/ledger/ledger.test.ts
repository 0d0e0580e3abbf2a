import { expect, test, vi } from 'vitest';
import type { Ledger, LedgerEntry } from '../backend';
import { fakeBackend, later, settled } from '../../test/fakes';
import { LedgerPage } from './ledger.svelte';
import { leftOf } from './left';
import { resorted, sortLedger, sortOfWord, wordOfSort } from './sorting';

const entry = (id: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ id, agent: 'codex', title: id, cwd: null, seq: 1, index: 0, time: '2026-11-20T10:00:00Z', trigger: 'manual' },
  ...{
    model: null,
    tokensBefore: 10,
    tokensAfter: null,
    messages: 1,
    state: 'inForce' as const,
    ofSession: 1,
    inSession: 1,
    copied: false,
  },
  ...more,
});
const page = (entries: LedgerEntry[], cursor: string | null = null): Ledger => ({
  ...{ entries, cursor, total: 2, copied: 1 },
  coverage: { sessions: 1, indexed: 1 },
});
const none = { agent: '', project: '', model: '', trigger: '', min: 0 };
const ids = (entries: readonly LedgerEntry[]) => entries.map(({ id }) => id).join('');

test('sorted by a column, what is not known comes last either way', () => {
  const all = [entry('A', { tokensBefore: 5 }), entry('B', { tokensBefore: null }), entry('C', { tokensBefore: 9 })];
  expect(ids(sortLedger(all, { by: 'tokens', down: true }))).toBe('CAB');
  expect(ids(sortLedger(all, { by: 'tokens', down: false }))).toBe('ACB');
  expect(ids(sortLedger(all, { by: 'trigger', down: false })), 'what is the same stays as it was').toBe('ABC');
  expect(sortLedger(all, { by: 'time', down: true })).toBe(all);
  expect(resorted({ by: 'time', down: true }, 'time')).toEqual({ by: 'time', down: false });
  expect(resorted({ by: 'time', down: true }, 'title')).toEqual({ by: 'title', down: false });
  expect(resorted({ by: 'title', down: false }, 'messages')).toEqual({ by: 'messages', down: true });
});

test('an address tells the order, and what else may be written there is none', () => {
  const newest = { by: 'time', down: true } as const;
  const tokens = { by: 'tokens', down: true } as const;
  for (const sort of [newest, tokens, { by: 'time', down: false }, { by: 'agent', down: false }] as const)
    expect(sortOfWord(wordOfSort(sort))).toEqual(sort);
  expect(wordOfSort(newest), 'nothing where it is as they come').toBe('');
  expect(wordOfSort(tokens)).toBe('-tokens');
  for (const word of [undefined, '-', '--tokens', 'toString', '__proto__']) expect(sortOfWord(word)).toEqual(newest);
});

test('what is noted with an address is a row only where it says which, and where it stood', () => {
  expect(leftOf({ row: 'A/3', below: 40 })).toEqual({ row: 'A/3', below: 40 });
  for (const noted of [null, { search: true }, { row: 'A/3' }, { row: 3, below: 0 }]) expect(leftOf(noted)).toBeNull();
});

test('the rest is read page by page; of two questions the last one counts', async () => {
  const slow = later<Ledger>();
  const ledger = vi.fn<(filter: unknown, cursor: string | null) => Promise<Ledger>>(() => slow.promise);
  const shown = new LedgerPage(fakeBackend({ ledger }));
  const first = shown.load(none);
  await settled();
  ledger.mockImplementation((_, cursor) => Promise.resolve(cursor ? page([entry('B')]) : page([entry('A')], '1')));
  await shown.load({ ...none, min: 2 });
  slow.resolve(page([entry('X')]));
  await first;
  expect(ids(shown.entries)).toBe('AB');
  expect([shown.more, shown.total, shown.copied, shown.loaded]).toEqual([false, 2, 1, true]);
});

test('asked anew while sessions are read, it stays as long as it was until all of it is there', async () => {
  const rest = later<Ledger>();
  const ledger = vi.fn<(filter: unknown, cursor: string | null) => Promise<Ledger>>((_, cursor) =>
    Promise.resolve(cursor ? page([entry('B')]) : page([entry('A')], '1')),
  );
  const shown = new LedgerPage(fakeBackend({ ledger }));
  await shown.load(none);
  expect(ids(shown.entries)).toBe('AB');
  ledger.mockImplementation((_, cursor) => (cursor ? rest.promise : Promise.resolve(page([entry('N')], '1'))));
  const again = shown.load({ ...none });
  await settled();
  expect(ids(shown.entries)).toBe('AB');
  rest.resolve(page([entry('A'), entry('B')]));
  await again;
  expect(ids(shown.entries)).toBe('NAB');
});

test('gone back to, it does not stay with what another question was answered so far', async () => {
  const rest = later<Ledger>();
  const ledger = vi.fn<(filter: unknown, cursor: string | null) => Promise<Ledger>>((_, cursor) =>
    Promise.resolve(cursor ? page([entry('B')]) : page([entry('A')], '1')),
  );
  const shown = new LedgerPage(fakeBackend({ ledger }));
  await shown.load(none);
  ledger.mockImplementation((_, cursor) => (cursor ? rest.promise : Promise.resolve(page([entry('N')], '1'))));
  const loads = [shown.load({ ...none, min: 2 })];
  await settled();
  expect(ids(shown.entries)).toBe('N');
  ledger.mockImplementation((_, cursor) => (cursor ? rest.promise : Promise.resolve(page([entry('A')], '1'))));
  loads.push(shown.load(none));
  await settled();
  expect([ids(shown.entries), shown.more]).toEqual(['A', true]);
  rest.resolve(page([entry('B')]));
  await Promise.all(loads);
  expect([ids(shown.entries), shown.more]).toEqual(['AB', false]);
});
