import type { App } from './support/app';
import { BIDI, HOSTILE, hostile, NAME } from './support/hostile';
import { Log } from './support/log';
import { PNG } from './support/pictures';
import { expect, test } from './support/test';

/** Folds everything open, from the start of the log to its end. */
async function unfoldAll(app: App): Promise<void> {
  const { page } = app;
  await app.log.evaluate((log) => {
    log.scrollTop = 0;
  });
  for (let turn = 0; turn < 60; turn++) {
    await app.settled();
    const folded = app.log.locator('button[aria-expanded="false"]:not([data-testid="show-all"])');
    if ((await folded.count()) > 0) {
      await folded.first().click();
      continue;
    }
    const end = await app.log.evaluate((log) => log.scrollTop + log.clientHeight >= log.scrollHeight - 2);
    if (end) return;
    await app.log.hover();
    await page.mouse.wheel(0, 700);
  }
  throw new Error('the end of the log was not reached');
}

test('hostile text in every place is text: nothing runs, nothing is loaded', async ({ app, home, conduct }) => {
  const { page } = app;
  const id = home.session(hostile(), { name: NAME, cwd: `/srv/${NAME}` });
  const unnamed = home.session(new Log().user(HOSTILE));
  home.blob(id, PNG);
  await app.open(id);
  await unfoldAll(app);
  await app.menu(unnamed, 'Rename');
  await page.keyboard.press('Escape');
  await app.menu(id, 'Archive');
  await expect(app.toast).toContainText('is archived');
  await page.getByTestId('archived-too').click();
  await app.filter.fill('<img src=x');
  await expect(app.session(id)).toBeVisible();
  await page.getByTestId('view-model').click();
  await app.settled();

  expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined();
  const elements = page.locator('main script, main iframe, main form, main object, main embed, main link, main style');
  await expect(elements).toHaveCount(0);
  await expect(page.locator('main img:not([src^="blob:"])')).toHaveCount(0);
  await expect(page.locator('main a[href]')).toHaveCount(0);
  const handlers = await page
    .locator('main *')
    .evaluateAll((all) => all.flatMap((one) => one.getAttributeNames()).filter((name) => name.startsWith('on')).length);
  expect(handlers).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(conduct.windows).toEqual([]);
});

test('hidden and reordering characters are shown by name where they could deceive', async ({ app, home }) => {
  const log = new Log()
    .user(`Look: ${BIDI}`)
    .call('bash', { command: `rm ${BIDI}` }, `${BIDI} \u001b[2J\u001b]0;owned\u0007`, { isError: true });
  const id = home.session(log, { name: `report ${BIDI}` });
  await app.open(id);
  // eslint-disable-next-line no-control-regex
  const bare = /[\u202a-\u202e\u2066-\u2069\u0007\u001b\u200b]/;
  const places = [app.session(id), app.page.getByTestId('title'), app.message(2).getByTestId('tool-card')];
  for (const place of places) {
    await expect(place).toContainText('invoice⟨RLO⟩fdp.exe');
    expect(await place.textContent()).not.toMatch(bare);
  }
  // Colours are left out of what a terminal showed; whatever else it could do is shown by name.
  await expect(app.message(2).getByTestId('tool-output')).toContainText('⟨LRI⟩ red ␇ zero⟨ZWSP⟩width');
  await expect(app.message(2).getByTestId('tool-output')).toContainText('␛[2J␛]0;owned␇');
  await expect(app.message(1)).toContainText('invoice⟨RLO⟩fdp.exe');
  expect(await app.page.title()).toContain('⟨RLO⟩');
});
