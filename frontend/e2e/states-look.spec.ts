import type { Page } from '@playwright/test';
import type { App } from './support/app';
import type { Home } from './support/home';
import { looks } from './support/look';
import { compacted, conversation } from './support/log';
import { expect, test } from './support/test';

/** How to come to a state in which there is nothing to show, on a page that shows nothing yet. */
type Way = (app: App, home: Home) => Promise<void>;

const ERROR = { code: 'failed', message: 'the disk does not answer', hint: 'look after the disk, and try again' };

/** Every answer of that kind is an error. */
async function refuse(page: Page, path: string): Promise<void> {
  const answer = { status: 500, contentType: 'application/problem+json', json: { error: ERROR } };
  await page.route(`**/api/${path}`, (route) => route.fulfill(answer));
}

/** No answer of that kind comes, as long as the test goes on. */
async function withhold(page: Page, path: string): Promise<void> {
  await page.route(`**/api/${path}`, () => new Promise<void>(() => undefined));
}

const failed = (page: Page) => expect(page.getByTestId('error')).toContainText('The disk does not answer');
const waiting = (page: Page) => expect(page.getByTestId('loading').first()).toBeVisible();

async function opened(app: App, home: Home, log = compacted()): Promise<string> {
  const id = home.session(log, { name: 'fix the harbour lights', cwd: '/srv/harbour' });
  await app.open(id);
  return id;
}

/** With that key, on a page with one conversation in its list. */
async function pressed(app: App, home: Home, key: string, log = compacted()): Promise<void> {
  home.session(log, { name: 'fix the harbour lights', cwd: '/srv/harbour' });
  await app.start();
  await app.page.keyboard.press(key);
}

/** A page by its key: on its way, not to be read, empty, and narrowed to nothing. */
function page(name: 'statistics' | 'ledger', key: string, path: string): Record<string, Way> {
  return {
    [`${name}-loading`]: async (app, home) => {
      await withhold(app.page, path);
      await pressed(app, home, key);
      await waiting(app.page);
    },
    [`${name}-failed`]: async (app, home) => {
      await refuse(app.page, path);
      await pressed(app, home, key);
      await failed(app.page);
    },
    [`${name}-none`]: async (app) => {
      await app.start();
      await app.page.keyboard.press(key);
      await expect(app.page.getByTestId(`${name}-empty`)).toContainText(/No (sessions|compaction) yet/);
    },
    [`${name}-no-match`]: async (app, home) => {
      home.session(compacted());
      await app.start();
      await app.page.evaluate((hash) => (location.hash = hash), `#/${name}?agent=nobody`);
      await expect(app.page.getByTestId(`${name}-empty`)).toContainText(/No compaction matches|Nothing happened here/);
    },
  };
}

