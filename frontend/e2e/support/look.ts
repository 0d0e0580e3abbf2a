import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';

export const THEMES = ['light', 'dark'] as const;
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
];
const SHOTS = fileURLToPath(new URL('../../../build/shots/', import.meta.url));

/** A screen in both themes: nobody is shut out, nothing sticks out, and a picture of it is kept. */
export async function look(page: Page, screen: string): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  for (const theme of THEMES) {
    await page.emulateMedia({ colorScheme: theme });
    await still(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${screen}: the page is as wide as the window`).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `${SHOTS}${screen}-${theme}-${width}x${height}.png` });
    // A theme changes colours only, and a smaller window none of them.
    if (theme === 'dark' && width !== SIZES[0]?.width) continue;
    // Without frames the check needs no window of its own.
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    );
    expect(found, `${screen}, ${theme}`).toEqual([]);
  }
}

/** A screen at each size that it is drawn for. */
export async function looks(page: Page, screen: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await look(page, screen);
  }
}

/** Waits until no colour is on its way to another: what inherits one changes a frame after what it has it from. */
async function still(page: Page): Promise<void> {
  const moving = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return document.getAnimations().length;
    });
  await expect.poll(moving).toBe(0);
}

/** The lowest contrast of any text inside an element with the ground that is painted behind it. */
export function contrast(element: Locator): Promise<number> {
  return element.evaluate((root) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const paint = canvas.getContext('2d', { willReadFrequently: true });
    if (!paint) throw new Error('no canvas');
    const luminance = () => {
      const [red = 0, green = 0, blue = 0] = [...paint.getImageData(0, 0, 1, 1).data].map((byte) => {
        const part = byte / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const fill = (colour: string, alpha = 1) => {
      paint.globalAlpha = alpha;
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
    };
    let lowest = 21;
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!parent || !text.textContent?.trim() || parent.getClientRects().length === 0) continue;
      const above: Element[] = [];
      for (let one: Element | null = parent; one; one = one.parentElement) above.unshift(one);
      let opacity = 1;
      fill('white');
      for (const one of above) {
        fill(getComputedStyle(one).backgroundColor);
        opacity *= Number(getComputedStyle(one).opacity);
      }
      const ground = luminance();
      fill(getComputedStyle(parent).color, opacity);
      const ink = luminance();
      lowest = Math.min(lowest, (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05));
    }
    return lowest;
  });
}
