import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexState } from '../src/lib/backend';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { looks } from './support/look';
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
