import { expect, test, vi } from 'vitest';
import { fakeBackend, ID, later, message, pageOf, settled } from '../../test/fakes';
import type { Page } from '../backend';
import { messageAsMarkdown, recordAsMarkdown } from './as-markdown';
import { Copying } from './copying.svelte';

test('a message keeps its markdown; calls and results are code', () => {
  const said = message(1, 'assistant', [
    { type: 'thinking', text: 'First.\nThen.' },
    { type: 'text', text: 'See **this**.' },
    { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls' } },
    { type: 'toolCall', id: 'd', name: 'read', arguments: { path: 'a' } },
    { type: 'image', mediaType: 'image/png', blob: 'x', name: '' },
  ]);
  expect(messageAsMarkdown(said)).toBe(
    '> First.\n> Then.\n\nSee **this**.\n\n**bash**\n\n```sh\nls\n```\n\n**read**\n\n```json\n{\n  "path": "a"\n}\n```\n\n*[image, image/png]*',
  );
  expect(messageAsMarkdown(message(2, 'toolResult', 'a\n````\nb\n'))).toBe('`````\na\n````\nb\n`````');
});

test('of a conversation each record has its heading, and what says nothing is left out', () => {
  expect(recordAsMarkdown(message(1, 'user', 'Hi.'))).toBe('### You · 2026-11-21T10:00:00Z\n\nHi.');
  expect(recordAsMarkdown(message(1, 'user', 'Look.', { byAgent: true }))).toMatch(/^### Another agent · /);
  expect(recordAsMarkdown(message(1, 'user', 'Hi.', { byAgent: 'true' }))).toMatch(/^### You · /);
  expect(recordAsMarkdown(message(1, 'assistant', ''))).toBe('');
  expect(recordAsMarkdown({ recordType: 'compaction', summary: '## Goal\nGo.' })).toContain(
    '## Compacted\n\n## Goal\nGo.',
  );
  expect(recordAsMarkdown({ recordType: 'model', model: 'gpt-6' })).toBe('*Model: gpt-6*');
});

test('what a message leaves open ends with it', () => {
  const cut = message(1, 'assistant', [
    { type: 'text', text: 'Run:\n\n```sh\nls' },
    { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls' } },
  ]);
  expect(messageAsMarkdown(cut)).toContain('```sh\nls\n```\n\n**bash**');
  expect(recordAsMarkdown(message(1, 'user', '~~~~\n```\n~~~\na'))).toMatch(/\n~~~~\n```\n~~~\na\n~~~~$/);
  expect(recordAsMarkdown(message(1, 'user', '``` a ` b\n- c'))).toMatch(/- c$/);
  expect(recordAsMarkdown(message(1, 'user', '<!-- to the end\n<b>not</b>'))).toContain(
    '&lt;!-- to the end\n<b>not</b>',
  );
  expect(recordAsMarkdown({ recordType: 'compaction', summary: '```\na' })).toContain('```\na\n```\n\n---');
  expect(recordAsMarkdown({ recordType: 'branch', fromSeq: 1, summary: '```\na' })).toContain('```\na\n```');
  // By itself it reaches nowhere, and stays as it was written.
  expect(messageAsMarkdown(message(1, 'user', '<!-- a -->\n```\nb'))).toBe('<!-- a -->\n```\nb');
});

test('names mean themselves, a command has its other arguments, and what failed says why', () => {
  const call = { type: 'toolCall', id: 'c', name: 'a*b\n# c', arguments: { command: 'ls', cwd: '/tmp' } };
  expect(messageAsMarkdown(message(1, 'assistant', [call]))).toBe(
    '**a\\*b # c**\n\n```sh\nls\n```\n\n```json\n{\n  "cwd": "/tmp"\n}\n```',
  );
  expect(recordAsMarkdown({ recordType: 'model', model: 'a_b*' })).toBe('*Model: a\\_b\\**');
  const failed = { ...message(1, 'assistant', ''), errorMessage: 'no ```route' };
  expect(recordAsMarkdown(failed)).toMatch(/^### .*\n\n````\nno ```route\n````$/);
});

const log = Array.from({ length: 1200 }, (_, n) => message(n + 1, 'user', `Question ${n + 1}.`));

test('a whole conversation is gathered page by page', async () => {
  const records = vi.fn((_: string, { index, limit }: { index: number; limit: number }) =>
    Promise.resolve(pageOf(log, index, limit)),
  );
  const copying = new Copying(fakeBackend({ records }), ID);
  const copied = await copying.gather('fix', 'all');
  expect(records).toHaveBeenCalledTimes(3);
  expect([copied?.messages, copied?.cut, copying.share]).toEqual([1200, false, null]);
  expect(copied?.markdown.startsWith('# fix\n\n### You')).toBe(true);
  expect(copied?.markdown.trimEnd().endsWith('Question 1200.')).toBe(true);
});

test('above a size it is cut, and says so', async () => {
  const backend = fakeBackend({ records: (_, { index, limit }) => Promise.resolve(pageOf(log, index, limit)) });
  const copied = await new Copying(backend, ID).gather('', 'all', 1000);
  expect(copied?.cut).toBe(true);
  expect(copied?.size).toBeLessThanOrEqual(1000);
  expect(copied?.messages).toBeGreaterThan(10);
});

test('it can be cancelled while it goes on', async () => {
  const page = later<Page>();
  const copying = new Copying(fakeBackend({ records: () => page.promise }), ID);
  const copied = copying.gather('', 'all');
  await settled();
  expect(copying.share).toBe(0);
  copying.cancel();
  page.resolve(pageOf(log, 0, 500));
  expect(await copied).toBeNull();
  expect(copying.share).toBeNull();
});
