import { describe, expect, test } from 'vitest';
import { courseTo, endOf, forksOf } from './course';

// Lines 0 to 3; from behind line 1 again at 4, and once more at 7; from behind line 5, within the second way, at 9.
const branches = [
  { index: 4, from: 2, messages: 2, left: 2 },
  { index: 7, from: 2, messages: 1, left: 2 },
  { index: 9, from: 6, messages: 2, left: 1 },
];
const TOTAL = 12;
const lines = (end: number) => {
  const course = courseTo(branches, end);
  return Array.from({ length: course.total }, (_, at) => course.lines(at, 1).index);
};

test('a way leads along its branches', () => {
  expect(lines(TOTAL)).toEqual([0, 1, 4, 5, 9, 10, 11]);
  expect(lines(9)).toEqual([0, 1, 7, 8]);
  expect(lines(7)).toEqual([0, 1, 4, 5, 6]);
  expect(lines(4)).toEqual([0, 1, 2, 3]);
  expect(courseTo([], 5).stretches).toEqual([{ from: 0, to: 5 }]);
  expect(courseTo([], 0).total).toBe(0);
  expect(courseTo([{ index: 2, from: 0, messages: 1, left: 2 }], 4).stretches).toEqual([{ from: 2, to: 4 }]);
});

test('positions and lines lead to each other', () => {
  const course = courseTo(branches, TOTAL);
  for (let at = 0; at < course.total; at++) {
    const { index } = course.lines(at, 1);
    expect(course.holds(index)).toBe(true);
    expect(course.positionOf(index)).toBe(at);
  }
  expect(course.holds(7)).toBe(false);
  expect(course.positionOf(7), 'what stands behind it').toBe(4);
  expect(course.positionOf(99)).toBe(6);
});

test('what is asked for at once stands together in the log', () => {
  const course = courseTo(branches, TOTAL);
  expect(course.lines(0, 40)).toEqual({ index: 0, limit: 2 });
  expect(course.lines(3, 40)).toEqual({ index: 5, limit: 1 });
  expect(course.lines(4, 2)).toEqual({ index: 9, limit: 2 });
});

test('a stretch ends where the next branch begins', () => {
  expect([0, 4, 6, 8, 11].map((line) => endOf(branches, line, TOTAL))).toEqual([4, 7, 7, 9, 12]);
});

test('forks are known by what each of their ways begins with', () => {
  const forks = forksOf(branches, TOTAL);
  expect([...forks.keys()].sort((a, b) => a - b)).toEqual([2, 4, 6, 7, 9]);
  expect(forks.get(2)?.fork.ways.map(({ from, to }) => [from, to])).toEqual([
    [2, 4],
    [4, 7],
    [7, 9],
  ]);
  expect([2, 4, 7].map((line) => forks.get(line)?.way)).toEqual([0, 1, 2]);
  expect(forks.get(2)?.fork.now).toBe(1);
  expect(forks.get(9)?.fork.now).toBe(1);
});

test('where nothing was said is no way, but where it goes on now', () => {
  const empty = [
    { index: 4, from: 2, messages: 0, left: 2 },
    { index: 5, from: 2, messages: 1, left: 2 },
  ];
  expect(forksOf(empty, 7).get(2)?.fork.ways).toHaveLength(2);
  expect(forksOf([{ index: 4, from: 4, messages: 1, left: 0 }], 6).size).toBe(0);
  expect(forksOf([{ index: 4, from: 2, messages: 0, left: 2 }], 5).get(4)?.way).toBe(1);
});

describe('of many branches', () => {
  const MANY = 5000;
  const each = Array.from({ length: MANY }, (_, n) => n);

  test('those that begin at one place are the ways of one fork', () => {
    const fan = each.map((n) => ({ index: 4 + 3 * n, from: 2, messages: 1, left: 2 }));
    const total = 4 + 3 * MANY;
    const forks = forksOf(fan, total);
    expect(forks.size).toBe(MANY + 1);
    const { ways, now } = forks.get(2)?.fork ?? { ways: [], now: -1 };
    expect(ways).toEqual([
      { from: 2, to: 4, messages: 2 },
      ...each.map((n) => ({ from: 4 + 3 * n, to: 7 + 3 * n, messages: 1 })),
    ]);
    expect(now).toBe(MANY);
    expect(each.every((n) => forks.get(4 + 3 * n)?.way === n + 1)).toBe(true);
    expect(courseTo(fan, total).total).toBe(5);
  });

  test('those that each begin within the one before are forks of two ways', () => {
    // Each goes on behind the first of the three lines of the one before.
    const chain = each.map((n) => ({ index: 3 * n + 3, from: 3 * n + 1, messages: 3, left: 2 }));
    const total = 3 * MANY + 3;
    const course = courseTo(chain, total);
    expect(course.total).toBe(MANY + 3);
    const forks = forksOf(chain, total);
    expect(forks.size).toBe(2 * MANY);
    for (const n of each) {
      const fork = forks.get(3 * n + 1)?.fork;
      expect(fork?.ways.map(({ from, to }) => [from, to])).toEqual([
        [3 * n + 1, 3 * n + 3],
        [3 * n + 3, 3 * n + 6],
      ]);
      expect(fork?.now).toBe(1);
      expect(course.positionOf(3 * n + 3)).toBe(n + 1);
      expect(course.lines(n, 40)).toEqual({ index: 3 * n, limit: 1 });
      expect(course.holds(3 * n + 1)).toBe(false);
    }
  });
});
