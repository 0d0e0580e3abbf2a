import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { looks } from './support/look';
import { compacted, conversation, Log } from './support/log';
import { indexed, search } from './support/search';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

// What stands beside it leaves an excerpt the least room.
const NARROW = { width: 761, height: 600 };

test('what was found behind a long word, or in wide letters, is in view', async ({ app, home, program }) => {
  const { page } = app;
  home.session(new Log().user(`${'x'.repeat(500)} lantern ${'y'.repeat(500)}`), { name: 'long' });
  home.session(new Log().user('<root>/srv/tower/lamp</root></workspace_roots><permission_profile type="lantern">'), {
    name: 'broken',
  });
  home.session(new Log().user(`${'灯台の光が海を渡る'.repeat(10)}lantern`), { name: 'wide' });
  await indexed(program, 3);
  await page.setViewportSize(NARROW);
  await app.start();
  await search(app, 'lantern');
  const all = page.getByTestId('excerpt').locator('.said');
  await expect(all).toHaveCount(3);
  for (const said of await all.all()) {
    const [box, mark] = [await said.boundingBox(), await said.locator('mark').boundingBox()];
    expect(box && mark && mark.y + mark.height <= box.y + box.height + 1, (await said.textContent()) ?? '').toBe(true);
  }
});

shared('what a turn used is whole beside it, however wide the window is', async ({ app, home }) => {
  const { page } = app;
  const used = { usage: { input: 106_000, output: 12_400, cacheRead: 0, cacheWrite: 0 } };
  const id = home.session(new Log().user('Count.').assistant('Three. '.repeat(60), used), { name: 'count' });
  await app.open(id);
  const tokens = page.getByTestId('turn-usage').locator('.tokens');
  let seen = 0;
  for (let width = 1380; width <= 1500; width += 20) {
    await page.setViewportSize({ width, height: 900 });
    await app.settled();
    const box = await tokens.boundingBox();
    const log = await app.log.boundingBox();
    if (!box || !log) continue;
    seen++;
    expect(box.x + box.width, `${width} wide`).toBeLessThanOrEqual(log.x + log.width);
  }
  expect(seen).toBeGreaterThan(3);
});

test('the first screen says whose conversations were found', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  await app.start();
  await expect(page.getByTestId('home')).toBeVisible();
  await expect(page.getByTestId('found')).toHaveCount(0);
  home.session(conversation(2));
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
  foreignFile(home, `${PROJECT}/d.jsonl`, claudeSession('d', 'Look at the sea.'));
  await page.reload();
  const found = page.getByTestId('found').getByRole('definition');
  await expect(found).toHaveText(['Claude Code 2', 'Palimpsest 1']);
  home.session(conversation(2), { archivedAt: '2026-11-20T10:00:00Z' });
  await page.reload();
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 3 sessions');
  await expect(found, 'why it is more than the list').toHaveText([
    'Claude Code 2',
    'Palimpsest 2',
    '1 of them archived',
  ]);
  await looks(page, 'home-found');
});

test('that the ledger reads on is set off from how much it holds', async ({ app, home, program }) => {
  const { page } = app;
  home.session(compacted(), { name: 'lights' });
  await indexed(program, 1);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/ledger?*cursor=more*', async (route) => {
    await held;
    await route.fulfill({ json: { entries: [], total: 1, copied: 0, coverage: null, cursor: null } });
  });
  await page.route(
    (url) => url.pathname === '/api/ledger' && !url.searchParams.has('cursor'),
    async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...((await answer.json()) as object), cursor: 'more' } });
    },
  );
  await app.start();
  await page.keyboard.press('Shift+I');
  await expect(page.getByTestId('ledger').getByRole('status').first()).toHaveText('1 compaction · Reading the rest');
  release();
  await expect(page.getByTestId('ledger').getByRole('status').first()).toHaveText('1 compaction');
});
