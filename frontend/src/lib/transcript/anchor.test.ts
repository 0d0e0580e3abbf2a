import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Anchor } from './anchor';

let now = 0;
let offset = 0;
let total = 100;
let size = 5000;
const scrollToIndex = vi.fn();
const scroller = {
  scrollToIndex,
  getScrollOffset: () => offset,
  getScrollSize: () => size,
  getViewportSize: () => 500,
};
let anchor: Anchor;

beforeEach(() => {
  now = 10_000;
  offset = 4500;
  total = 100;
  size = 5000;
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

describe('at the end', () => {
  beforeEach(() => {
    anchor.scrolled();
    anchor.settle();
    scrollToIndex.mockClear();
  });

  test.each([3, 20, 400])('a move up by %i lets go at once, and nothing pulls back', (up) => {
    offset -= up;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(false);
    size += 200;
    anchor.settle();
    expect(scrollToIndex).not.toHaveBeenCalled();
  });

  test('also where the view had gone along without the scroller knowing', () => {
    anchor.scrolled();
    anchor.followed(5700, 5700);
    anchor.touch();
    size = 6200;
    offset = 5694;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(false);
  });

  test('only going down takes hold of it again', () => {
    anchor.touch();
    offset -= 20;
    anchor.scrolled();
    offset -= 1;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(false);
    offset += 21;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(true);
  });

  test('rows that turn out shorter, or some shorter and some longer, do not let go', () => {
    size -= 300;
    offset -= 300;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(true);
    size += 40;
    offset -= 60;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(true);
  });
});
