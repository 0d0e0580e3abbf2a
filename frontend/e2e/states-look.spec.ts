import type { Page, Route } from '@playwright/test';
import { looks } from './support/look';
import { compacted, conversation } from './support/log';
import { expect, test } from './support/test';

const HARBOUR = { name: 'fix the harbour lights', cwd: '/srv/harbour' };
const ERROR = { code: 'failed', message: 'the disk does not answer', hint: 'look after the disk, and try again' };

/** What is shown after a way there on which every answer of that kind is an error. */
async function refused(page: Page, state: string, path: string, way: () => Promise<void>): Promise<void> {
  const answer = { status: 500, contentType: 'application/problem+json', json: { error: ERROR } };
  await page.route(`**/api/${path}`, (route) => route.fulfill(answer));
  await way();
  await expect(page.getByTestId('error')).toContainText('The disk does not answer');
  await looks(page, state);
  await page.unroute(`**/api/${path}`);
}

/** What is shown after a way there on which no answer of that kind comes. */
async function withheld(page: Page, state: string, path: string, way: () => Promise<void>): Promise<void> {
  const held: Route[] = [];
  await page.route(`**/api/${path}`, (route) => void held.push(route));
  await way();
  await expect(page.getByTestId('loading').first()).toBeVisible();
  await looks(page, state);
  await page.unroute(`**/api/${path}`);
  // Whoever left does not wait for it any more.
  for (const route of held) await route.abort().catch(() => undefined);
}

test.describe('what shows nothing can be read by everyone', { tag: '@look' }, () => {
  test('where there are no sessions', async ({ app, home }) => {
    test.slow();
    const { page } = app;
    await withheld(page, 'library-loading', 'sessions?*', () => app.visit());
    await refused(page, 'library-failed', 'sessions?*', async () => void (await page.reload()));
    await page.reload();
    await app.start();
    for (const [name, key] of [
      ['statistics', 'i'],
      ['ledger', 'Shift+I'],
    ] as const) {
      await page.keyboard.press(key);
      await expect(page.getByTestId(`${name}-empty`)).toContainText(/No (sessions|compaction) yet/);
      await looks(page, `${name}-none`);
      await app.leave();
    }
    // What is about to go is asked for by the list, too.
    const retention = async () => {
      await page.reload();
      await app.start();
      await page.keyboard.press('Shift+G');
    };
    await withheld(page, 'retention-loading', 'retention*', retention);
    await refused(page, 'retention-failed', 'retention*', retention);
    await retention();
    await expect(page.getByTestId('retention')).toContainText('Nothing is about to go');
    await looks(page, 'retention-none');
    await page.getByRole('button', { name: 'Kept copies', exact: true }).click();
    await expect(page.getByTestId('retention')).toContainText('No copies are kept yet');
    await looks(page, 'retention-no-copies');
    await page.keyboard.press('Escape');

    await app.leave();
    const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
    await app.link(id).click();
    await page.getByTestId('view-model').click();
    await expect(page.getByTestId('transcript-empty')).toContainText('No messages yet');
    await looks(page, 'model-view-empty');
  });

  test('on the way, not to be read, or narrowed to nothing', async ({ app, home }) => {
    test.slow();
    const { page } = app;
    home.session(compacted(), HARBOUR);
    await app.start();
    for (const [name, key] of [
      ['statistics', 'i'],
      ['ledger', 'Shift+I'],
    ] as const) {
      const come = () => page.keyboard.press(key);
      await withheld(page, `${name}-loading`, `${name}*`, come);
      await app.leave();
      await refused(page, `${name}-failed`, `${name}*`, come);
      await app.leave();
      await page.evaluate((hash) => (location.hash = hash), `#/${name}?agent=nobody`);
      await expect(page.getByTestId(`${name}-empty`)).toContainText(/No compaction matches|Nothing happened here/);
      await looks(page, `${name}-no-match`);
      await app.leave();
    }
    const search = async () => {
      await page.keyboard.press('Control+Shift+F');
      await page.getByTestId('search-field').fill('harbour');
    };
    await withheld(page, 'search-loading', 'search?*', search);
    await app.leave();
    await page.reload();
    await expect(page.getByTestId('home')).toBeVisible();
    await refused(page, 'search-failed', 'search?*', search);
  });

  test('of a conversation', async ({ app, home }) => {
    test.slow();
    const { page } = app;
    const id = home.session(compacted(), HARBOUR);
    await app.start();
    await refused(page, 'transcript-failed', 'sessions/*/outline*', () => app.link(id).click());
    await page.reload();
    await refused(page, 'context-failed', 'sessions/*/context*', async () => {
      await app.open(id);
      await app.openContext();
    });
    await app.leave();
    await page.reload();
    await refused(page, 'rules-failed', 'sessions/*/permissions', async () => {
      await app.go(id);
      await page.keyboard.press('Shift+P');
    });
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+P');
    await expect(page.getByTestId('no-tools')).toBeVisible();
    await looks(page, 'rules-no-tools');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('zzzz');
    await expect(page.getByTestId('find-count')).toContainText(/no/i);
    await looks(page, 'find-nothing');
  });

  test('of a review', async ({ app, home }) => {
    test.slow();
    const { page } = app;
    const [long, short] = [home.session(conversation(20), HARBOUR), home.session(conversation(1), HARBOUR)];
    await app.start();
    const review = async (id: string) => {
      await app.go(id);
      await page.getByTestId('compact').click();
    };
    await withheld(page, 'review-loading', 'sessions/*/compactions/plan*', () => review(long));
    await app.leave();
    await refused(page, 'review-not-planned', 'sessions/*/compactions/plan*', () => review(long));
    await app.leave();
    await review(short);
    await expect(page.getByTestId('nothing')).toBeVisible();
    await looks(page, 'review-nothing');
  });

  test('of settings, and where no model answers', async ({ app, home }) => {
    test.slow();
    const { page } = app;
    home.config('them: dark\n');
    await app.start();
    await page.keyboard.press('Control+,');
    await page.getByTestId('settings-problems').scrollIntoViewIfNeeded();
    await looks(page, 'settings-problems');
    await page.getByTestId('add-provider').click();
    await page.getByLabel('Name').fill('work');
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('unsaved')).toBeVisible();
    await looks(page, 'settings-unsaved');
    await page.reload();
    await page.setViewportSize({ width: 1440, height: 900 });
    await app.start(); // until then nobody hears a key
    await page.keyboard.press('Control+,');
    await page.getByTestId('add-provider').click();
    await page.getByLabel('Address').fill('nowhere');
    await page.getByLabel('Name').fill('work');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByTestId('settings-error')).toBeVisible();
    await looks(page, 'settings-adding');
    await page.reload();

    home.config('base_url: http://127.0.0.1:1/v1\nmodel: qwen3\n');
    await app.open(home.session(compacted(), HARBOUR));
    await expect(page.getByTestId('no-server')).toBeVisible();
    await looks(page, 'server-down');
  });
});
