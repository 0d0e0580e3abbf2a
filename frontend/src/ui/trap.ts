const STOPS = 'a[href], button, input, textarea, select, [tabindex]';

function stops(root: Element): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(STOPS)].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled, [inert] *') && one.getClientRects().length > 0,
  );
}

/** Keeps the Tab key inside: after the last stop comes the first. */
export function trap(event: KeyboardEvent, root: Element): void {
  if (event.key !== 'Tab' || event.defaultPrevented) return;
  const all = stops(root);
  const at = all.findIndex((one) => one === document.activeElement);
  const edge = event.shiftKey ? at <= 0 : at === all.length - 1;
  if (!edge) return;
  event.preventDefault();
  all.at(event.shiftKey ? -1 : 0)?.focus();
}
