import { describe, expect, test, vi } from 'vitest';
import { entry, ID, message } from '../../test/fakes';
import { eventOf } from './events';
import { clamp, clampEnd, lineCount, partsUpTo } from './long';
import { agentOf, blocksOf, callsOf, plainText, summaryText } from './record';
import { PART, readWhole } from './whole';

describe('blocks', () => {
  test.each([
    [{ type: 'text', text: 'a' }, 'text'],
    [{ type: 'thinking', text: 'a' }, 'thinking'],
    [{ type: 'toolCall', id: 'x', name: 'bash', arguments: {} }, 'toolCall'],
    [{ type: 'image', mediaType: 'image/png', blob: 'aa' }, 'image'],
    [{ type: 'image' }, 'unknown'],
    [{ type: 'hologram' }, 'unknown'],
    [{ type: 7 }, 'unknown'],
    ['text', 'unknown'],
    [null, 'unknown'],
    [[], 'unknown'],
  ])('%j is read as %s', (raw, type) => {
    expect(blocksOf(message(1, 'assistant', [raw]))[0]?.type).toBe(type);
  });

  test.each([
    [{ type: 'thinking', text: 'a', aside: true }, true],
    [{ type: 'text', text: 'a', aside: true }, true],
    [{ type: 'image', mediaType: 'image/png', blob: 'aa', aside: true }, true],
    [{ type: 'thinking', text: 'a' }, false],
    [{ type: 'thinking', text: 'a', aside: 'true' }, false],
    [{ type: 'toolCall', id: 'x', name: 'bash', arguments: {}, aside: true }, false],
  ])('%j is aside: %s', (raw, aside) => {
    expect('aside' in (blocksOf(message(1, 'assistant', [raw]))[0] ?? {})).toBe(aside);
  });

  test.each([
    [{ type: 'document', sentAsIs: true }, true],
    [{ type: 'image', source: {}, sentAsIs: true }, true],
    [{ type: 'document', sentAsIs: 'true' }, false],
    ['document', false],
  ])('%j is sent as it is: %s', (raw, asIs) => {
    expect(blocksOf(message(1, 'user', [raw]))[0]).toMatchObject({ type: 'unknown', asIs });
  });

  test('the agent that a record is of', () => {
    expect(agentOf({ origin: { agent: 'gemini', session: 's' } })).toBe('gemini');
    expect(agentOf({ origin: 'gemini' })).toBe('');
    expect(agentOf({})).toBe('');
  });

  test('content that is no list', () => {
    expect(blocksOf({ content: 'bare' })).toEqual([{ type: 'text', text: 'bare', blob: '', bytes: 0 }]);
    expect(blocksOf({ content: 5 })).toEqual([]);
    expect(callsOf({ role: 'assistant' })).toEqual([]);
  });

  test('what copying gives', () => {
    const call = { type: 'toolCall', id: 'x', name: 'bash', arguments: { command: 'ls' } };
    const record = message(1, 'assistant', [{ type: 'text', text: 'a' }, { type: 'thinking', text: 'no' }, call]);
    expect(plainText(record)).toBe('a\n\n[bash] {"command":"ls"}');
  });
});

test('the lists of files at the end of a summary are not its text', () => {
  const tags = '<read-files>\na\n</read-files>\n\n<modified-files>\nb\n</modified-files>';
  expect(summaryText(`## Goal\nx\n\n${tags}`)).toBe('## Goal\nx');
  expect(summaryText('a <read-files>b</read-files> c')).toBe('a <read-files>b</read-files> c');
});

