const FRAMES = 20;

/**
 * Gives the focus to what is found: a list hides its rows until they are measured, and what is hidden takes none. A field
 * that has taken it since then keeps it, for somebody types there.
 */
export async function focusShown(
  find: () => HTMLElement | null | undefined,
  before = document.activeElement,
): Promise<void> {
  for (let frame = 0; frame < FRAMES; frame++) {
    if (document.activeElement !== before && document.activeElement?.matches('input, textarea')) return;
    const element = find();
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
    await new Promise(requestAnimationFrame);
  }
}
