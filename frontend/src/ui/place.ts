export interface Point {
  x: number;
  y: number;
}

const MARGIN = 8;

/** Where a surface of that size stands: under its anchor, moved or turned so that all of it is in the window. */
export function place(at: Element | Point, size: { width: number; height: number }): Point {
  const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, top: at.y, bottom: at.y };
  const maxX = window.innerWidth - size.width - MARGIN;
  const below = box.bottom + 4;
  const fitsBelow = below + size.height + MARGIN <= window.innerHeight;
  return {
    x: Math.max(MARGIN, Math.min(box.left, maxX)),
    y: Math.max(MARGIN, fitsBelow ? below : box.top - size.height - 4),
  };
}
