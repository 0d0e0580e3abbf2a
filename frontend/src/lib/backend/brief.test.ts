import { expect, test } from 'vitest';
import { session } from '../../test/fakes';
import { isWhole, sessionOfRow, withDetails } from './brief';

test('what a row leaves out is as in most of them, and never 0 where it is not known', () => {
  const row = sessionOfRow({ id: 'A', lastMessageAt: '2026-11-21T10:00:00Z' });
  expect(row).toMatchObject({ name: null, source: 'interactive', archivedAt: null, foreign: false, children: 0 });
  expect([row.messageCount, row.compactions]).toEqual([null, null]);
  expect(isWhole(row)).toBe(false);
  const told = { id: 'A', lastMessageAt: '', name: 'n', compactions: 0, foreign: true, archivedAt: 't', children: 2 };
  expect(sessionOfRow(told)).toMatchObject(told);
});

test('a row keeps what was told of its session before, and is newer in all else', () => {
  const before = session('A', { name: 'before', path: '/p', activeSeconds: 3, forkedAtSeq: 7 });
  const row = sessionOfRow({ id: 'A', lastMessageAt: '2026-11-22T10:00:00Z', name: 'now' });
  expect(withDetails(row, before)).toMatchObject({
    ...{ name: 'now', lastMessageAt: '2026-11-22T10:00:00Z', cwd: null },
    ...{ createdAt: before.createdAt, path: '/p', activeSeconds: 3, forkedAtSeq: 7 },
  });
  expect(withDetails(row, sessionOfRow({ id: 'A', lastMessageAt: '' }))).toBe(row);
  const whole = session('A', { path: '/q' });
  expect(withDetails(whole, before)).toBe(whole);
});
