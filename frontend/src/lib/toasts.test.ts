import { beforeEach, expect, test, vi } from 'vitest';
import { BackendError } from './backend';
import { Toasts } from './toasts.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test('a toast goes by itself, but not while it is pointed at', () => {
  const toasts = new Toasts();
  toasts.show('a');
  toasts.hold();
  vi.advanceTimersByTime(60_000);
  expect(toasts.list).toHaveLength(1);
  toasts.release();
  vi.advanceTimersByTime(7999);
  expect(toasts.list).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts.list).toHaveLength(0);
});

test('no more than three at a time', () => {
  const toasts = new Toasts();
  for (const message of ['a', 'b', 'c', 'd']) toasts.show(message);
  expect(toasts.list.map(({ message }) => message)).toEqual(['b', 'c', 'd']);
});

test('errors say what to do', () => {
  const toasts = new Toasts();
  toasts.error(new BackendError('busy', 'held', 'wait'));
  toasts.error(new TypeError('fetch failed'));
  expect(toasts.list.map(({ hint }) => hint !== '')).toEqual([true, true]);
});
