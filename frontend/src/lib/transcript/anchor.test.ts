import { beforeEach, expect, test, vi } from 'vitest';
import { Anchor } from './anchor';

let now = 0;
let offset = 0;
let total = 100;
const scrollToIndex = vi.fn();
const scroller = {
  scrollToIndex,
  getScrollOffset: () => offset,
  getScrollSize: () => 5000,
  getViewportSize: () => 500,
};
let anchor: Anchor;

beforeEach(() => {
  now = 10_000;
  offset = 4500;
  total = 100;
  scrollToIndex.mockClear();
  anchor = new Anchor(
    () => scroller,
    () => total,
    () => now,
  );
});

test('begins at the end, and stays there while heights settle and lines are added', () => {
  anchor.settle();
  expect(scrollToIndex).toHaveBeenLastCalledWith(99, { align: 'end' });
  total = 103;
  anchor.settle();
  expect(scrollToIndex).toHaveBeenLastCalledWith(102, { align: 'end' });
});

test('a scroll that nobody asked for does not let go', () => {
  offset = 1000;
  anchor.scrolled();
  expect(anchor.atEnd).toBe(true);
});

test('the reader lets go by scrolling, and takes hold again at the end', () => {
  anchor.touch();
  offset = 1000;
  anchor.scrolled();
  expect(anchor.atEnd).toBe(false);
  anchor.settle();
  expect(scrollToIndex).not.toHaveBeenCalled();
  // Long after the hand was last seen, as when the bar is dragged.
  now += 60_000;
  offset = 4490;
  anchor.scrolled();
  expect(anchor.atEnd).toBe(true);
});

test('a jump is held like the end', () => {
  anchor.jump({ position: 42, align: 'center', flash: true });
  expect(anchor.atEnd).toBe(false);
  anchor.settle();
  expect(scrollToIndex).toHaveBeenCalledTimes(2);
  expect(scrollToIndex).toHaveBeenLastCalledWith(42, { align: 'center' });
});

test('a jump to the last line at the end is a jump to the end', () => {
  anchor.jump({ position: 99, align: 'end', flash: false });
  expect(anchor.atEnd).toBe(true);
});

test('what the reader opens stays where it was pressed', () => {
  anchor.release();
  offset = 3000;
  anchor.settle();
  expect(scrollToIndex).not.toHaveBeenCalled();
  offset = 4500;
  anchor.settle();
  expect(anchor.atEnd).toBe(true);
});

test('of an empty log there is nothing to hold', () => {
  total = 0;
  anchor.settle();
  expect(scrollToIndex).not.toHaveBeenCalled();
});
