const FRAMES = 20;

/** Gives the focus to what is found: a list hides its rows until they are measured, and what is hidden takes none. */
export async function focusShown(find: () => HTMLElement | null | undefined): Promise<void> {
  for (let frame = 0; frame < FRAMES; frame++) {
    const element = find();
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
    await new Promise(requestAnimationFrame);
  }
}
