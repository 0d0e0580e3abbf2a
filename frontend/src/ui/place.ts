export interface Point {
  x: number;
  y: number;
}

const MARGIN = 8;

/**
 * Where a surface stands: under its anchor, moved or turned so that all of it is in the window. In the surface's own
 * pixels: what is measured on the screen is larger by the zoom.
 */
export function place(at: Element | Point, surface: HTMLElement): Point {
  const size = surface.getBoundingClientRect();
  const scale = surface.offsetWidth > 0 ? size.width / surface.offsetWidth : 1;
  const box = at instanceof Element ? at.getBoundingClientRect() : { left: at.x, top: at.y, bottom: at.y };
  const maxX = window.innerWidth - size.width - MARGIN;
  const below = box.bottom + 4;
  const fitsBelow = below + size.height + MARGIN <= window.innerHeight;
  return {
    x: Math.max(MARGIN, Math.min(box.left, maxX)) / scale,
    y: Math.max(MARGIN, fitsBelow ? below : box.top - size.height - 4) / scale,
  };
}
