import { expect, test } from 'vitest';
import { BackendError } from './errors';
import { partsOf, wholeOf } from './parts';

const answer = (rows: number[], next: string | null): Response =>
  new Response(rows.map((row) => `${row}\n`).join(''), {
    headers: { 'X-Total': '5', ...(next && { 'X-Next': next }) },
  });

/** A program that answers in turn, and what it was asked. */
function program(...answers: (Response | BackendError)[]) {
  const asked: string[] = [];
  const ask = (path: string) => {
    asked.push(path);
    const next = answers.shift();
    return next instanceof Response ? Promise.resolve(next) : Promise.reject(next ?? new Error('nobody is there'));
  };
  return { ask, asked };
}
const number = (row: unknown) => row as number;

test('a list comes in as many requests as it has parts', async () => {
  const { ask, asked } = program(answer([1, 2], 'A.2'), answer([3, 4], 'A.4'), answer([5], null));
  const parts = [];
  for await (const part of partsOf({ ask }, 'sessions?brief=1', number)) parts.push(part);
  expect(parts).toEqual([
    { rows: [1, 2], from: 0, total: 5 },
    { rows: [3, 4], from: 2, total: 5 },
    { rows: [5], from: 4, total: 5 },
  ]);
  expect(asked).toEqual(['sessions?brief=1&parts=1', 'sessions?cursor=A.2', 'sessions?cursor=A.4']);
});

test('a list that the program holds no more is asked for from its beginning, and is whole then', async () => {
  const stale = new BackendError('stale', 'not held');
  const { ask, asked } = program(answer([1, 2], 'A.2'), stale, answer([1, 9, 3], 'B.3'), answer([4, 5], null));
  expect(await wholeOf(partsOf({ ask }, 'kept', number))).toEqual([1, 9, 3, 4, 5]);
  expect(asked).toEqual(['kept?parts=1', 'kept?cursor=A.2', 'kept?parts=1', 'kept?cursor=B.3']);
});

test('that is not tried without an end, and another error at once is one', async () => {
  const stale = () => new BackendError('stale', 'not held');
  const tired = program(...[1, 2, 3, 4].flatMap(() => [answer([1], 'A.1'), stale()]));
  await expect(wholeOf(partsOf(tired, 'kept', number))).rejects.toMatchObject({ code: 'stale' });
  expect(tired.asked).toHaveLength(6);
  const away = program(answer([1], 'A.1'), new BackendError('unreachable', 'away'));
  await expect(wholeOf(partsOf(away, 'kept', number))).rejects.toMatchObject({ code: 'unreachable' });
});
