import { expect, type Locator, type Page, test } from '@playwright/test';
import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const THEMES = ['light', 'dark'] as const;
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
];
/** Where pictures are kept; empty if nobody asked for any. */
export const SHOTS = process.env.PALIMPSEST_SHOTS ?? '';
/** As axe is distributed, without its comments: every page that is looked at reads it anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Rules about colours: nothing else depends on the theme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * A screen in both themes: nobody is shut out, nothing sticks out, and a picture of it is kept if one is wanted. What was looked at in
 * another size before has the same colours, and so has what is drawn for none of SIZES.
 */
export async function look(page: Page, screen: string, { asBefore = false } = {}): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const coloured = !asBefore && SIZES.some((size) => size.width === width);
  for (const theme of THEMES) {
    // A smaller window changes no colour.
    if (theme === 'dark' && width !== SIZES[0]?.width && !SHOTS) continue;
    await page.emulateMedia({ colorScheme: theme });
    await still(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow, `${screen}: the page is as wide as the window`).toBeLessThanOrEqual(0);
    await picture(page, `${screen}-${theme}-${width}x${height}`);
    if (theme === 'dark' && width !== SIZES[0]?.width) continue;
    expect(await barriers(page, theme, coloured), `${screen}, ${theme}`).toEqual([]);
  }
}

/** Keeps a picture of the page if one is wanted. */
export async function picture(page: Page, name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** What shuts somebody out, as axe finds it; in the dark only by its colours. */
async function barriers(page: Page, theme: (typeof THEMES)[number], coloured: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const dark: axe.RunOptions = { runOnly: COLOUR_RULES };
  const rest: axe.RunOptions = { rules: Object.fromEntries(COLOUR_RULES.map((rule) => [rule, { enabled: false }])) };
  return page.evaluate(
    async (options) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      // Not the style sheets, which take long: the one rule that reads them is an experiment, and not among those that are asked.
      const preload = { assets: ['media' as const] };
      const { violations } = await run({ resultTypes: ['violations'], preload, ...options });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
      );
    },
    theme === 'dark' ? dark : coloured ? {} : rest,
  );
}

/** A screen at each size that it is drawn for; the window is as large as before then. */
export async function looks(page: Page, screen: string): Promise<void> {
  const before = page.viewportSize();
  await test.step(screen, async () => {
    for (const [n, size] of SIZES.entries()) {
      await page.setViewportSize(size);
      await look(page, screen, { asBefore: n > 0 });
    }
  });
  if (before) await page.setViewportSize(before);
}

/** Waits until no colour is on its way to another: what inherits one changes a frame after what it has it from. */
export async function still(page: Page): Promise<void> {
  const moving = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return document.getAnimations().length;
    });
  await expect.poll(moving, { intervals: [50] }).toBe(0);
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
