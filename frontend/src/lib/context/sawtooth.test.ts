import { expect, test } from 'vitest';
import type { SizePoint } from '../backend';
import { momentAt, positionOf, sawtoothOf, withPoint } from './sawtooth';

const box = { width: 100, height: 50 };
const point = (index: number, tokens: number): SizePoint => ({ index, seq: index + 1, tokens });
const around = (index: number) => ({ index, seq: index + 1, before: null, after: null });
const points = [point(0, 0), point(50, 1000), point(51, 200), point(100, 540)];

test('a line through every point, a tick for every compaction', () => {
  const chart = sawtoothOf({ points, compactions: [around(51)] }, 0, box);
  // The peak has a little room above it: 1,080 fill the height.
  expect(chart?.line).toBe('M0 50L50 3.7L51 40.7L100 25');
  expect(chart?.area).toBe('M0 50L50 3.7L51 40.7L100 25L100 50L0 50Z');
  expect(chart?.ticks).toEqual([{ index: 51, x: 51 }]);
  expect(chart?.peak).toBe(1000);
});

test('the reserve is drawn where the line comes near it, and else would make the line flat', () => {
  const limitOf = (limit: number) => sawtoothOf({ points, compactions: [] }, limit, box)?.limit;
  expect(limitOf(500)).toBe(26.9);
  expect(limitOf(2000)).toBe(3.7);
  expect(limitOf(100_000)).toBeNull();
  expect(limitOf(0)).toBeNull();
  expect(limitOf(-5)).toBeNull();
});

test.each([
  ['nothing', []],
  ['one point', [point(4, 10)]],
  ['one place twice', [point(4, 10), point(4, 20)]],
  ['numbers that are none', [point(0, 10), point(5, NaN), { index: 6, seq: 7, tokens: null as unknown as number }]],
  ['less than nothing', [point(0, 10), point(5, -1)]],
])('no line of %s', (_, some) => {
  expect(sawtoothOf({ points: some, compactions: [] }, 100, box)).toBeNull();
});

test('nothing in the context is a line on the ground, and what is out of order is put in order', () => {
  expect(sawtoothOf({ points: [point(0, 0), point(9, 0)], compactions: [] }, 0, box)?.line).toBe('M0 50L100 50');
  expect(sawtoothOf({ points: [point(9, 0), point(0, 0)], compactions: [] }, 0, box)?.line).toBe('M0 50L100 50');
});

test('a compaction beyond the points stays within the chart', () => {
  const chart = sawtoothOf({ points, compactions: [around(400), around(NaN)] }, 0, box);
  expect(chart?.ticks).toEqual([{ index: 400, x: 100 }]);
});

test('the last place is now; every other is its moment, and back', () => {
  expect(momentAt(points, 3)).toBeNull();
  expect(momentAt(points, 99)).toBeNull();
  expect(momentAt(points, 1)).toBe(points[1]);
  expect(momentAt(points, -1)).toBe(points[0]);
  expect(momentAt([], 0)).toBeNull();
  for (const [i] of points.entries()) expect(positionOf(points, momentAt(points, i))).toBe(i);
});

test('a moment that a new spread leaves out is kept', () => {
  const kept = point(20, 400);
  const merged = withPoint(points, kept);
  expect(merged.map(({ index }) => index)).toEqual([0, 20, 50, 51, 100]);
  expect(positionOf(merged, kept)).toBe(1);
  expect(withPoint(points, points[1] ?? null)).toBe(points);
  expect(withPoint(points, null)).toBe(points);
});
