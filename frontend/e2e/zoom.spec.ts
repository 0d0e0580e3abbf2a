import { look } from './support/look';
import { compacted } from './support/log';
import { PNG } from './support/pictures';
import { sideways, unreachable } from './support/reach';
import { expect, test } from './support/test';

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
      await expect(page.locator('aside')).toHaveCount(0);
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

  test('nor on the pages beside the conversation', { tag: '@look' }, async ({ app, home }) => {
    test.slow();
    const { page } = app;
    const log = compacted();
    home.session(log.assistant('needle '.repeat(40), { model: 'a-model-with-a-long-name-2026-11-20' }), {
      name: 'fix the harbour lights and whatever else is dark there',
      cwd: '/srv/harbour',
    });
    await app.visit();
    await expect(page.getByRole('main')).toBeVisible();
    for (const [key, screen, ready] of [
      ['i', 'statistics', page.getByTestId('statistics')],
      ['Shift+I', 'ledger', page.getByTestId('ledger-row').first()],
      ['Shift+G', 'retention', page.getByRole('dialog')],
      ['Control+Shift+F', 'search', page.getByTestId('search-hit').first()],
    ] as const) {
      await page.keyboard.press(key);
      if (screen === 'search') await page.keyboard.type('needle');
      await expect(ready).toBeVisible();
      await look(page, `zoomed-${screen}`);
      expect(await page.evaluate(unreachable), screen).toEqual([]);
      expect(await page.evaluate(sideways), screen).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });
});

test.describe('at 200 %, with a model', () => {
  test.use({ viewport: { width: 720, height: 450 }, deviceScaleFactor: 2, withModel: true });

  test('images that are attached can be seen and left out', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    await app.visit();
    await app.go(home.session(compacted(), { name: 'fix the harbour lights' }));
    const names = ['pier.png', 'mole.png', `${'a-long-name-of-an-image-'.repeat(5)}.png`, 'sky.png', 'sea.png'];
    const images = names.map((name) => ({ name, mimeType: 'image/png', buffer: PNG }));
    await page.getByTestId('attach-input').setInputFiles(images);
    const list = page.getByTestId('attached');
    await expect(list.getByRole('img')).toHaveCount(5);
    await look(page, 'zoomed-attached');
    await expect(page.getByTestId('send')).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(sideways)).toEqual([]);
    for (let left = 5; left > 0; left--) {
      const last = list.getByRole('button').last();
      await last.focus();
      await expect(last).toBeInViewport();
      await page.keyboard.press('Enter');
      await expect(list.getByRole('img')).toHaveCount(left - 1);
      await expect(page.getByTestId('message-field')).toBeFocused();
    }
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

// Of its own: among those of other tests its row may not be in sight.
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
