import { describe, expect, test } from 'vitest';
import type { Opening } from '../backend';
import { message, pageOf } from '../../test/fakes';
import { joined, placeIn } from './excerpt';
import { indexOf, rowsOf } from './rows';

/** The rows of messages with these texts, numbered anew. */
const rows = (...texts: string[]) =>
  rowsOf(
    pageOf(
      texts.map((text, n) => message(n + 1, 'user', text)),
      0,
      texts.length,
    ),
  );

const whole = (first: number, ...texts: string[]): Opening => {
  const before = Array.from({ length: first }, (_, n) => message(n + 1, 'user', `before ${n}`));
  const all = [...before, ...texts.map((text, n) => message(first + n + 1, 'user', text))];
  return { ...pageOf(all, first, texts.length), excerpt: null };
};

describe('an excerpt that is told again', () => {
  test.each([
    ['the same', ['a', 'b'], ['a', 'b'], 2],
    ['more at the end', ['a', 'b'], ['a', 'b', 'c'], 3],
    ['more at the end, less at the beginning', ['a', 'b', 'c'], ['c', 'd'], 4],
    ['the last one twice', ['a', 'a'], ['a', 'a', 'b'], 3],
  ])('%s', (_, before, now, count) => {
    const all = joined(rows(...before), rows(...now));
    expect(all?.map(indexOf)).toEqual(Array.from({ length: count }, (_, n) => n));
  });

  test('nothing in common with it', () => {
    expect(joined(rows('a'), rows('b'))).toBeNull();
    expect(joined([], rows('b'))).toBeNull();
  });
});

describe('where a row stands in the whole', () => {
  test.each([
    ['as far from the end', ['a', 'b', 'c'], 1, whole(100, 'a', 'b', 'c'), 101],
    ['with more behind it', ['a', 'b', 'c'], 1, whole(100, 'a', 'b', 'c', 'd', 'e'), 101],
    ['one of several that say the same', ['x', 'x', 'x'], 1, whole(100, 'x', 'x', 'x'), 101],
    ['further up than the end is known', ['a', 'b', 'c'], 0, whole(100, 'c'), 98],
    ['beyond the excerpt', ['a'], 7, whole(2, 'a'), 2],
  ])('%s', (_, excerpt, position, end, place) => {
    expect(placeIn(rows(...excerpt), position, end)).toBe(place);
  });
});