describe('events', () => {
  test.each([
    [
      { recordType: 'branch', fromSeq: 4, summary: 's' },
      { title: 'Branched off after 4', target: 4, body: 's' },
    ],
    [
      { recordType: 'branch', fromSeq: 0 },
      { title: 'Branched off from the start', target: 0 },
    ],
    [
      { recordType: 'revert', targetSeq: 4 },
      { title: 'Undid 4', target: 4 },
    ],
    [
      { recordType: 'prune', seqs: [3, 4], tokensFreed: 1200 },
      { title: 'Cleared 2 tool results, 1,200 tokens', target: 3 },
    ],
    [{ recordType: 'prune' }, { title: 'Cleared 0 tool results' }],
    [
      { recordType: 'prune', seqs: [3, 4, 5], texts: ['a\nb', '', 'c'] },
      { title: 'Cleared 3 tool results', target: 3, instead: 'a\nb\n\nc' },
    ],
    [
      { recordType: 'prune', seqs: [3], texts: ['a', 'b'] },
      { title: 'Cleared 1 tool result', instead: undefined },
    ],
    [{ recordType: 'label', targetSeq: 4, label: 'x\u202e' }, { title: 'Labelled 4 “x⟨RLO⟩”' }],
    [{ recordType: 'label', targetSeq: 4, label: '' }, { title: 'Removed the label of 4' }],
    [{ recordType: 'model', provider: 'p', model: 'm', reasoningEffort: 'high' }, { title: 'Model: p/m · high' }],
    [{ recordType: 'model' }, { title: 'Model: ?' }],
    [
      { recordType: 'note', namespace: 'n', data: {}, content: [{ type: 'text', text: 'b' }] },
      { title: 'Note by n', body: 'b', raw: undefined },
    ],
    [{ recordType: 'note', namespace: 'n', data: { k: 1 } }, { raw: { k: 1 } }],
    [
      { recordType: 'note', namespace: 'file-undo', data: { changes: [{ path: '/a' }, 3] } },
      { title: 'Took back changes in 1 file', files: ['/a'] },
    ],
    [
      { recordType: 'note', namespace: 'file-undo', data: { failed: true, changes: [{ path: '/a' }] } },
      { title: '1 file of these could not be taken back', body: '- `/a`' },
    ],
    [{ recordType: 'note', namespace: 'file-undo', data: { changes: 3 } }, { title: 'Note by file-undo' }],
    [{ recordType: 'odd' }, { title: 'Record “odd”', raw: { recordType: 'odd' } }],
  ])('%j', (record, line) => {
    expect(eventOf(record)).toMatchObject(line);
  });
});

describe('long texts', () => {
  test('are clamped by lines and by length', () => {
    expect(clamp('short')).toBe('short');
    expect(clamp('line\n'.repeat(500)).split('\n')).toHaveLength(20);
    expect(clamp('x'.repeat(100_000))).toHaveLength(3000);
    expect(clamp('👍'.repeat(5000)).endsWith('👍')).toBe(true);
  });

  test('that say last what went wrong show their end', () => {
    expect(clampEnd('short')).toBe('short');
    expect(clampEnd('ok\n'.repeat(500) + 'Error 1\n').split('\n')).toEqual([
      ...Array.from({ length: 19 }, () => 'ok'),
      'Error 1',
    ]);
    expect(clampEnd('👍'.repeat(5000) + 'x').startsWith('👍')).toBe(true);
  });

  test('come in parts that are the whole text', () => {
    const text = 'some line of output\n'.repeat(20_000);
    const whole = partsUpTo(text, Infinity);
    expect(whole.map((part) => part.text).join('\n')).toBe(text.replace(/\n$/, ''));
    const blank = '\n'.repeat(20_000);
    expect(
      partsUpTo(blank, Infinity)
        .map((part) => part.text)
        .join('\n'),
    ).toBe(blank.slice(1));
    expect(partsUpTo(text, 1000).map((part) => part.text)).toEqual([text.slice(0, 999)]);
    for (const part of whole) expect(text.slice(part.start, part.start + part.text.length)).toBe(part.text);
    expect(partsUpTo('👍'.repeat(100_000), Infinity).every((part) => !/[\ud800-\udbff]$/.test(part.text))).toBe(true);
  });
});

test('no part of a text is long, however long its lines are or how many', () => {
  for (const text of ['x'.repeat(200_000), '\n'.repeat(200_000), 'short\n'.repeat(40_000)]) {
    for (const part of partsUpTo(text, Infinity)) {
      expect(part.text.length).toBeLessThanOrEqual(50_000);
      expect(lineCount(part.text)).toBeLessThanOrEqual(500);
    }
  }
  expect(partsUpTo('x'.repeat(11_000), Infinity)[0]?.lines, 'room for what is wrapped').toBe(100);
  expect(partsUpTo('x\n'.repeat(300), Infinity)[0]?.lines).toBe(300);
});

describe('a record that came cut', () => {
  const whole = message(1, 'user', 'é'.repeat(PART));
  const bytes = new TextEncoder().encode(JSON.stringify(whole));
  const recordBytes = vi.fn((_: string, __: number, offset: number, limit: number) =>
    Promise.resolve({ bytes: bytes.slice(offset, offset + limit), total: bytes.length }),
  );

  test('is put together from its parts, though they cut characters', async () => {
    const progress: number[] = [];
    const record = await readWhole({ recordBytes }, ID, 1, entry(0, { bytes: bytes.length }), (n) => progress.push(n));
    expect(record).toEqual(whole);
    expect(progress.at(-1)).toBe(bytes.length);
    expect(progress).toHaveLength(3);
  });

  test('is not taken for another line of the same number', async () => {
    await expect(readWhole({ recordBytes }, ID, 1, entry(0, { bytes: 999 }), () => undefined)).rejects.toThrow(
      /same number/,
    );
  });
});
