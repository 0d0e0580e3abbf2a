import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { context, ID } from '../../test/fakes';
import type { Context, Sizes } from '../backend';
import { Past } from './past.svelte';

const sizes = (tokens: number[]): Sizes => ({
  sessionId: ID,
  window: 1000,
  complete: true,
  points: tokens.map((n, index) => ({ index, seq: index + 1, tokens: n })),
  compactions: [],
});

function past(answers: Sizes[]) {
  const asked: { seq: number | undefined; answer: (context: Context) => void; fail: (cause: Error) => void }[] = [];
  const backend = {
    sizes: vi.fn(() => {
      const next = answers.shift();
      return next ? Promise.resolve(next) : Promise.reject(new Error('no'));
    }),
    context: (_: string, seq?: number) =>
      new Promise<Context>((answer, fail) => {
        asked.push({ seq, answer, fail });
      }),
  };
  return { past: new Past(backend, ID), backend, asked };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('sizes are asked for at once, and while a session grows now and then', async () => {
  const { past: one, backend } = past([sizes([1, 2]), sizes([1, 2, 3])]);
  one.grew();
  one.grew();
  await vi.advanceTimersByTimeAsync(0);
  expect(one.points).toHaveLength(2);
  for (let n = 0; n < 20; n++) {
    one.grew();
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(backend.sizes).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5000);
  expect(backend.sizes).toHaveBeenCalledTimes(2);
  expect(one.points).toHaveLength(3);
  one.grew();
  await vi.advanceTimersByTimeAsync(5000);
  expect(one.points, 'what is known stays where asking fails').toHaveLength(3);
  one.grew()();
  await vi.advanceTimersByTimeAsync(5000);
  expect(backend.sizes).toHaveBeenCalledTimes(3);
});

const part = (tokens: number[]): Sizes => ({ ...sizes(tokens), complete: false });

test('what the program has no time for is asked for again as long as it gets further', async () => {
  const { past: one, backend } = past([part([]), part([1, 2]), part([1, 2, 3]), sizes([1, 2, 3, 4])]);
  one.grew();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(backend.sizes).toHaveBeenCalledTimes(4);
  expect(one.points).toHaveLength(4);
});

test('what the program can never finish is asked for seldom', async () => {
  const { past: one, backend } = past(Array.from({ length: 9 }, () => part([1, 2])));
  one.grew();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(backend.sizes).toHaveBeenCalledTimes(7);
  one.grew();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(backend.sizes).toHaveBeenCalledTimes(7);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(backend.sizes).toHaveBeenCalledTimes(8);
});

test('who left asks no more', async () => {
  const { past: one, backend } = past([part([1]), part([1, 2])]);
  const leave = one.grew();
  await vi.advanceTimersByTimeAsync(0);
  leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(backend.sizes).toHaveBeenCalledTimes(1);
});

test('of the moments that a hand passes only the last is asked for, and late answers are dropped', async () => {
  const { past: one, asked } = past([sizes([10, 20, 30, 40])]);
  one.grew();
  await vi.advanceTimersByTimeAsync(0);
  for (const position of [2, 1, 0]) one.look(position);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked.map(({ seq }) => seq)).toEqual([1]);
  one.look(1);
  await vi.advanceTimersByTimeAsync(1000);
  asked[1]?.answer(context({ at: 2 }));
  asked[0]?.answer(context({ at: 1 }));
  await vi.advanceTimersByTimeAsync(0);
  expect([one.seen?.at, one.moment?.seq, one.position]).toEqual([2, 2, 1]);
  one.look(2);
  await vi.advanceTimersByTimeAsync(1000);
  one.back();
  asked[2]?.answer(context({ at: 3 }));
  await vi.advanceTimersByTimeAsync(0);
  expect([one.seen, one.moment, one.position]).toEqual([null, null, 3]);
});

test('it tells of the moment that one stays at, and of coming back', async () => {
  const told: (number | null)[] = [];
  const { backend } = past([]);
  const one = new Past({ ...backend, sizes: () => Promise.resolve(sizes([10, 20, 30])) }, ID, (moment) =>
    told.push(moment?.seq ?? null),
  );
  one.grew();
  await vi.advanceTimersByTimeAsync(0);
  one.look(1);
  one.look(0);
  await vi.advanceTimersByTimeAsync(1000);
  one.back();
  expect(told).toEqual([1, null]);
});

test('a moment stays where it is when other places are told of, and can be asked for again', async () => {
  const { past: one, asked } = past([
    sizes([10, 20, 30]),
    { ...sizes([10]), points: sizes([10, 20, 30, 40]).points.slice(2) },
  ]);
  one.grew();
  await vi.advanceTimersByTimeAsync(0);
  one.look(1);
  await vi.advanceTimersByTimeAsync(1000);
  asked[0]?.fail(new Error('gone'));
  await vi.advanceTimersByTimeAsync(0);
  expect(one.error?.message).toContain('Gone.');
  one.grew();
  await vi.advanceTimersByTimeAsync(5000);
  expect(one.points.map(({ seq }) => seq)).toEqual([2, 3, 4]);
  expect(one.position).toBe(0);
  one.retry();
  await vi.advanceTimersByTimeAsync(1000);
  expect([one.error, asked[1]?.seq]).toEqual([null, 2]);
});
