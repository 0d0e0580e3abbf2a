import { claudeSession, claudeSubagent, foreignFile, PROJECT } from './support/foreign';
import { harmless, RLO } from './support/harmless';
import { BIDI, NAME } from './support/hostile';
import type { Home } from './support/home';
import { Log } from './support/log';
import { indexed, search } from './support/search';
import { expect, test } from './support/test';

const PARENT = 'claudecode:parent';

/** Sessions with hostile text in everything that the screens beside the conversation show of them. */
function fill(home: Home): void {
  const log = new Log().user(`needle ${NAME}`).call(`to${BIDI}ol`, { command: `rm ${BIDI}` }, `needle ${BIDI}`);
  log.compaction(1, `needle ${NAME}`, { trigger: `at ${BIDI}`, model: NAME, tokensBefore: 9000, readFiles: [BIDI] });
  home.session(log.assistant(`needle ${NAME}`, { model: NAME }), { name: `needle ${NAME}`, cwd: `/srv/${BIDI}` });
  const calls = [{ call: 'toolu_1', agent: 'a1' }];
  foreignFile(home, `${PROJECT}/parent.jsonl`, claudeSession('parent', `needle ${NAME}`, calls));
  foreignFile(home, `${PROJECT}/parent/subagents/agent-a1.jsonl`, claudeSubagent('parent', 'a1', `needle ${NAME}`));
}

test('statistics and the ledger show hostile names as what they are', async ({ app, home }) => {
  const { page } = app;
  fill(home);
  await app.start();
  await page.keyboard.press('i');
  await expect(page.getByTestId('statistics')).toBeVisible();
  await expect(page.locator('main')).toContainText(RLO);
  const tables = page.getByTestId('statistics').getByText('As a table');
  for (const table of await tables.all()) await table.click();
  await harmless(page);

  await page.keyboard.press('Shift+I');
  await expect(page.getByTestId('ledger-row')).toContainText(RLO);
  await harmless(page);
});

test('so do what was found, and sub-agents', async ({ app, home, program }) => {
  const { page } = app;
  fill(home);
  await app.start();
  await indexed(program, 3);
  await search(app, 'needle');
  await expect(page.getByTestId('search-hit').first()).toContainText('needle');
  for (const unfold of await page.getByTestId('unfold').all()) await unfold.click();
  await expect(page.getByTestId('search-place').first()).toBeVisible();
  await expect(page.locator('main')).toContainText(RLO);
  await harmless(page);

  await app.session(PARENT).getByTestId('subagents').click();
  await app.link(PARENT).click();
  await page.getByTestId('open-subagent').click();
  await expect(page.getByTestId('started-by')).toContainText('needle');
  await harmless(page);
});

test('and what will go, the copies that are kept, and what would be cleaned up', async ({ app, home }) => {
  const { page } = app;
  fill(home);
  await app.start();
  await page.keyboard.press('Shift+G');
  const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
  await expect(dialog.getByTestId('going').first()).toContainText(RLO);
  await harmless(page);
  await dialog
    .getByRole('button', { name: /^Keep needle/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Kept copies' }).click();
  await expect(dialog.getByTestId('copy').first()).toContainText(RLO);
  await harmless(page);
  await dialog.getByRole('button', { name: 'Clean up' }).click();
  await dialog.getByLabel('Leave out those that I gave a name').uncheck();
  await dialog.getByLabel('Nothing was said for').fill('1');
  await dialog.getByRole('button', { name: 'Show what would go' }).click();
  await expect(dialog.getByTestId('would-go').first()).toContainText(RLO);
  await harmless(page);
});
