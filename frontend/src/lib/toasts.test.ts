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
  for (const message of ['a', 'b', 'c', 'd']) toasts.show(message, { undo: () => undefined });
  expect(toasts.list.map(({ message }) => message)).toEqual(['b', 'c', 'd']);
});

test('errors say what to do', () => {
  const toasts = new Toasts();
  toasts.error(new BackendError('busy', 'held', 'wait'));
  toasts.error(new TypeError('fetch failed'));
  expect(toasts.list.map(({ hint }) => hint !== '')).toEqual([true, true]);
});

test('of the same kind only the last stays; a way back is not lost to news', () => {
  const toasts = new Toasts();
  const undo = vi.fn();
  toasts.show('moved', { undo });
  for (const message of ['copied', 'copied', 'link copied']) toasts.show(message);
  expect(toasts.list.map(({ message }) => message)).toEqual(['moved', 'link copied']);
  toasts.undo();
  expect(undo).toHaveBeenCalledOnce();
  expect(toasts.undoable).toBeNull();
});

test('the key undoes the newest first, and nothing once it is gone', () => {
  const toasts = new Toasts();
  const done: string[] = [];
  for (const name of ['a', 'b']) toasts.show(name, { undo: () => done.push(name) });
  toasts.undo();
  vi.advanceTimersByTime(8000);
  toasts.undo();
  expect(done).toEqual(['b']);
});

test('the key goes on to what was done before, and does not take back what it undid', async () => {
  const toasts = new Toasts();
  const gone: string[] = [];
  const remove = (name: string) => {
    gone.push(name);
    toasts.show(`${name} removed`, { undo: () => restore(name) });
  };
  const restore = async (name: string) => {
    await Promise.resolve();
    gone.splice(gone.indexOf(name), 1);
    toasts.show(`${name} restored`, { undo: () => remove(name) });
  };
  for (const name of ['a', 'b']) remove(name);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual(['a']);
  toasts.undo();
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual([]);
  expect(toasts.undoable).toBeNull();
  // The button still does.
  toasts.list.at(-1)?.action?.run();
  expect(gone).toEqual(['a']);
  expect(toasts.undoable?.message).toBe('a removed');
});

test('the key presses nothing that is no undo', () => {
  const toasts = new Toasts();
  const open = vi.fn();
  toasts.show('asks', { label: 'Open', offer: open });
  toasts.undo();
  expect(open).not.toHaveBeenCalled();
  expect(toasts.list).toHaveLength(1);
});

test('what a question leads to is done, not undone: the key takes it back, whatever it is called', () => {
  const toasts = new Toasts();
  const done: string[] = [];
  const redo = () => done.push('redo');
  toasts.show('undo it?', { offer: () => toasts.show('undone', { label: 'Redo', undo: redo }) });
  expect(toasts.undoable).toBeNull();
  toasts.list[0]?.action?.run();
  toasts.undo();
  expect(done).toEqual(['redo']);
});

test('what is about the conversation goes with it', () => {
  const toasts = new Toasts();
  toasts.show('here', { here: true, undo: () => undefined });
  toasts.show('anywhere', { undo: () => undefined });
  toasts.left();
  expect(toasts.list.map(({ message }) => message)).toEqual(['anywhere']);
});

test('they are shown on the topmost dialog, in whichever order those close', () => {
  const toasts = new Toasts();
  const [below, above] = [{}, {}];
  const closeBelow = toasts.cover(below);
  const closeAbove = toasts.cover(above);
  expect(toasts.place).toBe(above);
  closeBelow();
  expect(toasts.place).toBe(above);
  closeAbove();
  expect(toasts.place).toBeNull();
});
