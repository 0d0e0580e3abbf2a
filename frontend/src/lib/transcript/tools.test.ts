import { describe, expect, test } from 'vitest';
import { diffOf } from './edits';
import { blocksOf, jsonOf, plainText, summaryText } from './record';
import { commandOf, isSaid, linesOf, pretty, restOf, summarize } from './tools';

describe('the line that stands for a call', () => {
  test.each([
    [{ command: 'ls -la' }, 'ls -la'],
    [{ command: ['bash', '-lc', 'ls'] }, 'bash -lc ls'],
    [{ cmd: 'ls\n-la' }, 'ls -la'],
    [{ path: 'src/a.go', content: 'x' }, 'src/a.go'],
    [{ file_path: 'src/a.go', old_string: 'a' }, 'src/a.go'],
    [{ path: 'src/a.go ' }, 'src/a.go⟨SP⟩'],
    [{ pattern: 'fsync', path: 'src' }, 'fsync in src'],
    [{ url: 'https://a.example' }, 'https://a.example'],
    [{ depth: 3, deep: true }, 'depth: 3'],
    [{}, ''],
    ['plain', 'plain'],
    [null, ''],
    [undefined, ''],
    [[1, 2], '[1,2]'],
    [{ command: 'rm -rf \u202e/safe' }, 'rm -rf ⟨RLO⟩/safe'],
  ])('%j', (args, line) => {
    expect(summarize(args)).toBe(line);
  });
});

/** Lists in lists, as JSON can hold them. */
function nested(depth: number): unknown {
  return JSON.parse('['.repeat(depth) + ']'.repeat(depth));
}

describe('strange arguments', () => {
  test('a command of things that are no words', () => {
    const command = [{ toString: 1, valueOf: 1 }, nested(9000), 'ls'];
    expect(commandOf({ command })).toBe('{"toString":1,"valueOf":1} Nested too deeply to be shown ls');
  });

  test('deep ones are not indented, and the deepest are not written', () => {
    expect(pretty(nested(3))).toBe('[\n  [\n    []\n  ]\n]');
    expect(pretty(nested(500))).toBe('['.repeat(500) + ']'.repeat(500));
    expect(pretty({ a: nested(100_000) })).toBe('Nested too deeply to be shown');
    expect(summarize({ a: nested(100_000) })).toBe('a: Nested too deeply to be shown');
    expect(jsonOf(undefined)).toBe('');
    const content = [{ type: 'toolCall', id: '1', name: 'x', arguments: nested(100_000) }];
    expect(plainText({ recordType: 'message', content })).toBe('[x] Nested too deeply to be shown');
    expect(blocksOf({ recordType: 'message', content })).toHaveLength(1);
  });

  test('lines are counted without being made', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n\n'].map(linesOf)).toEqual([0, 1, 1, 2, 2]);
  });
});

describe('the lists of files below a summary', () => {
  test.each([
    ['Text\n\n<read-files>\na\n</read-files>\n<modified-files>b</modified-files>\n', 'Text'],
    ['<read-files>x</read-files> and on', '<read-files>x</read-files> and on'],
    ['Text </read-files>', 'Text </read-files>'],
    [' Text ', 'Text'],
  ])('%j leaves %j', (summary, rest) => {
    expect(summaryText(summary)).toBe(rest);
  });

  // Looked for with a pattern that tries every way to divide them, these would take longer than anyone lives.
  test('however many there are, closed or not', () => {
    const lists = '<read-files></read-files>'.repeat(20_000);
    expect(summaryText(`${lists}x`)).toBe(`${lists}x`);
    expect(summaryText(`x${lists}`)).toBe('x');
    const open = '<read-files>'.repeat(50_000) + ' '.repeat(500_000);
    expect(summaryText(`${open}x`)).toBe(`${open}x`);
  });
});

test('what is left of the arguments', () => {
  expect(restOf({ a: 1, b: 2 }, ['a'])).toEqual({ b: 2 });
  expect(restOf({ a: 1 }, ['a'])).toBeUndefined();
  expect(restOf(null, [])).toBeUndefined();
});

test('a short command need not be said twice, a hidden character must', () => {
  expect(isSaid({ command: 'ls' }, 'ls')).toBe(true);
  expect(isSaid({ command: 'ls\nrm' }, 'ls\nrm')).toBe(false);
  expect(isSaid({ command: 'l\u200bs' }, commandOf({ command: 'l\u200bs' }))).toBe(false);
  expect(isSaid({ command: 'x'.repeat(99) }, 'x'.repeat(99))).toBe(false);
});

