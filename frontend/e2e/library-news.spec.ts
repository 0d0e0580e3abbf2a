import type { IndexState } from '../src/lib/backend';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { conversation } from './support/log';
import { expect, test } from './support/test';

function line(text: string): string {
  return JSON.stringify({ recordType: 'message', role: 'user', content: [{ type: 'text', text }] });
}

test('the list, what is open and what is empty follow what another process does', async ({ app, home }) => {
  const { page } = app;
  const old = home.session(conversation(2, '2026-01-02T10:00:00Z'), { name: 'old' });
  await app.start();
  await test.step('the list follows what another process does: new, append, rename, rm', async () => {
    await expect(app.session(old)).toBeVisible();

    const made = (await home.run(['new', '--name', 'from outside'])) as { id: string };
    await expect(app.session(made.id)).toContainText('from outside');
    await expect.poll(() => app.listed()).toEqual([made.id, old]);

    // What is written to moves to the top.
    await home.run(['append', old], `${line('Still there?')}\n`);
    await expect.poll(() => app.listed()).toEqual([old, made.id]);
    await expect(app.library.getByRole('heading', { name: 'Today' })).toBeVisible();

    await home.run(['rename', old, 'old and renamed']);
    await expect(app.session(old)).toContainText('old and renamed');

    await home.run(['archive', made.id]);
    await expect(app.session(made.id)).toHaveCount(0);
    await home.run(['unarchive', made.id]);
    await expect(app.session(made.id)).toBeVisible();

    await home.run(['rm', made.id]);
    await expect(app.session(made.id)).toHaveCount(0);
    await page.getByTestId('shelf-trash').click();
    await expect(app.session(made.id)).toBeVisible();
    await home.run(['rm', old]);
    await expect.poll(async () => (await app.listed()).sort()).toEqual([made.id, old].sort());
  });
  await page.getByTestId('shelf-sessions').click();
  await test.step('an empty session fills as it is written to', async () => {
    const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
    await app.link(id).click();
    await expect(page.getByTestId('transcript-empty')).toContainText('No messages yet');
    await home.run(['append', id], `${line('First words.')}\n`);
    await expect(app.message(1)).toContainText('First words.');
  });
  await test.step('what is open follows another process: its name, its messages, its context', async () => {
    const id = home.session(conversation(4), { name: 'watched' });
    await app.go(id);
    await expect(app.message(4)).toBeInViewport();
    const tokens = async () => Number(await page.getByTestId('context-total').getAttribute('data-tokens'));
    const before = await tokens();

    await home.run(['append', id], `${line('One more, with **weight**.')}\n${line('And another.')}\n`);
    await expect(app.message(6)).toBeInViewport();
    await expect(app.message(5).locator('strong')).toHaveText('weight');
    await expect.poll(tokens).toBeGreaterThan(before);
    await home.run(['rename', id, 'watched, renamed']);
    await expect(page.getByTestId('title')).toHaveText('watched, renamed');
  });
});

test('a compaction of another agent shows in its row once it is read, and so do those of many sessions at once', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const rows = claudeSession('g', 'How deep is the harbour?');
  foreignFile(home, `${PROJECT}/g.jsonl`, rows);
  await app.start();
  const row = page.locator('[data-testid="session-row"][data-id="claudecode:g"]');
  await expect(row).toBeVisible();
  await expect.poll(async () => (await program.get<IndexState>('index')).indexed).toBe(1);
  const compacted = (session: string) =>
    [
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'b',
        parentUuid: null,
        logicalParentUuid: 'u0',
        compactMetadata: { trigger: 'auto', preTokens: 99 },
      },
      {
        type: 'user',
        uuid: 's',
        parentUuid: 'b',
        isCompactSummary: true,
        message: { role: 'user', content: 'It is deep.' },
      },
    ].map((row) => ({ sessionId: session, cwd: '/srv/harbour', timestamp: '2026-11-21T10:00:00Z', ...row }));
  foreignFile(home, `${PROJECT}/g.jsonl`, [...rows, ...compacted('g')]);
  await expect(row).toContainText('1 compaction');
  await page.getByTestId('filter').fill('is:compacted');
  await expect(page.getByTestId('session-row')).toHaveCount(1);
  for (let n = 0; n < 24; n++)
    foreignFile(home, `${PROJECT}/m${n}.jsonl`, [...claudeSession(`m${n}`, `Question ${n}`), ...compacted(`m${n}`)]);
  await expect(page.getByTestId('heading')).toHaveText(/25$/);
});
