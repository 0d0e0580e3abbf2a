import type { Route } from '@playwright/test';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Home } from './support/home';
import { expect, test } from './support/test';

const ROWS = 3000;
/** More than the list begins with. */
const FEW = 230;
const idOf = (n: number) => `01JD${String(n).padStart(22, '0')}`;

/** So many sessions, the last the newest; of every hundredth the name says so. */
function fill(home: Home, rows: number): void {
  for (let n = 0; n < rows; n++) {
    const id = idOf(n);
    mkdirSync(home.path(id), { recursive: true });
    writeFileSync(home.path(id, 'session.jsonl'), '');
    const at = new Date(Date.UTC(2026, 9, 1) + n * 600_000).toISOString();
    const name = `${n % 100 === 0 ? 'hundredth' : 'other'} ${n} ${'of many that have long names '.repeat(8)}`;
    writeFileSync(
      home.path(id, 'metadata.json'),
      JSON.stringify({ id, name, cwd: '/srv/harbour', createdAt: at, lastMessageAt: at, messageCount: 0 }),
    );
  }
}

test('the first rows can be used while the rest of the list comes, which moves nothing', async ({ app, home }) => {
  const { page } = app;
  fill(home, ROWS);
  const held: Route[] = [];
  const sizes: number[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/sessions?'))
      void response.body().then(
        (body) => sizes.push(body.length),
        () => undefined,
      );
  });
  let holds = true;
  await page.route('**/api/sessions?cursor=*', (route) => (holds ? void held.push(route) : route.continue()));
  await app.visit();
  await expect(app.session(idOf(ROWS - 1))).toBeVisible();
  const coming = page.getByTestId('list-coming');
  await expect(coming).toHaveText('Loading 200 of 3,000 sessions…');
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter sessions');

  // It scrolls, opens, chooses and filters.
  await app.filter.fill('hundredth 29');
  await expect.poll(() => app.listed()).toEqual([idOf(2900)]);
  await app.filter.fill('hundredth 11');
  await expect(page.getByTestId('library-empty'), 'nobody knows yet').toHaveCount(0);
  await expect(page.getByText('0 sessions shown')).toHaveCount(0);
  await app.filter.fill('');
  await app.link(idOf(ROWS - 2)).click();
  await expect(page.getByTestId('title')).toContainText('other 2998');
  // Meanwhile one that has yet to come gets another name, one goes, and one comes.
  await home.run(['rename', idOf(7), 'renamed meanwhile']);
  await home.run(['rm', idOf(8)]);
  const { id: made } = (await home.run(['new', '--name', 'made meanwhile'])) as { id: string };
  await expect(app.session(made)).toBeVisible();
  await app.link(idOf(ROWS - 2)).focus();
  await page.keyboard.press('Space');
  const at = () => page.evaluate(() => document.activeElement?.closest('[data-id]')?.getAttribute('data-id'));
  let focused = await at();
  for (let pages = 0; pages < 2; pages++) {
    await page.keyboard.press('PageDown');
    await expect.poll(async () => ![undefined, focused].includes((await at()) ?? undefined)).toBe(true);
    focused = await at();
  }
  const top = () => page.locator(':focus').evaluate((link) => link.getBoundingClientRect().top);
  let before = await top();
  const rests = async () => {
    const [was, now] = [before, await top()];
    before = now;
    return was === now;
  };
  await expect.poll(rests, 'what was scrolled to is measured').toBe(true);

  holds = false;
  for (const route of held) await route.continue();
  await expect(coming).toHaveCount(0);
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 3,000 sessions');
  expect(await at(), 'the focus stays').toBe(focused);
  expect(await top(), 'and so does where it is').toBeCloseTo(before, 0);
  await expect(page.getByText('1 chosen')).toBeVisible();

  for (const [query, ids] of [
    ['renamed meanwhile', [idOf(7)]],
    ['hundredth 110', [idOf(1100)]],
    ['made meanwhile', [made]],
    [idOf(8), []],
  ] as const) {
    await app.filter.fill(query);
    await expect.poll(() => app.listed()).toEqual(ids);
  }
  await expect(page.getByText('0 sessions shown')).toHaveCount(1);
  await expect.poll(() => sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThan(1_000_000);
});

test('a list that breaks off says so, and is whole when asked for again', async ({ app, home }) => {
  const { page } = app;
  fill(home, FEW);
  await page.route('**/api/sessions?cursor=*', (route) => route.abort());
  await app.visit();
  const coming = page.getByTestId('list-coming');
  await expect(coming).toContainText('Only 200 of 230 sessions could be loaded.');
  await expect(app.session(idOf(FEW - 1))).toBeVisible();
  await page.unroute('**/api/sessions?cursor=*');
  await coming.getByRole('button', { name: 'Try again' }).press('Enter');
  await expect(coming).toHaveCount(0);
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 230 sessions');
});

test('how the list began the last time shows at once, and what is otherwise now once it is there', async ({
  app,
  home,
}) => {
  const { page } = app;
  fill(home, FEW);
  await app.start();
  const indexes = `${home.dir}.cache/palimpsest/index`;
  const kept = () => readdirSync(indexes).some((one) => existsSync(`${indexes}/${one}/list.json`));
  await expect.poll(kept).toBe(true);
  // Of what happens now no page hears.
  await page.goto('about:blank');
  rmSync(home.path(idOf(FEW - 2)), { recursive: true });
  await home.run(['rename', idOf(FEW - 3), 'renamed since']);
  const { id: made } = (await home.run(['new', '--name', 'made since'])) as { id: string };
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/sessions?archived*', async (route) => {
    await held;
    await route.continue();
  });
  await app.visit();
  await expect(app.session(idOf(FEW - 1))).toBeVisible();
  await expect(app.session(idOf(FEW - 3))).toContainText(`other ${FEW - 3}`);
  // A list that the first page had asked for may have been made, and kept, a moment later.
  await expect(page.getByTestId('list-coming')).toHaveText(/^Loading 200 of (230|229) sessions…$/);
  await app.link(idOf(FEW - 1)).click();
  await expect(page.getByTestId('title')).toContainText(`other ${FEW - 1}`);
  release();
  await expect(app.filter).toHaveAttribute('placeholder', 'Filter 230 sessions');
  await expect(app.session(made)).toBeVisible();
  await expect(app.session(idOf(FEW - 3))).toContainText('renamed since');
  await expect(app.session(idOf(FEW - 2))).toHaveCount(0);
  await expect(app.link(idOf(FEW - 1))).toBeFocused();
});
