import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Frames } from './frames';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
});
afterEach(() => {
  vi.useRealTimers();
});

/** When what is asked for every 10 ms is shown, in milliseconds, if so many characters come in each of them. */
function shownAt(swiftness: number, first = 0): number[] {
  const began = performance.now();
  const at: number[] = [];
  let came = first;
  const frames = new Frames(() => {
    at.push(performance.now() - began);
    const shown = came;
    came = 0;
    return shown;
  });
  for (let ms = 0; ms < 4000; ms += 10) {
    came += swiftness;
    frames.ask();
    vi.advanceTimersByTime(10);
  }
  frames.stop();
  return at;
}

test('what one can read along with is shown as soon as it comes', () => {
  const at = shownAt(2);
  expect(at[0]).toBe(0);
  expect(at.length).toBeGreaterThan(90);
});

test('a little that comes at once holds up nothing of what follows', () => {
  expect(shownAt(2, 900).length).toBeGreaterThan(90);
});

test('what would fill more than a view in that time is shown every 1.6 seconds, once that is known', () => {
  const at = shownAt(300);
  const known = at.findIndex((ms, i) => ms - (at[i - 1] ?? ms) === 1600) - 1;
  expect(at[known]).toBeLessThan(100);
  expect(at.slice(known + 1)).toEqual([1, 2].map((leap) => (at[known] ?? NaN) + leap * 1600));
});

test('so is what came all at once', () => {
  expect(shownAt(300, 60_000)).toEqual([0, 1600, 3200]);
});
