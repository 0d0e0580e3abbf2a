import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openclaw } from './support/database';
import { conversation } from './support/log';
import type { Home } from './support/home';
import { looks } from './support/look';
import { expect, test } from './support/test';

const DAY = 86_400_000;

/** A conversation of Claude Code that nobody used for so many days. */
function claude(home: Home, id: string, said: string, days: number): string {
  const path = join(`${home.dir}.user`, '.claude', 'projects', '-w', `${id}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  const row = {
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    timestamp: new Date(Date.now() - days * DAY).toISOString(),
    sessionId: id,
    cwd: '/w',
    version: '2.1.0',
    message: { role: 'user', content: said },
  };
  writeFileSync(path, JSON.stringify(row) + '\n');
  const when = (Date.now() - days * DAY) / 1000;
  utimesSync(path, when, when);
  return path;
}

const goes = 'what another agent will delete is told, kept with one click, and read when its own files are gone';
test(goes, { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const going = claude(home, 'going', 'the plan of the harbour', 27);
  claude(home, 'fresh', 'something of today', 0);
  await app.start();
  const note = page.getByTestId('going-note');
  await expect(note).toContainText('1 conversation will be deleted within a week');
  await note.getByRole('button', { name: 'Keep…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
  const row = dialog.locator('[data-testid="going"][data-id="claudecode:going"]');
  await expect(row).toContainText('in 3 days');
  await expect(dialog).toContainText('Claude Code deletes what nobody used for 30 days');
  await looks(page, 'retention');
  await row.getByRole('button', { name: 'Keep the plan of the harbour' }).press('Enter');
  await expect(row).toContainText('kept');
  await expect(dialog.getByRole('button', { name: 'Keep something of today' }), 'the next by keys').toBeFocused();
  await expect(dialog.getByTestId('keeping')).toHaveText('1 conversation is kept');
  await expect(page.getByTestId('toast'), 'nothing lies over the rows').toHaveCount(0);
  await expect(note).toHaveCount(0);
  rmSync(going);

  await page.reload();
  const listed = page.locator('[data-testid="session-row"][data-id="claudecode:going"]');
  await listed.getByRole('link').click();
  await expect(page.getByTestId('transcript')).toContainText('the plan of the harbour');

  await page.keyboard.press('Shift+G');
  await dialog.getByRole('button', { name: 'Kept copies' }).press('Enter');
  await expect(dialog.getByTestId('copy')).toContainText('only this copy is left');
  await looks(page, 'retention-kept');
  const remove = dialog.getByRole('button', { name: /^Remove the copy/ });
  const undo = dialog.getByRole('button', { name: /^Undo: do not remove the copy/ });
  await remove.press('Enter');
  await expect(undo, 'the focus stays in its place').toBeFocused();
  await expect(dialog.getByTestId('copy')).toContainText('removed for good once this is closed');
  await undo.press('Enter');
  await expect(remove).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+G');
  await dialog.getByRole('button', { name: 'Kept copies' }).press('Enter');
  await expect(dialog.getByTestId('copy'), 'what was taken back stays').toHaveCount(1);
  await remove.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('toast')).toContainText('1 copy is removed');
  await page.keyboard.press('Shift+G');
  await dialog.getByRole('button', { name: 'Kept copies' }).press('Enter');
  await expect(dialog).toContainText('No copies are kept yet');
});

test('of a database with many conversations one is kept, and read when the database is gone', async ({ app, home }) => {
  const { page } = app;
  const database = openclaw(home);
  await app.start();
  await page.keyboard.press('Shift+G');
  const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
  await expect(dialog.getByTestId('going')).toHaveCount(2);
  const row = dialog.locator('[data-testid="going"][data-id="openclaw:s1"]');
  await row.getByRole('button', { name: 'Keep the plan of the harbour' }).press('Enter');
  await expect(row).toContainText('kept');
  rmSync(database);

  await page.reload();
  await page.locator('[data-testid="session-row"][data-id="openclaw:s1"]').getByRole('link').click();
  await expect(page.getByTestId('transcript')).toContainText('the plan of the harbour');
  await page.keyboard.press('Shift+G');
  await dialog.getByRole('button', { name: 'Kept copies' }).press('Enter');
  await expect(dialog.getByTestId('copy')).toHaveCount(1);
  await expect(dialog.getByTestId('copy')).toContainText('only this copy is left');
});

/** A conversation of pi, which deletes nothing; its file. */
function pi(home: Home, said: string): string {
  const path = join(`${home.dir}.user`, '.pi', 'agent', 'sessions', 'x', 'x.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  const at = '2026-01-02T10:00:00.000Z';
  const lines = [
    { type: 'session', version: 3, id: 'abc', timestamp: at, cwd: '/w' },
    { type: 'message', id: 'a', parentId: null, timestamp: at, message: { role: 'user', content: said } },
  ];
  writeFileSync(path, lines.map((line) => JSON.stringify(line) + '\n').join(''));
  return path;
}

test('of any conversation of another agent a copy is kept where it stands, and its state is told there', async ({
  app,
  home,
}) => {
  const { page } = app;
  const file = pi(home, 'the plan of the harbour');
  await app.start();
  const row = page.locator('[data-testid="session-row"][data-id="pi:abc"]');
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Keep a copy' }).press('Enter');
  await expect(page.getByTestId('toast')).toContainText('1 conversation is kept');
  await expect(row).toContainText('copy kept');

  await row.getByRole('link').click();
  await expect(page.getByTestId('transcript')).toContainText('the plan of the harbour');
  await expect(page.getByText('Copy kept', { exact: true })).toBeVisible();
  await page.getByTestId('conversation-menu').click();
  await expect(page.getByRole('menuitem', { name: 'Keep a copy' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Remove the copy…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
  const remove = dialog.getByRole('button', { name: 'Remove the copy of the plan of the harbour' });
  await expect(remove, 'it is at hand').toBeFocused();
  await remove.press('Enter');
  await dialog.getByRole('button', { name: /^Undo: do not remove/ }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(row, 'what was taken back stays').toContainText('copy kept');

  rmSync(file);
  await page.reload();
  await expect(row).toContainText('only the copy is left');
  await row.focus();
  await page.keyboard.press('Shift+O');
  await remove.press('Enter');
  await expect(dialog.getByTestId('copy')).toContainText('with what search has of it: nothing else is left');
  await page.keyboard.press('Escape');
  await expect(row, 'it is forgotten with its copy').toHaveCount(0);
});

test(
  'old conversations go to the trash after a look at which, and come back',
  { tag: '@look' },
  async ({ app, home }) => {
    const { page } = app;
    const old = home.session(conversation(2, new Date(Date.now() - 400 * DAY).toISOString()), { name: 'old' });
    const fresh = home.session(conversation(2, new Date().toISOString()), { name: 'fresh' });
    await app.start();
    await page.keyboard.press('Shift+G');
    const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
    await dialog.getByRole('button', { name: 'Clean up' }).press('Enter');
    await dialog.getByLabel('Leave out those that I gave a name').uncheck();
    await dialog.getByRole('button', { name: 'Show what would go' }).press('Enter');
    await expect(dialog.getByTestId('would-go')).toHaveText([/old/]);
    await looks(page, 'retention-clean-up');
    expect(existsSync(join(home.dir, 'sessions', old))).toBe(true);
    await dialog.getByRole('button', { name: 'Move 1 conversation to the trash' }).press('Enter');
    await expect.poll(() => existsSync(join(home.dir, 'sessions', old))).toBe(false);
    expect(existsSync(join(home.dir, 'sessions', fresh))).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => existsSync(join(home.dir, 'sessions', old))).toBe(true);
  },
);
