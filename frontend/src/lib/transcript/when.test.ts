import { expect, test } from 'vitest';
import { entry, message } from '../../test/fakes';
import type { Row } from './rows';
import { whenOf } from './when';

function row(index: number, timestamp: string, more: Record<string, unknown> = {}): Row {
  const record = { ...message(index + 1, 'user', 'x'), timestamp, ...more };
  return { kind: 'record', entry: entry(index), record, seq: index + 1, notes: [] };
}
const damage: Row = { kind: 'damage', damage: { index: 1, offset: 0, line: 2, kind: 'torn', reason: '' } };
const call = { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {} }] };
const result = { role: 'toolResult', toolCallId: 'c' };
const at = (rows: (Row | undefined)[], position: number) => whenOf((n) => rows[n], position);
const midnight = (day: number) => new Date(2026, 10, day).getTime();
const on = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).toISOString();

test('the first row begins a day, the next one only if it is another day', () => {
  const rows = [row(0, on(20, 9)), row(1, on(20, 9, 5)), row(2, on(21, 8))];
  expect(rows.map((_, n) => at(rows, n))).toEqual([{ day: midnight(20) }, {}, { day: midnight(21) }]);
});

test('events, damaged lines and records without a time stand between days as nothing does', () => {
  const event = row(1, on(21, 7), { recordType: 'model' });
  expect(at([row(0, on(20, 9)), event], 1)).toEqual({ day: midnight(21) });
  expect(at([row(0, on(20, 9)), damage, row(2, on(21, 8))], 2)).toEqual({ day: midnight(21) });
  expect(at([row(0, on(20, 9)), damage, row(2, on(20, 9, 1))], 2)).toEqual({});
  expect(at([row(0, on(20, 9)), row(1, 'no time'), row(2, on(21, 8))], 2)).toEqual({ day: midnight(21) });
  expect(at([row(0, on(20, 9)), row(1, 'no time')], 1)).toEqual({});
});

test('a day that begins with a result shows above the next row that shows anything', () => {
  const rows = [row(0, on(20, 23, 59), call), row(1, on(21, 0, 1), result), row(2, on(21, 0, 2))];
  expect(at(rows, 1)).toEqual({});
  expect(at(rows, 2)).toEqual({ day: midnight(21) });
});

test('nothing is said until the row before has been read', () => {
  expect(at([undefined, row(1, on(21, 8))], 1)).toEqual({});
});

test('a long silence is said, one that a tool filled is not', () => {
  expect(at([row(0, on(20, 9)), row(1, on(20, 11, 30))], 1)).toEqual({ gap: 9_000_000 });
  expect(at([row(0, on(20, 9)), row(1, on(20, 9, 59))], 1)).toEqual({});
  const rows = [row(0, on(20, 9), call), row(1, on(20, 12), result), row(2, on(20, 12, 1))];
  expect(at(rows, 2)).toEqual({});
});
