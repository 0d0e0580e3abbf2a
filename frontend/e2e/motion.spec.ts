import { compacted } from './support/log';
import { expect, test } from './support/test';

declare global {
  interface Window {
    /** What moved, and what was asked to scroll smoothly. */
    moved: string[];
  }
}

for (const reducedMotion of ['reduce', 'no-preference'] as const) {
  const moves = reducedMotion === 'reduce' ? 'nothing moves' : 'something moves, and is seen to';
  test(`${moves}: prefers-reduced-motion: ${reducedMotion}`, async ({ app, home }) => {
    const { page } = app;
    await page.emulateMedia({ reducedMotion });
    await page.addInitScript(() => {
      window.moved = [];
      const look = () => {
        for (const { effect } of document.getAnimations()) {
          const { target, pseudoElement } = effect as KeyframeEffect;
          if (Number(effect?.getComputedTiming().endTime) > 1)
            window.moved.push(`${target?.tagName}.${target?.className}${pseudoElement ?? ''}`);
        }
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
      for (const name of ['scrollTo', 'scrollBy', 'scrollIntoView'] as const) {
        const ask = Element.prototype[name] as (...how: unknown[]) => void;
        Element.prototype[name] = function (this: Element, ...how: unknown[]) {
          if ((how[0] as ScrollToOptions | undefined)?.behavior === 'smooth') window.moved.push(name);
          ask.apply(this, how);
        };
      }
    });
    const log = compacted().call('bash', { command: 'make' }, 'one\ntwo', { isError: true });
    await app.open(home.session(log.user('Thanks.')));
    const frames = () =>
      page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const row = app.message(log.seq);

    for (const key of ['?', 'Control+k', 'Control+,', 'Control+g']) {
      await row.focus();
      await page.keyboard.press(key);
      await expect(page.locator('dialog')).toBeVisible();
      await frames();
      await page.keyboard.press('Escape');
      await expect(page.locator('dialog')).toHaveCount(0);
    }
    await page.getByTestId('tool-head').last().click();
    await page.getByTestId('tool-head').last().click();
    await row.focus();
    // Unfold, fold, both panels away and back, from end to end, to a record, the themes.
    for (const key of ['Shift+Z', 'z', '[', '[', ']', ']', 'Home', 'End', 'Shift+T', 'Shift+T', 'Shift+T']) {
      await page.keyboard.press(key);
      await frames();
    }
    await page.keyboard.press('Control+g');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await expect(app.message(2)).toBeInViewport();
    await page.getByTestId('sawtooth').first().hover();
    await page.getByTestId('sawtooth').first().click();
    await frames();
    // The panels as drawers; a menu, and a toast.
    await page.setViewportSize({ width: 800, height: 600 });
    await page.keyboard.press('Escape');
    for (const key of ['Control+b', 'Escape', 'Control+Shift+b', 'Escape']) {
      await page.keyboard.press(key);
      await frames();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByTestId('conversation-menu').click();
    await page.getByRole('menuitem', { name: 'Copy conversation as Markdown' }).click();
    await expect(app.toast).toBeVisible();
    await frames();

    const moved = [...new Set(await page.evaluate(() => window.moved))];
    if (reducedMotion === 'reduce') expect(moved).toEqual([]);
    else expect(moved).not.toEqual([]);
  });
}