const STATES: Record<string, Way> = {
  ...page('statistics', 'i', 'statistics*'),
  ...page('ledger', 'Shift+I', 'ledger*'),
  'library-loading': async (app) => {
    await withhold(app.page, 'sessions?*');
    await app.visit();
    await waiting(app.page);
  },
  'library-failed': async (app) => {
    await refuse(app.page, 'sessions?*');
    await app.visit();
    await failed(app.page);
  },
  'transcript-failed': async (app, home) => {
    const id = home.session(compacted(), { name: 'fix the harbour lights' });
    await app.start();
    await refuse(app.page, 'sessions/*/outline*');
    await app.link(id).click();
    await failed(app.page);
  },
  'context-failed': async (app, home) => {
    await refuse(app.page, 'sessions/*/context*');
    await opened(app, home);
    await app.openContext();
    await failed(app.page);
  },
  'model-view-empty': async (app, home) => {
    const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
    await app.start();
    await app.link(id).click();
    await app.page.getByTestId('view-model').click();
    await expect(app.page.getByTestId('transcript-empty')).toContainText('No messages yet');
  },
  'find-nothing': async (app, home) => {
    await opened(app, home);
    await app.page.keyboard.press('Control+f');
    await app.page.keyboard.type('zzzz');
    await expect(app.page.getByTestId('find-count')).toContainText(/no/i);
  },
  'review-loading': async (app, home) => {
    await withhold(app.page, 'sessions/*/compactions/plan*');
    await opened(app, home, conversation(20));
    await app.page.getByTestId('compact').click();
    await waiting(app.page);
  },
  'review-not-planned': async (app, home) => {
    await refuse(app.page, 'sessions/*/compactions/plan*');
    await opened(app, home, conversation(20));
    await app.page.getByTestId('compact').click();
    await failed(app.page);
  },
  'review-nothing': async (app, home) => {
    await opened(app, home, conversation(1));
    await app.page.getByTestId('compact').click();
    await expect(app.page.getByTestId('nothing')).toBeVisible();
  },
  'search-loading': async (app, home) => {
    await withhold(app.page, 'search?*');
    await pressed(app, home, 'Control+Shift+F');
    await app.page.getByTestId('search-field').fill('harbour');
    await waiting(app.page);
  },
  'search-failed': async (app, home) => {
    await refuse(app.page, 'search?*');
    await pressed(app, home, 'Control+Shift+F');
    await app.page.getByTestId('search-field').fill('harbour');
    await failed(app.page);
  },
  'retention-none': async (app) => {
    await app.start();
    await app.page.keyboard.press('Shift+G');
    await expect(app.page.getByTestId('retention')).toContainText('Nothing is about to go');
  },
  'retention-no-copies': async (app) => {
    await app.start();
    await app.page.keyboard.press('Shift+G');
    await app.page.getByRole('button', { name: 'Kept copies', exact: true }).click();
    await expect(app.page.getByTestId('retention')).toContainText('No copies are kept yet');
  },
  'retention-loading': async (app) => {
    await withhold(app.page, 'retention*');
    await app.start();
    await app.page.keyboard.press('Shift+G');
    await waiting(app.page);
  },
  'retention-failed': async (app) => {
    await refuse(app.page, 'retention*');
    await app.start();
    await app.page.keyboard.press('Shift+G');
    await failed(app.page);
  },
  'rules-failed': async (app, home) => {
    await refuse(app.page, 'sessions/*/permissions');
    await opened(app, home);
    await app.page.keyboard.press('Shift+P');
    await failed(app.page);
  },
  'rules-no-tools': async (app, home) => {
    const id = home.session(conversation(4), { name: 'harbour' });
    await app.open(id);
    await app.page.keyboard.press('Shift+P');
    await expect(app.page.getByTestId('no-tools')).toBeVisible();
  },
  'settings-adding': async (app, home) => {
    home.config('them: dark\n');
    await app.start();
    await app.page.keyboard.press('Control+,');
    await app.page.getByTestId('add-provider').click();
    await app.page.getByLabel('Address').fill('nowhere');
    await app.page.getByLabel('Name').fill('work');
    await app.page.getByRole('button', { name: 'Save' }).click();
    await expect(app.page.getByTestId('settings-error')).toBeVisible();
  },
  'settings-problems': async (app, home) => {
    home.config('them: dark\n');
    await app.start();
    await app.page.keyboard.press('Control+,');
    await app.page.getByTestId('settings-problems').scrollIntoViewIfNeeded();
  },
  'settings-unsaved': async (app) => {
    await app.start();
    await app.page.keyboard.press('Control+,');
    await app.page.getByTestId('add-provider').click();
    await app.page.getByLabel('Name').fill('work');
    await app.page.keyboard.press('Escape');
    await expect(app.page.getByTestId('unsaved')).toBeVisible();
  },
  'server-down': async (app, home) => {
    home.config('base_url: http://127.0.0.1:1/v1\nmodel: qwen3\n');
    await opened(app, home);
    await expect(app.page.getByTestId('no-server')).toBeVisible();
  },
};

for (const [state, way] of Object.entries(STATES)) {
  test(`${state} can be read by everyone`, { tag: '@look' }, async ({ app, home }) => {
    await way(app, home);
    await looks(app.page, state);
  });
}
