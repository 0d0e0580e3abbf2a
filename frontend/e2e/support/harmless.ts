import { expect, type Page } from '@playwright/test';

/** How the file of BIDI is shown where it could deceive. */
export const RLO = 'invoice⟨RLO⟩fdp.exe';

/** Whatever the page says that hides or reorders, but in prose: in texts, in choices, in titles, to a screen reader. */
function bare(page: Page): Promise<(string | null)[]> {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')];
    const names = ['title', 'aria-label', 'aria-valuetext', 'aria-description', 'alt', 'placeholder', 'label'];
    const said = all.flatMap((one) => names.map((name) => one.getAttribute(name)));
    const own = all.filter((one) => !one.closest('.prose, script, style'));
    const texts = own.flatMap((one) =>
      [...one.childNodes].filter((node) => node instanceof Text).map(({ data }) => data),
    );
    return [document.title, ...texts, ...said].filter((text) =>
      // eslint-disable-next-line no-control-regex -- they are what must not be there
      /[\u202a-\u202e\u2066-\u2069\u200b\u0007\u001b]/.test(text ?? ''),
    );
  });
}

/** Nothing ran, nothing was made of it that could, and nothing that is shown deceives. */
export async function harmless(page: Page): Promise<void> {
  expect(await bare(page)).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined();
  const made = 'iframe, object, embed, link, meta, base, style, audio, video, img:not([src^="blob:"])';
  await expect(page.locator(`body :is(${made}), main :is(script, form)`)).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}
