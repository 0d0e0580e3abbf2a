// What can be come back to when what had the focus is gone: more of it would be too long ago.
const REMEMBERED = 6;
const PLACE = '[data-panel], main, [data-testid="review"]';
// In this order, not in that of the page. Never a field: the next key would be text.
const INSIDE = ['[data-key][tabindex="0"]', '[data-current]', '[aria-pressed="true"]', '[tabindex="0"]'];

function canTake(element: Element | null): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    !element.matches(':disabled') &&
    element.closest('[inert]') === null &&
    element.getClientRects().length > 0
  );
}

/**
 * The focus is never lost: where what has it goes away, by whatever cause, it goes to what stands in that place, or
 * back to where it was before. Whoever knows better where it belongs does so first.
 */
export function keepFocus(): () => void {
  let before: Element[] = [];
  let place: Element | null = null;
  let frame = 0;
  let drawn: ReturnType<typeof setTimeout> | undefined;

  function remember(event: FocusEvent): void {
    if (!(event.target instanceof Element)) return;
    const { target } = event;
    place = target.closest(PLACE);
    before = [target, ...before.filter((one) => one !== target && one.isConnected)].slice(0, REMEMBERED);
  }

  /** Where nothing had it, or a press beside everything took it away, it is not lost. */
  function isLost(): boolean {
    const active = document.activeElement;
    const [last] = before;
    return (!active || active === document.body) && last !== undefined && !canTake(last);
  }

  function restore(): void {
    frame = 0;
    if (!isLost()) return;
    const [, ...earlier] = before;
    const around = place && canTake(place) ? place : null;
    const inside = around ? [...INSIDE.map((one) => around.querySelector(one)), around] : [];
    const review = document.querySelector('[data-testid="review"]');
    for (const one of [...inside, ...earlier, review, document.getElementById('conversation')]) {
      if (!canTake(one)) continue;
      one.focus({ preventScroll: true });
      if (document.activeElement === one) return;
    }
  }

  // Two frames on, what was taken away has been replaced, and what closes has given the focus back. Text that comes in
  // changes the page all the time: without need the second frame is not asked for.
  function later(): void {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      drawn = setTimeout(() => (frame = isLost() ? requestAnimationFrame(restore) : 0));
    });
  }

  const watch = new MutationObserver(later);
  watch.observe(document.body, {
    ...{ childList: true, subtree: true, attributes: true },
    attributeFilter: ['inert', 'disabled'],
  });
  document.addEventListener('focusin', remember);
  return () => {
    watch.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(drawn);
    document.removeEventListener('focusin', remember);
  };
}
