import type { Page } from '@playwright/test';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/test';

/** Keeps a script from the page until it is let through; says whether it was asked for. */
async function hold(page: Page, name: string): Promise<{ asked: () => boolean; release: () => void }> {
  let asked = false;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(new RegExp(`/assets/${name}-[^/]*\\.js$`), async (route) => {
    asked = true;
    await held;
    await route.continue();
  });
  return { asked: () => asked, release };
}

test('the list is asked for before the window is read, and what changes meanwhile shows', async ({ app, home }) => {
  const { page } = app;
  const gone = home.session(conversation(2), { name: 'soon gone' });
  const stays = home.session(conversation(2), { name: 'stays' });
  const script = await hold(page, 'page');
  const told = page.waitForResponse(/\/api\/sessions\?archived/);
  await app.visit();
  await told;
  await home.run(['rm', gone]);
  await home.run(['rename', stays, 'has another name']);
  const made = (await home.run(['new', '--name', 'from outside'])) as { id: string };
  expect(script.asked()).toBe(true);
  script.release();
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 2 sessions');
  await expect(app.session(stays)).toContainText('has another name');
  await expect(app.session(made.id)).toBeVisible();
  await expect(app.session(gone)).toHaveCount(0);
});

test('the letters of the first rows are asked for beside the scripts, and not only once something is written in them', async ({
  app,
  home,
}) => {
  const { page } = app;
  home.session(conversation(2), { name: 'fix the harbour lights' });
  const script = await hold(page, 'page');
  const letters = page.waitForResponse(/\/assets\/inter-latin-wght-normal-[^/]*\.woff2$/);
  await app.visit();
  await letters;
  script.release();
  await expect(page.getByTestId('session-row')).toBeVisible();
});

test('the first rows are seen in the frame that they are made in', async ({ app, home }) => {
  const { page } = app;
  home.session(conversation(2), { name: 'fix the harbour lights' });
  await page.addInitScript(() => {
    const look = () => {
      const row = document.querySelector('[data-testid="session-row"]');
      if (row) document.documentElement.dataset.seen = getComputedStyle(row).visibility;
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await app.visit();
  await expect(page.getByTestId('session-row')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-seen', 'visible');
});

test('a window whose answers do not come is there all the same', async ({ app, home }) => {
  const { page } = app;
  home.session(conversation(2), { name: 'fix the harbour lights' });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/config', async (route) => {
    await held;
    await route.continue();
  });
  await app.visit();
  await expect(page.getByTestId('home')).toBeVisible();
  await expect(page.getByTestId('session-row')).toHaveCount(0);
  release();
  await expect(page.getByTestId('session-row')).toBeVisible();
});

test.describe('while a conversation can not be shown yet', () => {
  test.use({ withModel: true });

  test('what is typed gets to where it is meant for', async ({ app, home }) => {
    const { page } = app;
    home.session(conversation(2), { name: 'fix the harbour lights' });
    const script = await hold(page, 'transcript');
    await app.start();
    // That there is a model to write to is known a moment later.
    await expect(page.getByTestId('home').getByRole('button', { name: 'New conversation' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('harb');
    await expect(page.getByTestId('palette-field')).toHaveValue('harb');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Shift+f');
    await page.keyboard.type('lamp');
    await expect(page.getByTestId('search-field')).toHaveValue('lamp');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+n');
    await page.keyboard.type('How are they?');
    await expect(new Composer(page).field).toHaveValue('How are they?');
    script.release();
  });
});

test('a window that can’t be read says so, and is there once it can', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(2), { name: 'fix the harbour lights' });
  const script = /\/assets\/page-[^/]*\.js$/;
  await page.route(script, (route) => route.abort());
  await app.visit();
  const note = page.getByRole('alert').filter({ hasText: 'could not be read' });
  await expect(note).toContainText('The window could not be read');
  await looks(page, 'window-unread');
  const tried = page.waitForEvent('load');
  await note.getByRole('button', { name: 'Try again' }).click();
  await tried;
  await expect(note).toBeVisible();
  await page.unroute(script);
  for (const styles of ['page', 'transcript']) {
    const looks = new RegExp(`/assets/${styles}-[^/]*\\.css$`);
    await page.route(looks, (route) => route.abort());
    const anew = page.waitForEvent('load');
    await note.getByRole('button', { name: 'Try again' }).click();
    await anew;
    if (styles === 'transcript') await app.link(id).click();
    await expect(note, 'nothing shows without what it looks like').toBeVisible();
    await page.unroute(looks);
  }
  await note.getByRole('button', { name: 'Try again' }).click();
  await expect(app.message(2)).toBeVisible();
});

test('a conversation takes its place once it can be shown, and the focus stays', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(6), { name: 'fix the harbour lights' });
  const script = await hold(page, 'transcript');
  await app.start();
  // Behind the first rows it is read by itself.
  await expect.poll(script.asked).toBe(true);
  await app.link(id).press('Enter');
  const waits = page.locator('main').getByTestId('loading');
  await expect(waits).toBeVisible();
  const before = await waits.boundingBox();
  expect(before?.x).toBeGreaterThan((await page.locator('main').boundingBox())?.x ?? Infinity);
  script.release();
  await expect(app.message(6)).toBeInViewport();
  await expect(waits).toHaveCount(0);
  await expect(app.link(id)).toBeFocused();
  await page.keyboard.press('F6');
  await expect(app.message(6)).toBeFocused();
});
