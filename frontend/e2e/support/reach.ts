/** What of the controls in the window cannot be reached: cut off by its edge, or covered by something else. */
export const unreachable = () => {
  // What lies under a dialog is not for now.
  const over = document.querySelector('dialog:modal') ?? document;
  const stops = [...over.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [role="switch"]')];
  const wrong: string[] = [];
  for (const stop of stops) {
    const clips = stop.closest('.scroll, [role="tablist"], dialog:modal');
    if (
      stop.matches('.skip, [tabindex="-1"], :disabled') ||
      stop.closest('[inert], .unseen') ||
      !stop.checkVisibility()
    ) {
      continue;
    }
    if (getComputedStyle(stop.parentElement ?? stop).opacity === '0') continue;
    const box = stop.getBoundingClientRect();
    const inside = box.left >= -1 && box.right <= innerWidth + 1;
    // What is in something that scrolls can be scrolled to.
    const below = !clips && (box.top < -1 || box.bottom > innerHeight + 1);
    const hit = clips ? stop : document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const covered = hit === null || !(stop.contains(hit) || hit.contains(stop));
    if (!inside || below || covered) wrong.push(`${stop.outerHTML.slice(0, 120)} at ${JSON.stringify(box)}`);
  }
  return wrong;
};

/** What has to be scrolled both ways, but for what is so by nature: tables, code and what a tool printed. */
export const sideways = () =>
  [...document.querySelectorAll<HTMLElement>('main, main *, dialog, dialog *')]
    .filter((one) => !one.closest('table, pre, .diff, [role="table"], [role="grid"], .unseen') && one.checkVisibility())
    .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.outerHTML.slice(0, 160)} ${one.scrollWidth} > ${one.clientWidth}`);
