import { on } from 'svelte/events';
import type { Anchor } from './anchor';
import { isForLog } from './moves';

/**
 * The reader's hand on the view: wheel, finger, bar and keys. What it is about to do is heard of before anything has moved, however
 * late that shows on a machine that is busy.
 */
export class Hand {
  private finger: number | null = null;

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
    if (!event.ctrlKey && event.deltaY !== 0) this.goes(event.deltaY < 0, event.target);
  };

  private readonly touchstart = (event: TouchEvent): void => {
    this.finger = event.touches[0]?.clientY ?? null;
  };

  private readonly touchmove = (event: TouchEvent): void => {
    this.touch();
    const at = event.touches[0]?.clientY ?? null;
    // The text goes with the finger.
    if (at !== null && this.finger !== null && at !== this.finger) this.goes(at > this.finger, event.target);
    this.finger = at;
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
