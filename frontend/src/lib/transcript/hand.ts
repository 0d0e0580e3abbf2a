import { on } from 'svelte/events';
import type { Anchor } from './anchor';
import { isForLog } from './moves';

/**
 * The reader's hand on the view: wheel, finger, bar and keys. What it is about to do is heard of before anything has moved, however
 * late that shows on a machine that is busy.
 */
export class Hand {
  private finger: Touch | null = null;

  constructor(
    private readonly anchor: Anchor,
    private readonly scroller: () => HTMLElement | undefined,
    private readonly onTouch: () => void,
  ) {}

  /** Listens from now on: passively, or each turn of the wheel would wait for the page before anything moves. */
  attach = (log: HTMLElement): (() => void) => {
    const quietly = { capture: true, passive: true };
    const off = [
      on(log, 'wheel', this.wheel, quietly),
      on(log, 'touchstart', this.touchstart, quietly),
      on(log, 'touchmove', this.touchmove, quietly),
      on(document, 'pointermove', this.letGo, quietly),
      on(document, 'pointerup', this.letGo, quietly),
    ];
    return () => {
      for (const stop of off) stop();
    };
  };

  touch = (): void => {
    this.onTouch();
    this.anchor.touch();
  };

  private readonly wheel = (event: WheelEvent): void => {
    this.touch();
    // With Ctrl it makes the text larger or smaller.
    if (!event.ctrlKey && isUpright(event.deltaX, event.deltaY)) this.goes(event.deltaY < 0, event.target);
  };

  private readonly touchstart = ({ touches }: TouchEvent): void => {
    this.finger = alone(touches);
  };

  private readonly touchmove = (event: TouchEvent): void => {
    this.touch();
    const { finger: from } = this;
    const to = (this.finger = alone(event.touches));
    if (!from || !to) return;
    const down = to.clientY - from.clientY;
    // The text goes with the finger.
    if (isUpright(to.clientX - from.clientX, down)) this.goes(down > 0, event.target);
  };

  pointer = (event: PointerEvent): void => {
    const down = event.type === 'pointerdown';
    if (down || event.buttons > 0) this.touch();
    const scroller = this.scroller();
    if (down) this.anchor.gripped = event.target === scroller && event.offsetX >= (scroller?.clientWidth ?? Infinity);
  };

  /** Nobody is told where the bar is let go, only that the pointer moves on, wherever that is. */
  private readonly letGo = ({ buttons }: PointerEvent): void => {
    if (buttons === 0) this.anchor.gripped = false;
  };

  /** Keys that scroll by themselves. */
  key = (event: KeyboardEvent): void => {
    // The view goes where the focus goes, from outside, too.
    if (event.key === 'Tab') this.touch();
    if (!isForLog(event, this.scroller())) return;
    // Space presses what has the focus.
    if (event.key === ' ' && event.target instanceof Element && event.target.closest('button, a')) return;
    if (event.key === 'PageUp' || (event.key === ' ' && event.shiftKey)) this.goes(true, event.target);
    else if (event.key === 'PageDown' || event.key === ' ') this.goes(false, event.target);
  };

  private goes(up: boolean, target: EventTarget | null): void {
    const scroller = this.scroller();
    if (!scroller) return;
    // Something inside that scrolls by itself does so first.
    for (let at = target as Element | null; at && at !== scroller; at = at.parentElement) if (at.scrollTop > 0) return;
    if (!up) this.anchor.down();
    else if (scroller.scrollTop > 0) this.anchor.up();
  }
}

/** No hand that goes sideways is quite even: what wide code is moved by takes nobody off the end. */
function isUpright(across: number, down: number): boolean {
  return Math.abs(down) > Math.abs(across);
}

/** Two fingers make the text larger or smaller. */
function alone(touches: TouchList): Touch | null {
  return touches.length === 1 ? (touches[0] ?? null) : null;
}
