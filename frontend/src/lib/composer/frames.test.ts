import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Frames } from './frames';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 16));
});
afterEach(() => {
  vi.useRealTimers();
});

/** When what is asked for every 10 ms is shown, in milliseconds, if each time so many characters have come. */
function shownAt(characters: number): number[] {
  const began = performance.now();
  const at: number[] = [];
  const frames = new Frames(() => {
    at.push(performance.now() - began);
    return characters;
  });
  for (let ms = 0; ms < 4000; ms += 10) {
    frames.ask();
    vi.advanceTimersByTime(10);
  }
  frames.stop();
  return at;
}

test('what one can read along with is shown as soon as it comes', () => {
  const at = shownAt(40);
  expect(at[0]).toBe(0);
  expect(at.length).toBeGreaterThan(90);
});

test('what brings more than a view of text is shown at once, and then every 1.2 seconds', () => {
  expect(shownAt(7000)).toEqual([0, 1200, 2400, 3600]);
});
