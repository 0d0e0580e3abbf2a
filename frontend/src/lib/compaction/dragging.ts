const EDGE = 36;
const SPEED = 0.35;

/**
 * Follows a pointer that holds something in a list, and rolls the list on while the pointer is at its edge. `at` hears
 * where the pointer is, from the top of the list's content.
 */
export function follow(down: PointerEvent, scroller: HTMLElement, content: HTMLElement, at: (y: number) => void) {
  const handle = down.currentTarget as HTMLElement;
  const grip = down.clientY - handle.getBoundingClientRect().top;
  let pointer = down.clientY;
  let frame = 0;
  handle.setPointerCapture(down.pointerId);

  const look = () => {
    at(pointer - grip - content.getBoundingClientRect().top);
  };
  const roll = () => {
    const { top, bottom } = scroller.getBoundingClientRect();
    const over = Math.max(0, pointer - bottom + EDGE) - Math.max(0, top + EDGE - pointer);
    if (over !== 0) {
      scroller.scrollTop += over * SPEED;
      look();
    }
    frame = requestAnimationFrame(roll);
  };
  const move = (event: PointerEvent) => {
    pointer = event.clientY;
    look();
  };
  const end = () => {
    cancelAnimationFrame(frame);
    handle.removeEventListener('pointermove', move);
    handle.removeEventListener('lostpointercapture', end);
  };
  handle.addEventListener('pointermove', move);
  handle.addEventListener('lostpointercapture', end);
  frame = requestAnimationFrame(roll);
}

/** Where a list has to stand so that what is at `y` is in view with room around it; at first it is below the middle. */
export function scrollFor(top: number, height: number, y: number, size: number, placed: boolean): number {
  if (!placed) return y - height * 0.6;
  const room = Math.min(80, height / 4);
  if (y - room < top) return y - room;
  return Math.max(top, y + size + room - height);
}
