import { expect, test } from 'vitest';
import { entry, message } from '../../test/fakes';
import { joinCalls, ownerOf } from './join';
import type { Row } from './rows';
import { nextPosition } from './steps';

const call = (id: string) => ({ type: 'toolCall', id, name: 'bash', arguments: {} });
const asks = (...ids: string[]) => message(1, 'assistant', ids.map(call));
const answers = (id: string) => message(2, 'toolResult', 'done', { toolCallId: id });

function log(...records: (Record<string, unknown> | 'damage' | 'unloaded')[]) {
  const rows = records.map((record, i): Row | undefined => {
    if (record === 'unloaded') return undefined;
    if (record === 'damage')
      return { kind: 'damage', damage: { index: i, offset: 0, line: 1, kind: 'torn', reason: '' } };
    return { kind: 'record', entry: entry(i), record, seq: i + 1, notes: [] };
  });
  return (at: number) => rows[at];
}
const positions = (rowAt: (at: number) => Row | undefined, at: number) =>
  joinCalls(rowAt, at).map((item) => item.position);

test('results follow their calls, in any order', () => {
  expect(positions(log(asks('a', 'b'), answers('b'), answers('a')), 0)).toEqual([2, 1]);
});

test('a call without a result has none', () => {
  expect(positions(log(asks('a', 'b'), answers('b'), message(3, 'user', 'go on'), answers('a')), 0)).toEqual([-1, 1]);
});

test('a damaged line or a label between them is no obstacle, a compaction is', () => {
  expect(positions(log(asks('a'), 'damage', { recordType: 'label' }, answers('a')), 0)).toEqual([3]);
  expect(positions(log(asks('a'), { recordType: 'compaction' }, answers('a')), 0)).toEqual([-1]);
});

test('what a person alone was shown is no obstacle, and has no results', () => {
  const rowAt = log(asks('a'), message(2, 'assistant', 'shown', { aside: true }), answers('a'));
  expect(positions(rowAt, 0)).toEqual([2]);
  expect(ownerOf(rowAt, 2)).toBe(0);
});

test('the same id twice is answered twice, in order', () => {
  expect(positions(log(asks('a', 'a'), answers('a'), answers('a')), 0)).toEqual([1, 2]);
});

test('a result knows the message that shows it', () => {
  const rowAt = log(asks('a'), answers('a'), answers('x'), asks('a'), answers('a'));
  expect([1, 2, 4].map((at) => ownerOf(rowAt, at))).toEqual([0, null, 3]);
});

test('a result whose message is not loaded, or is none, stands alone', () => {
  expect(ownerOf(log('unloaded', answers('a')), 1)).toBeNull();
  expect(ownerOf(log(answers('a')), 0)).toBeNull();
});

test('steps pass over results that are shown with their call', () => {
  const rowAt = log(asks('a'), answers('a'), answers('x'), 'damage', message(5, 'user', 'x'));
  expect(nextPosition(rowAt, 0, 1, 5)).toBe(2);
  expect(nextPosition(rowAt, 2, -1, 5)).toBe(0);
  expect(nextPosition(rowAt, 4, 1, 5)).toBe(4);
  expect(nextPosition(rowAt, 5, -1, 5)).toBe(4);
});
