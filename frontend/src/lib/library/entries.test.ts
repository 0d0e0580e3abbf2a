import { describe, expect, test } from 'vitest';
import { session } from '../../test/fakes';
import { compare, entryOf, filterEntries, groupByDay, withEntry, withoutEntry } from './entries';
import { step } from './cursor';

const ids = (entries: readonly { session: { id: string } }[]) => entries.map((entry) => entry.session.id);

const a = entryOf(session('A', { name: 'Fix Deploy', cwd: '/work/gateway', lastMessageAt: '2026-11-21T12:00:00' }));
const b = entryOf(session('B', { name: null, firstMessage: 'Why is NFS slow?', lastMessageAt: '2026-11-21T09:00:00' }));
const c = entryOf(session('C', { name: null, lastMessageAt: '2026-11-20T09:00:00' }));
const today = new Date(2026, 10, 21).getTime();

test('a session is called by its name, else by how it began', () => {
  expect([a, b, c].map(({ title }) => title)).toEqual(['Fix Deploy', 'Why is NFS slow?', 'Untitled']);
  expect(a.folder).toBe('gateway');
  expect(entryOf(session('D', { name: 'x\u202ey' })).title).toBe('x⟨RLO⟩y');
});

describe('the filter', () => {
  test.each([
    ['deploy', ['A']],
    ['DEPLOY fix', ['A']],
    ['deploy nfs', []],
    ['gateway', ['A']],
    ['slow', ['B']],
    ['  ', ['A', 'B', 'C']],
    ['.*', []],
  ])('%j', (query, expected) => {
    expect(ids(filterEntries([a, b, c], query))).toEqual(expected);
  });

  test.each([
    'cron:nightly',
    'source:cron',
    'CRON',
    'nightly',
    'key:night',
    'night',
    'agent:keeper',
    'keeper',
    'by:harness',
  ])('finds by where it comes from: %j', (query) => {
    const origin = {
      source: 'cron',
      cronJobId: 'nightly',
      key: 'night',
      agent: 'keeper',
      createdBy: 'harness',
    } as const;
    const scheduled = entryOf(session('E', { name: 'x', ...origin }));
    expect(ids(filterEntries([scheduled, a, b, c], query))).toEqual(['E']);
  });

  test('an id matches from its start, six characters on', () => {
    const named = entryOf(session('01JD9ZK3', { name: 'x', firstMessage: null, cwd: null }));
    expect(ids(filterEntries([named, b], '01jd9z'))).toEqual(['01JD9ZK3']);
    expect(filterEntries([named, b], '01jd9')).toEqual([]);
    expect(filterEntries([named, b], 'd9zk3')).toEqual([]);
  });
});

test('newest first, ties by id', () => {
  const tie = entryOf(session('AA', { lastMessageAt: a.session.lastMessageAt }));
  expect(ids([c, a, b, tie].sort(compare))).toEqual(['AA', 'A', 'B', 'C']);
  expect(ids([entryOf(session('X', { lastMessageAt: 'never' })), c].sort(compare))).toEqual(['C', 'X']);
});

test('a heading before each group, and only there', () => {
  const items = groupByDay([a, b, c], today);
  expect(items.map((item) => (item.kind === 'day' ? item.label : item.key))).toEqual([
    'Today',
    'A',
    'B',
    'Yesterday',
    'C',
  ]);
  expect(new Set(items.map((item) => item.key)).size).toBe(items.length);
});

test('a month is one group, however many days it has', () => {
  const days = [5, 4, 3].map((day) => entryOf(session(`M${day}`, { lastMessageAt: `2026-10-0${day}T12:00:00` })));
  expect(groupByDay(days, today).filter((item) => item.kind === 'day')).toHaveLength(1);
});

test('one session put in its place, new or known', () => {
  expect(ids(withEntry([a, c], b))).toEqual(['A', 'B', 'C']);
  const moved = entryOf({ ...c.session, lastMessageAt: '2026-11-21T13:00:00' });
  expect(ids(withEntry([a, b, c], moved))).toEqual(['C', 'A', 'B']);
  expect(ids(withoutEntry([a, b], 'A'))).toEqual(['B']);
});

test('the cursor passes over headings and stops at the ends', () => {
  const items = groupByDay([a, b, c], today);
  expect(step(items, 2, 'ArrowDown', 10)).toBe(4);
  expect(step(items, 4, 'ArrowUp', 10)).toBe(2);
  expect(step(items, 1, 'ArrowUp', 10)).toBe(1);
  expect(step(items, 4, 'ArrowDown', 10)).toBe(4);
  expect(step(items, 4, 'Home', 10)).toBe(1);
  expect(step(items, 1, 'End', 10)).toBe(4);
  expect(step(items, 1, 'PageDown', 10)).toBe(4);
  expect(step(items, 4, 'PageUp', 10)).toBe(1);
  expect(step(items, 1, 'x', 10)).toBeNull();
});