describe('changes', () => {
  test('of lines that are too long to be compared are none', () => {
    expect(diffOf({ oldText: 'a', newText: 'b'.repeat(10_001) })).toBeNull();
    expect(diffOf({ patch: `-a\n+${'b'.repeat(10_001)}` })).toBeNull();
  });

  test.each([
    { oldText: 'a\nb\n', newText: 'a\nc\n' },
    { old_string: 'a\nb\n', new_string: 'a\nc\n' },
    { oldString: 'a\nb\n', newString: 'a\nc\n' },
    { edits: [{ oldText: 'a\nb\n', newText: 'a\nc\n' }] },
    { patch: '--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n' },
    { input: '*** Begin Patch\n*** Update File: x\n@@\n a\n-b\n+c\n*** End Patch' },
    { patchText: '*** Begin Patch\n*** Update File: x\n@@ func main\n a\n-b\n+c\n*** End Patch' },
    { command: ['apply_patch', '*** Begin Patch\n*** Update File: x\n a\n-b\n+c\n*** End Patch'] },
    '*** Begin Patch\n*** Update File: x\n a\n-b\n+c\n*** End Patch',
    { command: 'str_replace', path: 'x', old_str: 'a\nb\n', new_str: 'a\nc\n' },
    { file_path: 'x', edits: [{ old_string: 'a\nb\n', new_string: 'a\nc\n', replace_all: false }] },
    { path: 'x', old_text: 'a\nb\n', new_text: 'a\nc\n' },
  ])('%j', (args) => {
    const diff = diffOf(args);
    expect(diff).toMatchObject({ added: 1, removed: 1 });
    expect(diff?.lines.filter(({ kind }) => kind !== 'gap').map(({ kind, text }) => [kind, text])).toEqual([
      ['same', 'a'],
      ['removed', 'b'],
      ['added', 'c'],
    ]);
  });

  test.each([
    [{ oldText: 'a\nb', newText: 'a\nb\n' }, 'removed'],
    [{ oldText: 'a\nb\n', newText: 'a\nb' }, 'added'],
    [{ patch: '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n' }, 'removed'],
    [{ patch: '@@ -1,2 +1,3 @@\n a\n-b\n+b\n+c\n\\ No newline at end of file\n' }, 'added'],
  ])('%j: a line break that goes or comes is said', (args, kind) => {
    const unended = diffOf(args)?.lines.filter((line) => line.unended);
    expect(unended?.map((line) => line.kind)).toEqual([kind]);
  });

  test('and not where the lines differ anyway, or nothing does', () => {
    for (const [oldText, newText] of [
      ['a', 'b\n'],
      ['a\n', 'a\n'],
      ['a', 'a'],
    ]) {
      expect(diffOf({ oldText, newText })?.lines.some((line) => line.unended)).toBe(false);
    }
  });

  test.each([
    { path: 'a' },
    { edits: [{ x: 1 }] },
    { edits: [] },
    'text',
    null,
    { patch: 'no change' },
    { oldText: 'a' },
  ])('%j is none', (args) => {
    expect(diffOf(args)).toBeNull();
  });

  test.each([
    [{ path: 'a', content: 'x\ny\n' }, 'write'],
    [{ file_path: 'a', contents: 'x\ny' }, 'write_file'],
    [{ command: 'create', path: 'a', file_text: 'x\ny\n' }, 'str_replace_based_edit_tool'],
    [{ input: '*** Begin Patch\n*** Add File: a\n+x\n+y\n*** End Patch' }, 'apply_patch'],
  ])('a new file is all added: %j', (args, name) => {
    const diff = diffOf(args, name);
    expect(diff).toMatchObject({ added: 2, removed: 0, isNew: true });
    const added = diff?.lines.filter(({ kind }) => kind === 'added');
    expect(added?.map(({ text, after }) => [after, text])).toEqual([
      [1, 'x'],
      [2, 'y'],
    ]);
  });

  test('what is appended to a file, or put into it, is no new file', () => {
    expect(diffOf({ path: 'a', content: 'x' }, 'append_file')).toBeNull();
    const diff = diffOf({ command: 'insert', path: 'a', insert_line: 7, new_str: 'x\n' });
    expect(diff).toEqual({ added: 1, removed: 0, lines: [{ kind: 'added', text: 'x', after: 8 }] });
  });

  test('a unified patch knows its lines, also those that look like its heads', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -10,3 +10,3 @@ func f\n a\n--- old\n+++ new\n b\n';
    expect(diffOf({ diff: patch })?.lines.map(({ kind, text, before, after }) => [kind, text, before, after])).toEqual([
      ['gap', 'x', undefined, undefined],
      ['gap', 'func f', undefined, undefined],
      ['same', 'a', 10, 10],
      ['removed', '-- old', 11, undefined],
      ['added', '++ new', undefined, 11],
      ['same', 'b', 12, 12],
    ]);
  });

  test('before the first line of a file nothing is left out, between two parts of it something is', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1,2 +1,1 @@\n-a\n b\n@@ -9,1 +8,2 @@\n c\n+d\n';
    const kinds = diffOf({ diff: patch })?.lines.map(({ kind, text }) => (kind === 'gap' ? `gap ${text}` : kind));
    expect(kinds).toEqual(['gap x', 'removed', 'same', 'gap ', 'same', 'added']);
  });

  test('words that changed are marked within their lines', () => {
    const diff = diffOf({ oldText: 'wait(20, "s")\n', newText: 'wait(40, "s")\n' });
    const changed = diff?.lines.map(({ words }) => words?.filter((word) => word.changed).map(({ text }) => text));
    expect(changed).toEqual([['20'], ['40']]);
    const other = diffOf({ oldText: 'alpha beta\n', newText: 'quite another\n' });
    expect(other?.lines.every(({ words }) => words === undefined)).toBe(true);
  });

  test('one too large to compare stands before and after; a hostile one is left as it is', () => {
    const diff = diffOf({ oldText: 'a\n'.repeat(150_000), newText: 'b\n'.repeat(150_000) });
    expect(diff).toMatchObject({ added: 150_000, removed: 150_000 });
    expect(diffOf({ oldText: 'a'.repeat(5_000_000), newText: 'b' })).toBeNull();
    const noise = (seed: number) => Array.from({ length: 9000 }, (_, n) => String((n * seed) % 9973)).join('\n');
    const started = performance.now();
    expect(diffOf({ oldText: noise(7), newText: noise(11) })?.added).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('unchanged lines far from a change are left out', () => {
    const same = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
    const diff = diffOf({ oldText: `x\n${same}\ny`, newText: `X\n${same}\nY` });
    expect(diff?.lines.filter(({ kind }) => kind === 'same')).toHaveLength(6);
    expect(diff?.lines.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  });
});
