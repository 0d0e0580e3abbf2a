import type { App } from './support/app';
import { type Home, shaOf } from './support/home';
import { hostile, NAME } from './support/hostile';
import { contrast, look, SIZES, THEMES } from './support/look';
import { PNG } from './support/pictures';
import { compacted, conversation } from './support/log';
import { branched, damaged, gallery, long } from './support/screens';
import { expect, test } from './support/test';

/** How to come to a screen, on a page that shows nothing yet. */
type Way = (app: App, home: Home) => Promise<void>;

async function opened(app: App, home: Home, log = compacted(), seq?: number): Promise<string> {
  const id = home.session(log, { name: 'fix the harbour lights', cwd: '/srv/harbour' });
  home.blob(id, PNG);
  await app.open(id, seq);
  return id;
}

const SCREENS: Record<string, Way> = {
  'home-empty': (app) => app.start(),
  home: async (app, home) => {
    home.session(compacted(), { name: 'fix the harbour lights', cwd: '/srv/harbour' });
    home.session(conversation(4, '2026-11-14T09:00:00Z'), { source: 'cron', parentSessionId: '0'.repeat(26) });
    home.config('theme: drak\n');
    await app.start();
    await expect(app.page.getByTestId('home')).toContainText('drak');
  },
  'sample-end': async (app) => {
    await app.start();
    await app.page.getByTestId('add-sample').click();
    await app.settled();
  },
  'sample-compaction': async (app) => {
    await app.start();
    await app.page.getByTestId('add-sample').click();
    await app.settled();
    await app.page.goto(`${app.page.url()}/71`);
    await expect(app.band(71)).toBeInViewport();
    await expect(app.band(71).getByTestId('band-facts')).toBeVisible();
    await app.settled();
  },
  compaction: async (app, home) => {
    await opened(app, home, compacted(), 9);
    for (const button of await app.band(9).getByTestId('files-toggle').all()) await button.click();
  },
  undone: async (app, home) => {
    await opened(app, home, compacted(), 9);
    await app.band(9).getByTestId('undo-compaction').click();
    await expect(app.band(9).getByTestId('redo-compaction')).toBeVisible();
  },
  'model-view': async (app, home) => {
    await opened(app, home);
    await app.page.getByTestId('view-model').click();
    await app.settled();
  },
  'gallery-start': async (app, home) => {
    await opened(app, home, gallery(shaOf(PNG)), 1);
    await app.message(2).getByRole('button', { name: 'Thinking' }).click();
    await app.settled();
  },
  'gallery-middle': async (app, home) => {
    await opened(app, home, gallery(shaOf(PNG)), 5);
    await app.message(3).getByTestId('tool-head').click();
    await app.settled();
  },
  'gallery-end': async (app, home) => {
    await opened(app, home, gallery(shaOf(PNG)));
    await app.page.getByTestId('newer').getByRole('button').click();
    await app.page.getByTestId('unsupported-block').getByRole('button').click();
    await app.settled();
  },
  damage: async (app, home) => void (await opened(app, home, damaged())),
  branch: async (app, home) => {
    await opened(app, home, branched());
    await app.message(2).getByTestId('tool-head').click();
  },
  cut: async (app, home) => {
    await opened(app, home, long(), 2);
    await expect(app.page.getByTestId('show-whole')).toBeAttached();
  },
  hostile: async (app, home) => {
    const id = home.session(hostile(), { name: NAME, cwd: `/srv/${NAME}` });
    await app.open(id, 2);
  },
  'no-such-record': async (app, home) => void (await opened(app, home, compacted(), 999)),
  'empty-session': async (app, home) => {
    const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
    await app.start();
    await app.link(id).click();
    await expect(app.page.getByTestId('transcript-empty')).toBeVisible();
  },
  'context-repairs': async (app, home) => {
    await opened(app, home, gallery(shaOf(PNG)));
    await app.openContext();
    await app.page.getByTestId('repairs').click();
    await app.page.getByTestId('counting').click();
  },
  'library-menu': async (app, home) => {
    const id = await opened(app, home);
    await app.link(id).focus();
    await app.page.keyboard.press('Shift+F10');
    await expect(app.page.getByRole('menu')).toBeVisible();
  },
  'library-rename': async (app, home) => {
    const id = await opened(app, home);
    await app.link(id).focus();
    await app.page.keyboard.press('F2');
    await expect(app.page.getByTestId('rename')).toBeFocused();
  },
  'conversation-menu': async (app, home) => {
    await opened(app, home);
    await app.page.getByTestId('conversation-menu').click();
    await expect(app.page.getByRole('menu')).toBeVisible();
  },
  'library-filtered': async (app, home) => {
    const names = ['fix the harbour lights', 'write the release note', 'the harbour at night', 'a slow query'];
    for (const [n, name] of names.entries()) {
      home.session(compacted(), {
        name,
        cwd: n % 2 ? '/srv/notes' : '/srv/harbour',
        lastMessageAt: `2026-11-1${n}T09:00:00Z`,
      });
    }
    await app.start();
    await app.filter.fill('harbour');
    await expect(app.library.getByTestId('session-row')).toHaveCount(2);
  },
  'library-no-match': async (app, home) => {
    await opened(app, home);
    await app.filter.fill('nothing like this');
    await expect(app.page.getByTestId('library-empty')).toBeVisible();
  },
  'library-archived': async (app, home) => {
    const id = await opened(app, home);
    await app.menu(id, 'Archive');
    await expect(app.toast).toBeVisible();
    await app.page.getByTestId('archived-too').click();
    await expect(app.session(id)).toContainText('archived');
  },
  trash: async (app, home) => {
    const id = await opened(app, home);
    await app.menu(id, 'Move to trash');
    await expect(app.page.getByTestId('gone')).toBeVisible();
    await app.page.getByTestId('shelf-trash').click();
    await expect(app.session(id)).toBeVisible();
  },
  'trash-empty': async (app) => {
    await app.start();
    await app.page.getByTestId('shelf-trash').click();
    await expect(app.page.getByTestId('library-empty')).toContainText('The trash is empty');
  },
  'link-question': async (app, home) => {
    await opened(app, home, gallery(shaOf(PNG)), 1);
    await app.message(1).getByRole('link').click();
    await expect(app.page.getByTestId('link-question')).toBeVisible();
  },
  keys: async (app, home) => {
    await opened(app, home);
    await app.page.keyboard.press('?');
    await expect(app.page.getByTestId('keys-dialog')).toBeVisible();
  },
  palette: async (app, home) => {
    await opened(app, home);
    await app.page.keyboard.press('Control+k');
    await expect(app.page.getByRole('option').first()).toBeVisible();
  },
  'palette-found': async (app, home) => {
    await opened(app, home);
    await app.page.keyboard.press('Control+k');
    await app.page.getByTestId('palette-field').fill('har');
    await expect(app.page.locator('mark').first()).toBeVisible();
  },
  'palette-nothing': async (app, home) => {
    await opened(app, home);
    await app.page.keyboard.press('Control+k');
    await app.page.getByTestId('palette-field').fill('zzzz');
    await expect(app.page.getByRole('option')).toHaveCount(0);
  },
  'go-to': async (app, home) => {
    await opened(app, home);
    await app.page.keyboard.press('Control+g');
    await expect(app.page.getByTestId('go-to-dialog')).toBeVisible();
  },
  toasts: async (app, home) => {
    const id = await opened(app, home);
    await app.page.keyboard.press('u');
    await app.menu(id, 'Archive');
    await expect(app.page.getByTestId('toast')).toHaveCount(2);
    await app.toast.hover();
  },
  'sign-in': async (app) => {
    await app.start();
    await app.page.evaluate(() => {
      sessionStorage.clear();
    });
    await app.page.reload();
    await app.page.getByTestId('token').fill('wrong');
    await app.page.keyboard.press('Enter');
    await expect(app.page.getByRole('alert')).toBeVisible();
  },
  'no-answer': async (app) => {
    await app.page.route('**/api/config', (route) => route.abort());
    await app.visit();
    await expect(app.page.getByTestId('error')).toBeVisible();
  },
  'change-refused': async (app, home) => {
    const id = await opened(app, home);
    await app.page.route('**/api/sessions/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await app.menu(id, 'Archive');
    await expect(app.toast).toHaveClass(/error/);
  },
};

/** What another size closes, or has another part of in view: these are come to anew at each. */
const ANEW = new Set([
  ...['compaction', 'gallery-middle', 'gallery-end', 'cut', 'hostile', 'context-repairs'],
  ...['library-menu', 'conversation-menu', 'link-question', 'toasts'],
]);

for (const [screen, way] of Object.entries(SCREENS)) {
  for (const sizes of ANEW.has(screen) ? SIZES.map((size) => [size]) : [SIZES]) {
    const both = sizes.map(({ width, height }) => `${width}x${height}`).join(' and ');
    test(`${screen} at ${both} can be read by everyone, light and dark`, { tag: '@look' }, async ({ app, home }) => {
      const { page } = app;
      const over = page.locator('dialog, [role="menu"], .surface');
      const lay: number[] = [];
      for (const [n, size] of sizes.entries()) {
        await page.setViewportSize(size);
        if (n === 0) await way(app, home);
        await look(page, screen);
        lay.push(await over.count());
      }
      expect(new Set(lay).size, `over it lay ${lay.join(', then ')}`).toBe(1);
    });
  }
}

for (const theme of THEMES) {
  test(`what is dimmed keeps its contrast, ${theme}`, async ({ app, home }) => {
    await app.page.emulateMedia({ colorScheme: theme });
    await opened(app, home, compacted(), 1);
    for (const seq of [1, 2, 3, 6]) {
      await expect(app.message(seq)).toHaveAttribute('data-state', 'superseded');
      expect(await contrast(app.message(seq))).toBeGreaterThanOrEqual(4.5);
    }
    await app.go(home.session(branched()));
    await app.message(2).getByTestId('tool-head').click();
    expect(await contrast(app.message(2))).toBeGreaterThanOrEqual(4.5);
    await app.page.getByRole('button', { name: 'Previous branch' }).click();
    for (const seq of [4, 5]) {
      await expect(app.message(seq)).toHaveAttribute('data-state', 'offPath');
      expect(await contrast(app.message(seq))).toBeGreaterThanOrEqual(4.5);
    }
    expect(await contrast(app.library)).toBeGreaterThanOrEqual(4.5);
    expect(await contrast(app.context)).toBeGreaterThanOrEqual(4.5);
  });
}
