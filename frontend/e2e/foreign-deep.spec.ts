import { claudeSession, claudeSubagent, foreignFile, PROJECT, type Row } from './support/foreign';
import type { Home } from './support/home';
import { at } from './support/reviews';
import { expect, test } from './support/test';

const PARENT = 'claudecode:parent';
const child = (agent: string) => encodeURIComponent(`${PARENT}.agent-${agent}`);

/** What a sub-agent was told, with the call by which it started another, and beside its file how deep it is. */
function nested(home: Home, agent: string, told: string, depth: number, next?: { call: string; agent: string }): void {
  const rows = next ? claudeSession('parent', told, [next]) : claudeSubagent('parent', agent, told);
  const of = rows.map((row) => ({ ...row, isSidechain: true, agentId: agent, uuid: `${agent}${String(row.uuid)}` }));
  const linked = of.map((row: Row) => ({
    ...row,
    parentUuid: row.parentUuid === null ? null : `${agent}${String(row.parentUuid)}`,
  }));
  foreignFile(home, `${PROJECT}/parent/subagents/agent-${agent}.jsonl`, linked);
  const note = { agentType: 'general-purpose', description: told, toolUseId: `toolu_${depth}`, spawnDepth: depth };
  foreignFile(home, `${PROJECT}/parent/subagents/agent-${agent}.meta.json`, [note]);
}

test('three deep, each says by its name what started it, also where it is loaded first', async ({ app, home }) => {
  const { page } = app;
  const first = { call: 'toolu_1', agent: 'a1' };
  foreignFile(home, `${PROJECT}/parent.jsonl`, claudeSession('parent', 'Look at the harbour.', [first]));
  nested(home, 'a1', 'the lights', 1, { call: 'toolu_2', agent: 'a2' });
  nested(home, 'a2', 'the northern mole', 2, { call: 'toolu_3', agent: 'a3' });
  nested(home, 'a3', 'the lighthouse', 3);
  await app.open(child('a3'));
  const by = page.getByTestId('started-by').getByRole('link');
  await expect(page.getByTestId('title')).toHaveText('the lighthouse');
  await expect(by).toHaveText('the northern mole');
  await by.click();
  await expect(page.getByTestId('title')).toHaveText('the northern mole');
  await expect(by).toHaveText('the lights');
  await by.click();
  await expect(by).toHaveText('Look at the harbour.');
  await by.click();
  await page.getByTestId('open-subagent').click();
  await expect(page.getByTestId('title')).toHaveText('the lights');
});

test('who wrote the summary of another agent is not known, rather than nobody', async ({ app, home }) => {
  const { page } = app;
  const common = { sessionId: 'c', cwd: '/srv/harbour', version: '2.1.0', isSidechain: false };
  const rows = claudeSession('c', 'Look at the sky.', [{ call: 'toolu_1', agent: 'a1' }]);
  const boundary = {
    type: 'system',
    subtype: 'compact_boundary',
    uuid: 'b',
    parentUuid: null,
    logicalParentUuid: 'u2',
  };
  const metadata = { compactMetadata: { trigger: 'auto', preTokens: 150_000 } };
  const summary = { type: 'user', uuid: 's', parentUuid: 'b', isCompactSummary: true };
  rows.push(
    { ...common, ...boundary, ...metadata, timestamp: '2026-11-20T11:00:00Z' },
    {
      ...common,
      ...summary,
      timestamp: '2026-11-20T11:00:01Z',
      message: { role: 'user', content: 'The sky is blue.' },
    },
  );
  foreignFile(home, `${PROJECT}/c.jsonl`, rows);
  await app.open(encodeURIComponent('claudecode:c'));
  await page.getByTestId('review-compaction').click();
  await expect(at(page, 'past-facts')).toContainText('Written by');
  await expect(at(page, 'past-facts')).toContainText('not recorded');
  await expect(at(page, 'past-facts')).not.toContainText('by rule');
  await expect(at(page, 'tokens-before'), 'as its band says').toHaveText('150,000');
});
