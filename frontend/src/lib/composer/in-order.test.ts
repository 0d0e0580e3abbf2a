import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InOrder } from './in-order';

let got: number[];
const onGap = vi.fn();
let order: InOrder<{ n: number }>;
const send = (...all: number[]) => {
  for (const n of all) order.receive({ n });
};

beforeEach(() => {
  vi.useFakeTimers();
  got = [];
  onGap.mockClear();
  order = new InOrder(({ n }) => got.push(n), onGap);
});
afterEach(() => {
  order.close();
  vi.useRealTimers();
});

test('in order, once each', () => {
  send(1, 2, 2, 1, 3);
  expect(got).toEqual([1, 2, 3]);
});

test('a little out of order is put right', () => {
  send(2, 1, 5, 4, 3);
  expect(got).toEqual([1, 2, 3, 4, 5]);
  vi.advanceTimersByTime(1000);
  expect(onGap).not.toHaveBeenCalled();
});

test('what is missing for too long is a gap, and the count goes on from what is known then', () => {
  send(1, 3, 4);
  expect(onGap).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(onGap).toHaveBeenCalledOnce();
  order.resume(3);
  expect(got).toEqual([1, 4]);
  send(5);
  expect(got).toEqual([1, 4, 5]);
});

test('many held are a gap at once', () => {
  send(...Array.from({ length: 32 }, (_, i) => i + 2));
  expect(onGap).toHaveBeenCalledOnce();
});
