import type { App } from './support/app';
import { BIDI, HOSTILE, hostile, NAME } from './support/hostile';
import { Log } from './support/log';
import { PNG } from './support/pictures';
import { expect, test } from './support/shared';

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
  // In a home that others share, a row may be out of sight, and is not there then.
  await app.filter.fill(unnamed);
  await app.menu(unnamed, 'Rename');
  await page.keyboard.press('Escape');
  await app.filter.fill(id);
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
  // eslint-disable-next-line no-control-regex -- they are what is tried
  const bare = /[\u202a-\u202e\u2066-\u2069\u0007\u001b\u200b]/;
  const places = [app.session(id), app.page.getByTestId('title'), app.message(2).getByTestId('tool-card')];
  for (const place of places) {
    await expect(place).toContainText('invoice⟨RLO⟩fdp.exe');
    expect(await place.textContent()).not.toMatch(bare);
  }
  // Colours are left out of what a terminal showed; whatever else it could do is shown by name.
  await expect(app.message(2).getByTestId('tool-output')).toContainText('⟨LRI⟩ red ⟨BEL⟩ zero⟨ZWSP⟩width');
  await expect(app.message(2).getByTestId('tool-output')).toContainText('⟨ESC⟩[2J⟨ESC⟩]0;owned⟨BEL⟩');
  await expect(app.message(1)).toContainText('invoice⟨RLO⟩fdp.exe');
  expect(await app.page.title()).toContain('⟨RLO⟩');
});

test('hidden characters show in paths, names, titles and what is read out, too', async ({ app, home }) => {
  const log = new Log()
    .call('read', { path: `src/${BIDI}.go` }, 'x')
    .call(`to${BIDI}ol`, { command: `rm${' '.repeat(2000)}-rf ${BIDI}` }, 'x')
    .compaction(1, 'Short.', { readFiles: [BIDI], modifiedFiles: [`a\u00a0b\ufe01`] })
    .assistant('', { stopReason: 'error', errorMessage: BIDI });
  const id = home.session(log, { name: BIDI, cwd: `/srv/${BIDI}` });
  await app.open(id);
  await app.band(5).getByTestId('files-toggle').first().click();
  await expect(app.band(5)).toContainText('a⟨NBSP⟩b⟨U+FE01⟩');
  await app.filter.fill(id);
  await app.menu(id, 'Archive');
  await expect(app.toast).toContainText('⟨RLO⟩');
  // What a command head leaves out shows, and what is hidden shows everywhere: texts, titles, names for readers.
  await expect(app.message(3).getByTestId('tool-head')).toContainText('rm…');
  const bare = await app.page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')];
    const said = all.flatMap((one) =>
      ['title', 'aria-label', 'aria-valuetext', 'alt'].map((name) => one.getAttribute(name)),
    );
    return [document.title, document.body.innerText, ...said].filter((text) =>
      // eslint-disable-next-line no-control-regex -- they are what is tried
      /[\u202a-\u202e\u2066-\u2069\u200b\u0007\u001b]/.test(text ?? ''),
    );
  });
  expect(bare).toEqual([]);
});

test('names do not reorder what stands beside them', async ({ app, home }) => {
  const id = home.session(new Log().user('Hi.'), { name: '\u05d0\u05d1 1 \u05d2', cwd: '/srv/\u05d0\u05d1' });
  await app.open(id);
  for (const place of [
    app.session(id).locator('.name'),
    app.session(id).locator('.marks'),
    app.page.getByTestId('title'),
  ]) {
    expect(await place.evaluate((one) => getComputedStyle(one).unicodeBidi)).toMatch(/^isolate/);
  }
});

test('marks that flood do not paint over the line above', async ({ app, home }) => {
  const id = home.session(new Log().user(`Above.\n\nz${'\u0301'.repeat(500)}`));
  await app.open(id);
  await expect(app.message(1)).toContainText('⟨495 marks⟩');
});

test('a text cannot take the looks of the window', async ({ app, home }) => {
  const log = new Log().user(
    '<div class="shell" id="app" style="position:fixed;inset:0">x</div>\n\n<button class="strong" data-testid="open-link">Undo</button>\n\n' +
      '```link\nx\n```\n\n- [x] <b class="toast">y</b>',
  );
  await app.open(home.session(log));
  const own = await app
    .message(1)
    .locator('.prose *')
    .evaluateAll((all) =>
      all.map((one) => ({
        tag: one.localName,
        id: one.id,
        style: one.getAttribute('style'),
        fixed: getComputedStyle(one).position === 'fixed',
      })),
    );
  expect(own.filter(({ tag }) => ['button', 'input', 'a', 'dialog', 'article', 'section'].includes(tag))).toEqual([]);
  expect(own.filter(({ id, style, fixed }) => id || style || fixed)).toEqual([]);
  await expect(app.message(1)).toContainText('<button class="strong"');
});
