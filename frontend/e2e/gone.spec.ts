import { appendFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexState } from '../src/lib/backend';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { looks } from './support/look';
import { hits, search } from './support/search';
import { expect, test } from './support/test';

const tells = 'a conversation whose files are gone tells what is left of it, and can be looked through';
test(tells, { tag: '@look' }, async ({ app, home, program }) => {
  const { page } = app;
  foreignFile(
    home,
    `${PROJECT}/g.jsonl`,
    claudeSession('g', 'Where did the lighthouse go?', [{ call: 't', agent: 'x' }]),
  );
  await app.start();
  await expect.poll(async () => (await program.get<IndexState>('index')).indexed).toBe(1);
  rmSync(join(`${home.dir}.user`, PROJECT, 'g.jsonl'));
  const id = encodeURIComponent('claudecode:g');
  await page.goto(`${program.origin}/#/s/${id}`);
  await page.reload();

  const gone = page.getByRole('region', { name: 'The files of this conversation are gone' });
  await expect(gone).toContainText('They are not where Claude Code kept them any more');
  await expect(gone).toContainText('/srv/harbour');
  await expect(gone).toContainText('3 messages');
  await expect(gone.getByTestId('remains')).toContainText('Where did the lighthouse go?');
  await expect(gone).toContainText('How 1 message of yours began');
  await expect(page.getByTestId('title'), 'which one it is').toHaveText('Where did the lighthouse go?');
  await expect(page).toHaveTitle('Where did the lighthouse go? · Palimpsest');
  await looks(page, 'gone-kept-in-index');
  await page.getByTestId('gone-field').fill('done');
  await expect(gone.getByTestId('remains').locator('mark')).toHaveText(['done']);
  await page.getByTestId('gone-field').fill('nowhere to be found');
  await expect(gone).toContainText('Found in 0 places');
  await gone.getByRole('button', { name: 'Keep others before they go…' }).click();
  await expect(page.getByRole('dialog', { name: 'Kept copies and cleaning up' })).toBeVisible();
  await page.keyboard.press('Escape');
  await gone.getByRole('button', { name: 'Start screen' }).click();
  await expect(gone).toHaveCount(0);
});

test('what was said after a copy was kept is found once only the copy is left, and that it is not in there is said', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  foreignFile(home, `${PROJECT}/g.jsonl`, claudeSession('g', 'Where did the lighthouse go?', []));
  const file = join(`${home.dir}.user`, PROJECT, 'g.jsonl');
  await app.start();
  await expect.poll(async () => (await program.get<IndexState>('index')).indexed).toBe(1);
  const row = page.locator('[data-testid="session-row"][data-id="claudecode:g"]');
  await row.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Keep a copy' }).press('Enter');
  await expect(row).toContainText('copy kept');
  const said = {
    type: 'user',
    uuid: 'late',
    parentUuid: 'u0',
    sessionId: 'g',
    cwd: '/srv/harbour',
    timestamp: '2026-10-03T10:00:00Z',
  };
  appendFileSync(file, JSON.stringify({ ...said, message: { role: 'user', content: 'Behind the breakwater' } }) + '\n');
  const found = async () => (await program.get<{ hits: unknown[] }>('search?q=breakwater')).hits.length;
  await expect.poll(found).toBe(1);
  rmSync(file);
  await expect(row).toContainText('only the copy is left');

  await search(app, 'breakwater');
  await expect(hits(page)).toHaveCount(1);
  await expect(hits(page)).toContainText('Behind the breakwater');
  await hits(page).click();
  await expect(page.getByTestId('transcript')).toContainText('Where did the lighthouse go?');
  await expect(page.getByTestId('no-seq')).toHaveText(/^Only search has record \d+: this copy is older$/);
});

test('a conversation whose folder can’t be looked into is not said to be gone', async ({ app, home, program }) => {
  const { page } = app;
  foreignFile(home, `${PROJECT}/g.jsonl`, claudeSession('g', 'Is anybody there?', []));
  await app.start();
  await expect.poll(async () => (await program.get<IndexState>('index')).indexed).toBe(1);
  const folder = join(`${home.dir}.user`, PROJECT);
  rmSync(folder, { recursive: true });
  symlinkSync(folder, folder);
  await page.goto(`${program.origin}/#/s/${encodeURIComponent('claudecode:g')}`);
  await page.reload();
  const hidden = page.getByRole('region', { name: 'The files of this conversation can’t be reached' });
  await expect(hidden).toContainText('It can’t be told whether they are still there');
  await expect(hidden).toContainText("Its files can't be reached: ");
  await expect(hidden.getByTestId('remains')).toContainText('Is anybody there?');
});

test('what is left of a conversation whose files are gone can be forgotten, after it is said what that means', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  for (const id of ['g', 'h', 'i', 'there'])
    foreignFile(home, `${PROJECT}/${id}.jsonl`, claudeSession(id, `Where did the lighthouse ${id} go?`, []));
  await app.start();
  await expect.poll(async () => (await program.get<IndexState>('index')).indexed).toBe(4);
  for (const id of ['g', 'h', 'i']) rmSync(join(`${home.dir}.user`, PROJECT, `${id}.jsonl`));
  await page.goto(`${program.origin}/#/s/${encodeURIComponent('claudecode:g')}`);
  await page.reload();
  const row = (id: string) => page.locator(`[data-testid="session-row"][data-id="claudecode:${id}"]`);
  const dialog = page.getByRole('dialog', { name: /^Forget/ });
  const gone = page.getByRole('region', { name: 'The files of this conversation are gone' });
  const found = async () =>
    (await program.get<{ hits: { id: string }[] }>('search?q=lighthouse')).hits.map(({ id }) => id).sort();

  // One that is open: nothing happens before it is confirmed.
  await gone.getByRole('button', { name: 'Forget…' }).click();
  await expect(dialog).toContainText('Where did the lighthouse g go?');
  await expect(dialog).toContainText('it will be in no list, found by no search and counted nowhere');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(gone).toBeVisible();
  await gone.press('Shift+X');
  await dialog.getByRole('button', { name: 'Forget for good' }).click();
  await expect(page.getByTestId('toast')).toContainText('1 conversation is forgotten');
  await expect(gone).toHaveCount(0);
  await expect(row('g')).toHaveCount(0);
  expect(await found()).toEqual(['claudecode:h', 'claudecode:i', 'claudecode:there']);

  // From the menu of a row; not of one whose files are there.
  await row('there').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Forget…' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await row('h').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Choose several' }).click();
  await row('i').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Choose several' }).click();
  const exporting = page.getByTestId('bulk-export');
  await expect(exporting, 'there is nothing to export').toBeDisabled();
  await expect(exporting).toHaveAttribute('title', 'None of them is there any more');
  await row('there').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Choose several' }).click();
  await row('there').getByRole('link').press('d');
  await page.getByRole('menuitem', { name: /JSONL/ }).click();
  await expect(page.getByTestId('toast').last()).toContainText('2 were left out: they are not there any more.');
  await page.getByTestId('bulk-forget').click();
  await expect(page.getByRole('dialog', { name: 'Forget 2 conversations?' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Forget for good' }).click();
  await expect(row('h')).toHaveCount(0);
  await expect(row('i')).toHaveCount(0);
  await expect(row('there')).toHaveCount(1);
  expect(await found()).toEqual(['claudecode:there']);
});
