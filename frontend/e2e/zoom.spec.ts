import { look } from './support/look';
import { compacted } from './support/log';
import { expect, test } from './support/test';

/** What of the controls in the window cannot be reached: cut off by its edge, or covered by something else. */
const unreachable = () => {
  const stops = [...document.querySelectorAll<HTMLElement>('button, a[href], input, textarea, [role="switch"]')];
  const wrong: string[] = [];
  for (const stop of stops) {
    const clips = stop.closest('.scroll, [role="tablist"]');
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

test.describe('at 200 %', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

  test('nothing is cut off or covered, and every panel can be opened', { tag: '@look' }, async ({ app, home }) => {
    test.slow();
    const { page } = app;
    const id = home.session(compacted(), { name: 'fix the harbour lights', cwd: '/srv/harbour' });
    await app.visit();
    await look(page, 'zoomed-home');
    expect(await page.evaluate(unreachable)).toEqual([]);
    await app.go(id);
    await look(page, 'zoomed-conversation');
    expect(await page.evaluate(unreachable)).toEqual([]);
    for (const key of ['[', ']']) {
      await page.keyboard.press(key);
      await look(page, key === '[' ? 'zoomed-library' : 'zoomed-context');
      await page.keyboard.press('Escape');
    }
    for (const [key, name] of [
      ['?', 'keys'],
      ['Control+k', 'palette'],
      ['Control+g', 'go-to'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.locator('dialog')).toBeVisible();
      const box = await page.locator('dialog').boundingBox();
      expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= 720 && box.y + box.height <= 450).toBe(true);
      await look(page, `zoomed-${name}`);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('c');
    await expect(page.getByTestId('review')).toBeVisible();
    await look(page, 'zoomed-review');
    expect(await page.evaluate(unreachable)).toEqual([]);
  });
});

test('the window has a zoom of its own, which is remembered', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'fix the harbour lights', cwd: '/srv/harbour' });
  await app.open(id);
  const before = (await page.getByTestId('title').boundingBox())?.height ?? 0;
  // 110, 125, 150, 175, 200.
  for (let step = 0; step < 5; step++) await page.keyboard.press('Control+=');
  await expect.poll(async () => (await page.getByTestId('title').boundingBox())?.height).toBeCloseTo(2 * before, 0);
  await expect(app.library, 'half as wide, it has the room of a narrow window').toBeHidden();
  expect(await page.evaluate(unreachable)).toEqual([]);
  await look(page, 'zoomed-window');

  // A menu stands beside what it belongs to.
  await page.keyboard.press('[');
  await app.link(id).focus();
  await page.keyboard.press('Shift+F10');
  const row = await app.link(id).boundingBox();
  const menu = await page.getByRole('menu').boundingBox();
  expect(Math.abs((menu?.x ?? 0) - (row?.x ?? 0))).toBeLessThan(24);
  expect(Math.abs((menu?.y ?? 0) - ((row?.y ?? 0) + (row?.height ?? 0)))).toBeLessThan(24);
  await page.keyboard.press('Escape');

  await page.reload();
  await app.settled();
  await expect.poll(async () => (await page.getByTestId('title').boundingBox())?.height).toBeCloseTo(2 * before, 0);
  await page.keyboard.press('Control+-');
  await page.keyboard.press('Control+0');
  await expect.poll(async () => (await page.getByTestId('title').boundingBox())?.height).toBeCloseTo(before, 0);
  await expect(app.library).toBeVisible();
});

test('who wants less motion gets none', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await app.open(id, 9);
  await app.link(id).focus();
  await page.keyboard.press('Shift+F10');
  await page.keyboard.press('Escape');
  await page.keyboard.press('u');
  await expect(app.toast).toBeVisible();
  const moving = await page.evaluate(() => {
    const all = [...document.querySelectorAll('*')].map((one) => ({ one, style: getComputedStyle(one) }));
    const seconds = (list: string) => Math.max(...list.split(',').map(parseFloat));
    return all
      .filter(
        ({ style }) =>
          style.scrollBehavior === 'smooth' ||
          (style.animationName !== 'none' && seconds(style.animationDuration) > 0.001) ||
          seconds(style.transitionDuration) > 0,
      )
      .map(({ one }) => one.outerHTML.slice(0, 100));
  });
  expect(moving).toEqual([]);
});
