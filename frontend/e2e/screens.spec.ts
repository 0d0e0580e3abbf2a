import type { Locator } from '@playwright/test';
import type { App } from './support/app';
import { type Home, shaOf } from './support/home';
import { hostile, NAME } from './support/hostile';
import { contrast, look, SIZES, still, THEMES } from './support/look';
import { PNG } from './support/pictures';
import { compacted, conversation } from './support/log';
import { branched, damaged, gallery, long } from './support/screens';
import { expect, test } from './support/test';

const HARBOUR = { name: 'fix the harbour lights', cwd: '/srv/harbour' };

function made(home: Home, log = compacted()): string {
  const id = home.session(log, HARBOUR);
  home.blob(id, PNG);
  return id;
}

/**
 * A screen can be read by everyone, light and dark, at each size. What another size closes, or has another part of in view, is come to
 * anew at each, from home; where what was unfolded stays so, in another conversation.
 */
async function seen(
  app: App,
  screen: string,
  come: (n: number) => Promise<void>,
  { anew = false } = {},
): Promise<void> {
  const { page } = app;
  await test.step(screen, async () => {
    const over = page.locator('dialog, [role="menu"], .surface');
    const lay: number[] = [];
    for (const [n, size] of SIZES.entries()) {
      if (n > 0 && anew) {
        await page.keyboard.press('Escape');
        await app.leave();
      }
      await page.setViewportSize(size);
      if (n === 0 || anew) await come(n);
      await look(page, screen, { asBefore: n > 0 && !anew });
      lay.push(await over.count());
    }
    expect(new Set(lay).size, `over it lay ${lay.join(', then ')}`).toBe(1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
}

test('what stands where there is nothing yet, and the sample', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  await page.route('**/api/config', (route) => route.abort());
  await seen(app, 'no-answer', async () => {
    await app.visit();
    await expect(page.getByTestId('error')).toBeVisible();
  });
  await page.unroute('**/api/config');
  await page.reload();
  await seen(app, 'home-empty', () => app.start());
  await seen(app, 'trash-empty', async () => {
    await page.getByTestId('shelf-trash').click();
    await expect(page.getByTestId('library-empty')).toContainText('The trash is empty');
  });
  await page.getByTestId('shelf-sessions').click();
  await seen(app, 'sample-end', async () => {
    await page.getByTestId('add-sample').click();
    await app.settled();
  });
  await seen(app, 'sample-compaction', async () => {
    await page.goto(`${page.url()}/71`);
    await expect(app.band(71)).toBeInViewport();
    await expect(app.band(71).getByTestId('band-facts')).toBeVisible();
    await app.settled();
  });
  const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
  await seen(app, 'empty-session', async () => {
    await app.link(id).click();
    await expect(page.getByTestId('transcript-empty')).toBeVisible();
  });
  await seen(app, 'sign-in', async () => {
    await page.evaluate(() => {
      sessionStorage.clear();
    });
    await page.reload();
    await page.getByTestId('token').fill('wrong');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('a conversation with a compaction', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  const [id, ids] = [made(home), SIZES.map(() => made(home))];
  await app.start();
  await seen(app, 'no-such-record', () => app.go(id, 999));
  await app.leave();
  const compaction = async (n: number) => {
    await app.go(ids[n] ?? '', 9);
    for (const button of await app.band(9).getByTestId('files-toggle').all()) await button.click();
  };
  await seen(app, 'compaction', compaction, { anew: true });
  const menu = async () => {
    await app.go(id);
    await page.getByTestId('conversation-menu').click();
    await expect(page.getByRole('menu')).toBeVisible();
  };
  await seen(app, 'conversation-menu', menu, { anew: true });
  await page.keyboard.press('Escape');
  await seen(app, 'model-view', async () => {
    await page.getByTestId('view-model').click();
    await app.settled();
  });
  await app.leave();
  await seen(app, 'undone', async () => {
    await app.go(id, 9);
    await app.band(9).getByTestId('undo-compaction').click();
    await expect(app.band(9).getByTestId('redo-compaction')).toBeVisible();
  });
});

test('what opens over a conversation by keys', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  await app.open(made(home));
  await seen(app, 'keys', async () => {
    await page.keyboard.press('?');
    await expect(page.getByTestId('keys-dialog')).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await seen(app, 'go-to', async () => {
    await page.keyboard.press('Control+g');
    await expect(page.getByTestId('go-to-dialog')).toBeVisible();
  });
  await page.keyboard.press('Escape');
  await seen(app, 'palette', async () => {
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option').first()).toBeVisible();
  });
  await seen(app, 'palette-found', async () => {
    await page.getByTestId('palette-field').fill('har');
    await expect(page.locator('mark').first()).toBeVisible();
  });
  await seen(app, 'palette-nothing', async () => {
    await page.getByTestId('palette-field').fill('zzzz');
    await expect(page.getByRole('option')).toHaveCount(0);
  });
});

test('a conversation with all that there can be in one', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  const [id, ids] = [made(home, gallery(shaOf(PNG))), SIZES.map(() => made(home, gallery(shaOf(PNG))))];
  await app.start();
  await seen(app, 'gallery-start', async () => {
    await app.go(id, 1);
    await app.message(2).getByRole('button', { name: 'Thinking' }).click();
    await app.settled();
  });
  const question = async () => {
    await app.go(id, 1);
    await app.message(1).getByRole('link').click();
    await expect(page.getByTestId('link-question')).toBeVisible();
  };
  await seen(app, 'link-question', question, { anew: true });
  const middle = async (n: number) => {
    await app.go(ids[n] ?? '', 5);
    await app.message(3).getByTestId('tool-head').click();
    await app.settled();
  };
  await seen(app, 'gallery-middle', middle, { anew: true });
  await app.leave();
  const end = async (n: number) => {
    await app.go(ids[n] ?? '');
    await page.getByTestId('newer').getByRole('button').click();
    await page.getByTestId('unsupported-block').getByRole('button').click();
    await app.settled();
  };
  await seen(app, 'gallery-end', end, { anew: true });
  const repairs = async (n: number) => {
    await app.go(ids[n] ?? '');
    await app.openContext();
    await page.getByTestId('repairs').click();
    await page.getByTestId('counting').click();
  };
  await seen(app, 'context-repairs', repairs, { anew: true });
});

test('conversations that are not as others', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  const [broken, two, lengthy] = [made(home, damaged()), made(home, branched()), made(home, long())];
  const evil = home.session(hostile(), { name: NAME, cwd: `/srv/${NAME}` });
  await app.start();
  await seen(app, 'damage', () => app.go(broken));
  await seen(app, 'branch', async () => {
    await app.go(two);
    await app.message(2).getByTestId('tool-head').click();
  });
  const cut = async () => {
    await app.go(lengthy, 2);
    await expect(page.getByTestId('show-whole')).toBeAttached();
  };
  await seen(app, 'cut', cut, { anew: true });
  await seen(app, 'hostile', () => app.go(evil, 2), { anew: true });
});

test('the library', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  const id = made(home);
  for (const [n, name] of ['write the release note', 'the harbour at night', 'a slow query'].entries()) {
    const cwd = n % 2 ? '/srv/harbour' : '/srv/notes';
    home.session(compacted(), { name, cwd, lastMessageAt: `2026-11-1${n + 1}T09:00:00Z` });
  }
  home.session(conversation(4, '2026-11-14T09:00:00Z'), { source: 'cron', parentSessionId: '0'.repeat(26) });
  home.config('theme: drak\n');
  await seen(app, 'home', async () => {
    await app.start();
    await expect(page.getByTestId('home')).toContainText('drak');
  });
  await app.go(id);
  const menu = async () => {
    await app.link(id).focus();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menu')).toBeVisible();
  };
  await seen(app, 'library-menu', menu, { anew: true });
  await page.keyboard.press('Escape');
  await seen(app, 'library-rename', async () => {
    await app.link(id).focus();
    await page.keyboard.press('F2');
    await expect(page.getByTestId('rename')).toBeFocused();
  });
  await page.keyboard.press('Escape');
  await seen(app, 'library-filtered', async () => {
    await app.filter.fill('harbour');
    await expect(app.library.getByTestId('session-row')).toHaveCount(2);
  });
  await seen(app, 'library-no-match', async () => {
    await app.filter.fill('nothing like this');
    await expect(page.getByTestId('library-empty')).toBeVisible();
  });
  await app.filter.fill('');
});

test('what was done in the library, or could not be', { tag: '@look' }, async ({ app, home }) => {
  test.slow();
  const { page } = app;
  const id = made(home);
  await app.open(id);
  await page.route('**/api/sessions/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await seen(app, 'change-refused', async () => {
    await app.menu(id, 'Archive');
    await expect(app.toast).toHaveClass(/error/);
  });
  await page.unroute('**/api/sessions/*');
  await page.reload();
  const toasts = async (n: number) => {
    if (n > 0) {
      await app.go(id);
      await page.reload();
    }
    await home.run(['unarchive', id]);
    await app.settled();
    await page.keyboard.press('u');
    await app.menu(id, 'Archive');
    await expect(page.getByTestId('toast')).toHaveCount(2);
    await app.toast.hover();
  };
  await seen(app, 'toasts', toasts, { anew: true });
  await page.reload();
  await seen(app, 'library-archived', async () => {
    await page.getByTestId('archived-too').click();
    await expect(app.session(id)).toContainText('archived');
  });
  await seen(app, 'trash', async () => {
    await app.menu(id, 'Move to trash');
    await expect(page.getByTestId('gone')).toBeVisible();
    await page.getByTestId('shelf-trash').click();
    await expect(app.session(id)).toBeVisible();
  });
});

test('what is dimmed keeps its contrast, light and dark', async ({ app, home }) => {
  const { page } = app;
  const legible = (element: Locator) =>
    test.step('light and dark', async () => {
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await still(page);
        expect(await contrast(element), theme).toBeGreaterThanOrEqual(4.5);
      }
    });
  await app.open(made(home), 1);
  for (const seq of [1, 2, 3, 6]) {
    await expect(app.message(seq)).toHaveAttribute('data-state', 'superseded');
    await legible(app.message(seq));
  }
  await app.go(home.session(branched()));
  await app.message(2).getByTestId('tool-head').click();
  await legible(app.message(2));
  await page.getByRole('button', { name: 'Previous branch' }).click();
  for (const seq of [4, 5]) {
    await expect(app.message(seq)).toHaveAttribute('data-state', 'offPath');
    await legible(app.message(seq));
  }
  await legible(app.library);
  await legible(app.context);
});
