// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { Hand } from './hand';

const anchor = { gripped: false, touch: vi.fn(), up: vi.fn(), down: vi.fn() };
let log: HTMLElement;
let inner: HTMLElement;
let hand: Hand;

const gone = () => [anchor.up.mock.calls.length, anchor.down.mock.calls.length];

beforeEach(() => {
  for (const told of [anchor.touch, anchor.up, anchor.down]) told.mockClear();
  anchor.gripped = false;
  document.body.innerHTML = '<main><div id="log"><pre><button>Unfold</button></pre></div><textarea></textarea></main>';
  log = document.querySelector('#log') ?? document.body;
  inner = document.querySelector('pre') ?? document.body;
  Object.defineProperty(log, 'clientWidth', { value: 300 });
  log.scrollTop = 500;
  hand = new Hand(
    anchor as never,
    () => log,
    () => undefined,
  );
  for (const kind of ['pointerdown', 'pointermove'] as const) log[`on${kind}`] = hand.pointer;
  document.body.onkeydown = hand.key;
  return hand.attach(log);
});

const turn = (on: Element, deltaY: number, more: WheelEventInit = {}) =>
  on.dispatchEvent(new WheelEvent('wheel', { deltaY, bubbles: true, ...more }));

test('the wheel says where it goes before anything moves', () => {
  turn(inner, -1);
  expect(gone()).toEqual([1, 0]);
  turn(inner, 1);
  expect(gone()).toEqual([1, 1]);
  turn(inner, -1, { ctrlKey: true });
  turn(inner, 0, { deltaX: 5 });
  expect(gone(), 'neither to zoom nor sideways').toEqual([1, 1]);
  turn(inner, -1, { deltaX: 30 });
  turn(inner, 1, { deltaX: -30 });
  expect(gone(), 'nor where a hand that goes sideways is not quite even').toEqual([1, 1]);
  turn(inner, -30, { deltaX: 5 });
  expect(gone()).toEqual([2, 1]);
  expect(anchor.touch).toHaveBeenCalledTimes(7);
});

test('what scrolls by itself has the wheel first, and at the top there is nowhere to go', () => {
  inner.scrollTop = 5;
  turn(inner, -1);
  inner.scrollTop = 0;
  log.scrollTop = 0;
  turn(inner, -1);
  expect(gone()).toEqual([0, 0]);
});

test('the text goes with the finger', () => {
  const touch = (kind: string, clientY: number, clientX = 50, more: object[] = []) =>
    inner.dispatchEvent(
      Object.assign(new Event(kind, { bubbles: true }), { touches: [{ clientX, clientY }, ...more] }),
    );
  touch('touchstart', 100);
  touch('touchmove', 100);
  expect(gone()).toEqual([0, 0]);
  touch('touchmove', 104);
  expect(gone()).toEqual([1, 0]);
  touch('touchmove', 90);
  expect(gone()).toEqual([1, 1]);
  touch('touchmove', 91, 80);
  touch('touchmove', 89, 20);
  expect(gone(), 'sideways').toEqual([1, 1]);
  touch('touchmove', 99, 20, [{ clientX: 90, clientY: 20 }]);
  expect(gone(), 'nor where two fingers zoom').toEqual([1, 1]);
});

test.each([
  ['PageUp', {}, [1, 0]],
  [' ', { shiftKey: true }, [1, 0]],
  ['PageDown', {}, [0, 1]],
  [' ', {}, [0, 1]],
  ['a', {}, [0, 0]],
])('%j scrolls as the system has it', (key, more, expected) => {
  const press = (on: Element) => on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  press(document.body);
  expect(gone()).toEqual(expected);
  const field = document.querySelector('textarea');
  if (field) press(field);
  expect(gone(), 'but not in a field').toEqual(expected);
  const button = document.querySelector('button');
  if (button && key === ' ') press(button);
  expect(gone(), 'and Space presses a button').toEqual(expected);
});

test('the bar is held from when it is pressed until it is let go', () => {
  const pointer = (kind: string, on: Element, offsetX: number, buttons: number) => {
    on.dispatchEvent(Object.assign(new Event(kind, { bubbles: true }), { offsetX, buttons }));
    return anchor.gripped;
  };
  expect(pointer('pointerdown', log, 299, 1), 'beside the bar').toBe(false);
  expect(pointer('pointerdown', inner, 305, 1), 'in something wide').toBe(false);
  expect(pointer('pointerdown', log, 305, 1)).toBe(true);
  expect(pointer('pointermove', log, 305, 1)).toBe(true);
  expect(pointer('pointerup', log, 305, 0)).toBe(false);
  pointer('pointerdown', log, 305, 1);
  expect(pointer('pointermove', inner, 20, 0), 'where nobody told of it').toBe(false);
  pointer('pointerdown', log, 305, 1);
  expect(pointer('pointermove', document.body, 400, 1)).toBe(true);
  expect(pointer('pointermove', document.body, 400, 0), 'beside the log').toBe(false);
});
