import { describe, expect, test } from 'vitest';
import { beside, changesOf } from './changes';
import { scrollFor } from './dragging';
import { estimate } from './estimate';
import { row, plan, review } from './fakes';
import { linesOf } from './lines';
import { ofPast, sizesOf } from './sizes';
import { cutIndex, nearestStop, stopForKey, stopsOf } from './stops';

test.each([
  ['', 0],
  ['abcd', 1],
  ['abcde', 2],
  ['木', 1],
  ['木木a', 3],
  ['🙂', 1],
  ['é̈x', 1],
  ['a'.repeat(4000), 1000],
])('%j counts %d', (text, tokens) => {
  expect(estimate(text)).toBe(tokens);
});

describe('where a cut can be', () => {
  const stops = stopsOf(review());

  test('before each boundary, and at the end if that is listed', () => {
    expect(stops.map(({ seq }) => seq)).toEqual([1, 3, 5, 7, 9]);
    expect(stopsOf(review({ totalRows: 20 })).map(({ seq }) => seq)).toEqual([1, 3, 5, 7]);
    expect(stopsOf(review({ rows: [], totalRows: 0 }))).toEqual([{ seq: 9, index: 0 }]);
  });

  test('is found, also if its record is not listed', () => {
    const { rows } = review();
    expect([1, 5, 9, 99].map((cut) => cutIndex(rows, cut))).toEqual([0, 4, 8, 8]);
    expect(cutIndex([row(1), row(9)], 5)).toBe(1);
  });

  test('is the nearest one', () => {
    expect([-3, 0, 3, 5, 100].map((index) => stops[nearestStop(stops, index)]?.seq)).toEqual([1, 1, 3, 5, 9]);
    expect(nearestStop([], 4)).toBe(-1);
  });

  test('is reached by keys, and never left', () => {
    const to = (key: string) => stopForKey(key, 2, 5);
    expect(['ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'].map(to)).toEqual([1, 3, 0, 4, 0, 4]);
    expect(to('x')).toBeNull();
  });
});

test('lines: the previous summary first, what is not listed, and the end', () => {
  const previous = { seq: 40, timestamp: '', tokens: 7, summary: '## Goal\nGo on.\n\n<read-files>\na\n</read-files>' };
  const rows = [
    row(41, { text: 'a\n\u202eb' }),
    row(42, { tool: 'bash' }),
    row(43, { role: 'toolResult', tool: 'bash' }),
  ];
  const { lines, lead } = linesOf(review({ previous, rows, firstRow: 3, totalRows: 6, endSeq: 44 }));
  expect(lead).toBe(2);
  expect(lines.map(({ kind }) => kind)).toEqual(['summary', 'more', 'row', 'row', 'row', 'end']);
  expect(lines.map(({ who }) => who)).toEqual(['summary', '', 'user', 'bash', 'result', '']);
  expect(lines[0]?.text).toBe('Goal: Go on.');
  expect(lines[2]?.text).toBe('a ⟨RLO⟩b');
  expect(lines.map(({ cut }) => cut)).toEqual([null, null, 41, null, 43, 44]);
});

test('the cut is kept in view, and nothing moves that need not', () => {
  expect(scrollFor(0, 400, 1000, 40, false)).toBe(760);
  expect(scrollFor(760, 400, 1000, 40, true)).toBe(760);
  expect(scrollFor(760, 400, 800, 40, true)).toBe(720);
  expect(scrollFor(760, 400, 1100, 40, true)).toBe(820);
});

test('sizes: what is cleared stands before, and not after', () => {
  const sizes = sizesOf(review({ plan: plan({ prune: { seqs: [6], tokensFreed: 30 } }) }), 5);
  expect(sizes).toEqual({ before: 110, summary: 5, kept: 40, after: 45 });
  expect(sizesOf(review({ plan: null }), 5)).toBeNull();
  expect(ofPast(review({ plan: plan() }), '12345678')?.summary).toBe(2);
  expect(ofPast(review({ plan: plan() }), ' '), 'of one that nobody can read').toMatchObject({
    summary: null,
    after: null,
  });
  expect(ofPast(review({ plan: plan({ tokensAfter: 9 }) }), '')?.summary, 'as its agent noted').toBe(9);
});

test('changes keep every line, and stand beside each other', () => {
  const diff = changesOf('a\nb\nc', 'a\nB\nc\nd\n');
  expect(diff?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same a',
    'removed b',
    'added B',
    'same c',
    'added d',
  ]);
  expect(diff && beside(diff)).toEqual([
    { left: 'a', right: 'a', same: true },
    { left: 'b', right: 'B', same: false },
    { left: 'c', right: 'c', same: true },
    { left: null, right: 'd', same: false },
  ]);
  expect(changesOf('x', 'x')).toMatchObject({ added: 0, removed: 0 });
  expect(changesOf('x'.repeat(500_000), '')).toBeNull();
});
