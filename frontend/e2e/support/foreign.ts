import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from './home';

export type Row = Record<string, unknown>;

/** Writes a file of another agent below the home directory that the program has. */
export function foreignFile(home: Home, path: string, rows: readonly Row[]): void {
  const whole = join(`${home.dir}.user`, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

const at = (n: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + n * 60_000).toISOString();

/** A session of Claude Code, as rows: what was asked, and for each sub-agent a call that starts it, with its result. */
export function claudeSession(
  id: string,
  asked: string,
  calls: readonly { call: string; agent: string }[] = [],
): Row[] {
  const common = { sessionId: id, cwd: '/srv/harbour', version: '2.1.0', isSidechain: false };
  const rows: Row[] = [
    {
      type: 'user',
      uuid: 'u0',
      parentUuid: null,
      timestamp: at(0),
      ...common,
      message: { role: 'user', content: asked },
    },
  ];
  let parent = 'u0';
  calls.forEach(({ call, agent }, i) => {
    const n = 2 * i + 1;
    const use = {
      type: 'tool_use',
      id: call,
      name: 'Task',
      input: { description: `look ${i}`, prompt: 'Look around.' },
    };
    const said = { id: `m${i}`, role: 'assistant', model: 'claude-x', content: [use] };
    rows.push({ type: 'assistant', uuid: `a${i}`, parentUuid: parent, timestamp: at(n), ...common, message: said });
    const content = [{ type: 'tool_result', tool_use_id: call, content: 'done' }];
    const result = { toolUseResult: { agentId: agent } };
    parent = `u${n + 1}`;
    const row = { type: 'user', uuid: parent, parentUuid: `a${i}`, timestamp: at(n + 1), ...common, ...result };
    rows.push({ ...row, message: { role: 'user', content } });
  });
  return rows;
}

/** What a sub-agent of Claude Code was told and answered. */
export function claudeSubagent(parent: string, agent: string, told: string): Row[] {
  const common = { sessionId: parent, cwd: '/srv/harbour', version: '2.1.0', isSidechain: true, agentId: agent };
  const answer = {
    id: 'm',
    role: 'assistant',
    model: 'claude-x',
    content: [{ type: 'text', text: `Looked: ${told}` }],
  };
  return [
    {
      type: 'user',
      uuid: 's0',
      parentUuid: null,
      timestamp: at(1),
      ...common,
      message: { role: 'user', content: told },
    },
    { type: 'assistant', uuid: 's1', parentUuid: 's0', timestamp: at(2), ...common, message: answer },
  ];
}

export const PROJECT = '.claude/projects/-srv-harbour';
