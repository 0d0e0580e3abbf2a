import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { expect, test } from './support/test';

const ID = 'pi:a/b c';

/** A session of pi with a compaction, in the home that the program has. */
function piSession(home: { dir: string }): void {
  const at = join(`${home.dir}.user`, '.pi', 'agent', 'sessions', 'x');
  mkdirSync(at, { recursive: true });
  const entry = (id: string, parentId: string | null, more: object) => ({
    id,
    parentId,
    timestamp: '2026-01-02T10:00:01.000Z',
    ...more,
  });
  const said = (text: string) => ({ type: 'message', message: { role: 'user', content: text } });
  const lines = [
    { type: 'session', version: 3, id: 'a/b c', timestamp: '2026-01-02T10:00:00.000Z', cwd: '/w' },
    entry('a', null, said('what stood first')),
    entry('b', 'a', said('what was kept')),
    entry('c', 'b', { type: 'compaction', summary: 'S', firstKeptEntryId: 'b', tokensBefore: 9 }),
    entry('d', 'c', said('what came since')),
  ];
  writeFileSync(join(at, 'x.jsonl'), lines.map((line) => JSON.stringify(line) + '\n').join(''));
}

test('a session of another agent is listed and read, changed by nothing, and continued in a copy', async ({
  app,
  home,
}) => {
  const { page } = app;
  piSession(home);
  await app.start();
  const row = page.locator(`[data-testid="session-row"][data-id="${ID}"]`);
  await expect(row).toContainText('pi');
  await row.getByRole('link').click();
  await expect(page.getByText('what came since')).toBeVisible();
  await expect(page.getByTestId('read-only')).toContainText('This conversation belongs to pi');
  await expect(page.getByTestId('undo-compaction')).toHaveCount(0);
  await row.hover();
  await row.getByTestId('session-menu').click();
  await expect(page.getByRole('menuitem')).toHaveText([/^Continue here/, /^Keep a copy/, /^Export…/, 'Choose several']);
  await page.keyboard.press('Escape');

  await page.reload();
  await expect(page.getByText('what came since')).toBeVisible();
  await page.getByTestId('continue-here').click();
  await expect(page.getByTestId('read-only')).toHaveCount(0);
  await expect(page.getByText('what came since')).toBeVisible();
  expect(page.url()).toMatch(/#\/s\/[0-9A-Z]{26}$/);
});

test('it is continued by a key, from its row or where it is read; what is ours is not', async ({ app, home }) => {
  const { page } = app;
  piSession(home);
  await app.start();
  await app.link(ID).focus();
  await page.keyboard.press('a');
  await expect(page).toHaveURL(/#\/s\/[0-9A-Z]{26}$/);
  await expect(page.getByTestId('transcript').getByText('what came since')).toBeVisible();
  const ours = page.url();
  await page.keyboard.press('t');
  await expect(page.locator('[data-current]')).toBeFocused();
  await page.keyboard.press('a');
  await page.getByTestId('conversation-menu').click();
  await expect(page.getByRole('menuitem', { name: 'Export…' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Continue here' })).toHaveCount(0);
  expect(page.url()).toBe(ours);
});

test('of another agent’s session that was not compacted nobody offers to do that', async ({ app, home }) => {
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
  await app.open('claudecode:c');
  await expect(app.context.getByText('None so far.')).toBeVisible();
  await expect(app.context.getByText('Compact…')).toHaveCount(0);
});

test('a session whose file gets another name while it is open stays open, and goes on', async ({ app, home }) => {
  const { page } = app;
  const name = (title: string) => `.crabtalk/sessions/crab_user_1${title}.jsonl`;
  const rows = (title: string, ...said: string[]) => [
    { agent: 'crab', created_by: 'user', created_at: '2026-04-01T10:00:00Z', title, uptime_secs: 0 },
    ...said.map((content) => ({ role: 'user', content })),
  ];
  foreignFile(home, name(''), rows('', 'what was asked'));
  await app.open('crabtalk:crab_user_1');
  await expect(page.getByTestId('transcript').getByText('what was asked')).toBeVisible();
  const user = `${home.dir}.user`;
  renameSync(join(user, name('')), join(user, name('_harbour')));
  foreignFile(home, name('_harbour'), rows('Harbour', 'what was asked', 'what came since'));
  await expect(page.getByTestId('title')).toHaveText('Harbour');
  await expect(page.getByTestId('transcript').getByText('what came since')).toBeVisible();
  await expect(app.session('crabtalk:crab_user_1').getByRole('link')).toHaveAttribute('aria-current', /page|true/);
});
