import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Anchor } from './anchor';

let now = 0;
let offset = 0;
let total = 100;
let size = 5000;
let high = 50;
const scrollTo = vi.fn();
const scrollToEnd = vi.fn();
const scroller = {
  scrollTo,
  scrollToEnd,
  getItemOffset: (index: number) => index * 50,
  getItemSize: () => high,
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
  high = 50;
  scrollTo.mockClear();
  scrollToEnd.mockClear();
  anchor = new Anchor(
    () => scroller,
    () => total,
    () => now,
  );
});

test('begins at the end, and stays there while heights settle and lines are added', () => {
  anchor.settle();
  expect(scrollToEnd).toHaveBeenCalledOnce();
  total = 103;
  anchor.settle();
  expect(scrollToEnd).toHaveBeenCalledTimes(2);
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
  expect([...scrollTo.mock.calls, ...scrollToEnd.mock.calls]).toEqual([]);
  // Long after the hand was last seen, as when the bar is dragged.
  now += 60_000;
  offset = 4490;
  anchor.scrolled();
  expect(anchor.atEnd).toBe(true);
});

test.each([
  ['start', 2100 + 7],
  ['center', 2100 - 225 + 7],
  ['end', 2100 - 450 + 7],
] as const)('a row is held at its %s like the end', (align, top) => {
  anchor.hold({ position: 42, align, offset: 7 });
  expect(anchor.atEnd).toBe(false);
  anchor.settle();
  anchor.settle();
  expect(scrollTo.mock.calls).toEqual([[top], [top]]);
  // As the page tells of it afterwards.
  anchor.moved(top, 4500);
  offset = top;
  anchor.touch();
  anchor.scrolled();
  anchor.settle();
  expect(scrollTo).toHaveBeenCalledTimes(3);
  anchor.down();
  anchor.settle();
  expect(scrollTo).toHaveBeenCalledTimes(3);
});

test('of a row that is higher than the view its beginning is in the middle’s place', () => {
  high = 800;
  anchor.hold({ position: 42, align: 'center' });
  anchor.settle();
  expect(scrollTo).toHaveBeenLastCalledWith(2100);
  anchor.hold({ position: 42, align: 'end' });
  anchor.settle();
  expect(scrollTo).toHaveBeenLastCalledWith(2400);
});

test('of a log that became shorter the last row is held', () => {
  anchor.hold({ position: 42, align: 'start' });
  total = 10;
  anchor.settle();
  expect(scrollTo).toHaveBeenLastCalledWith(450);
});

test('what the reader opens stays where it was pressed', () => {
  anchor.release();
  offset = 3000;
  anchor.settle();
  expect([...scrollTo.mock.calls, ...scrollToEnd.mock.calls]).toEqual([]);
  offset = 4500;
  anchor.settle();
  expect(anchor.atEnd).toBe(true);
});

test('of an empty log there is nothing to hold', () => {
  total = 0;
  anchor.settle();
  expect([...scrollTo.mock.calls, ...scrollToEnd.mock.calls]).toEqual([]);
});

describe('at the end', () => {
  beforeEach(() => {
    anchor.scrolled();
    anchor.settle();
    scrollToEnd.mockClear();
  });

  test.each([3, 20, 400])('a move up by %i lets go at once, and nothing pulls back', (up) => {
    offset -= up;
    anchor.scrolled();
    expect(anchor.atEnd).toBe(false);
    size += 200;
    anchor.settle();
    expect([...scrollTo.mock.calls, ...scrollToEnd.mock.calls]).toEqual([]);
  });

  test('also where the view had gone along without the scroller knowing', () => {
    anchor.scrolled();
    anchor.moved(5700, 5700);
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

  test('what goes up lets go before anything has moved, and what was on its way does not take hold again', () => {
    anchor.touch();
    anchor.up();
    expect(anchor.atEnd).toBe(false);
    // The answer had grown just before.
    size += 30;
    anchor.settle();
    expect(scrollToEnd).not.toHaveBeenCalled();
    anchor.scrolled();
    expect(anchor.atEnd).toBe(false);
  });

  test('what goes down takes hold again where there is nowhere to go', () => {
    anchor.up();
    offset -= 100;
    anchor.scrolled();
    anchor.down();
    expect(anchor.atEnd, 'not yet').toBe(false);
    anchor.up();
    offset += 100;
    anchor.down();
    expect(anchor.atEnd).toBe(true);
  });

  test('while the bar is held nothing else moves the view', () => {
    anchor.gripped = true;
    size += 200;
    anchor.settle();
    expect(anchor.follows).toBe(false);
    expect(scrollToEnd).not.toHaveBeenCalled();
    now += 60_000;
    offset -= 20;
    size += 40;
    anchor.scrolled();
    expect(anchor.atEnd, 'the hand on the bar did that').toBe(false);
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
