import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conversation } from './support/log';
import type { Home } from './support/home';
import { looks } from './support/look';
import { expect, test } from './support/test';

const MANY = 220;
const AT = '2025-01-02T10:00:00.000Z';
const two = (n: number) => String(n).padStart(3, '0');

/** A conversation of pi without a name. */
function pi(home: Home, n: number): string {
  const path = join(`${home.dir}.user`, '.pi', 'agent', 'sessions', 'x', `${two(n)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const message = { role: 'user', content: `the plan of harbour ${two(n)}` };
  const lines = [
    { type: 'session', version: 3, id: `p${two(n)}`, timestamp: AT, cwd: '/w' },
    { type: 'message', id: 'a', parentId: null, timestamp: AT, message },
  ];
  writeFileSync(path, lines.map((line) => JSON.stringify(line) + '\n').join(''));
  return `pi:p${two(n)}`;
}

test(
  'of hundreds of copies only those in view exist, all of them are asked for in two parts, and one is found by its name',
  { tag: '@look' },
  async ({ app, home, program }) => {
    const { page } = app;
    const ids = Array.from({ length: MANY }, (_, n) => pi(home, n));
    await program.ask('kept', { body: { ids } });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await app.start();
    expect(asked.filter((path) => path === '/api/kept')).toEqual([]);
    await page.keyboard.press('Shift+G');
    const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
    asked.length = 0;
    await dialog.getByRole('button', { name: 'Kept copies' }).press('Enter');
    await expect(dialog.getByText('220 copies')).toBeVisible();
    const rows = dialog.getByTestId('copy');
    await expect(rows.first()).toContainText('the plan of harbour');
    expect(await rows.count()).toBeLessThan(60);
    await looks(page, 'retention-kept-many');
    await dialog.getByTestId('listed').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await expect(rows.last()).toBeInViewport();
    await expect(rows.last()).toContainText('the plan of harbour');
    expect(
      asked.filter((path) => path === '/api/kept'),
      'the first rows, and the rest',
    ).toHaveLength(2);
    expect(asked.filter((path) => path.startsWith('/api/sessions/'))).toEqual([]);
    // With the keys one comes from row to row, and further than is in view.
    await dialog.getByTestId('listed').evaluate((list) => {
      list.scrollTop = 0;
    });
    await rows.first().getByRole('button').last().focus();
    for (let n = 0; n < 30; n++) await page.keyboard.press('Tab');
    await expect(page.locator(':focus')).toBeInViewport();
    await page.keyboard.press('Escape');

    // Who comes for one has it in view.
    await app.filter.fill('harbour 007');
    await page.locator('[data-id="pi:p007"]').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Remove the copy…' }).press('Enter');
    await expect(dialog.getByRole('button', { name: 'Remove the copy of the plan of harbour 007' })).toBeFocused();
    await expect(page.locator(':focus')).toBeInViewport();
  },
);

test(
  'of hundreds of old conversations all are shown before they go, and go in parts',
  { tag: '@look' },
  async ({ app, home }) => {
    const { page } = app;
    for (let n = 0; n < MANY; n++) home.session(conversation(2, AT), { name: `harbour ${two(n)}` });
    await app.start();
    await page.keyboard.press('Shift+G');
    const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
    await dialog.getByRole('button', { name: 'Clean up' }).press('Enter');
    await dialog.getByLabel('Leave out those that I gave a name').uncheck();
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/cleanup'));
    await dialog.getByRole('button', { name: 'Show what would go' }).press('Enter');
    const told = (await (await answer).json()) as { sessions: unknown[]; ids: string[]; count: number };
    expect([told.sessions.length, told.ids.length, told.count]).toEqual([100, MANY, MANY]);
    const rows = dialog.getByTestId('would-go');
    await expect(rows.first()).toContainText('harbour');
    expect(await rows.count()).toBeLessThan(60);
    await looks(page, 'retention-clean-up-many');
    await dialog.getByTestId('listed').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await expect(rows.last(), 'what no whole row came of is called by its name, too').toContainText('harbour');
    await dialog.getByRole('button', { name: 'Move 220 conversations to the trash' }).press('Enter');
    await expect.poll(() => home.ids('trash').length).toBe(MANY);
    await page.keyboard.press('Escape');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
    });
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(page.getByTestId('toast')).toContainText('220 sessions are restored.');
    expect(home.ids()).toHaveLength(MANY);
    expect(asked).toEqual(['/api/restores']);
    await expect(page.getByTestId('bulk-progress')).toBeHidden();
  },
);
