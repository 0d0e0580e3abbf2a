import { describe, expect, test } from 'vitest';
import { diffOf } from './edits';
import { commandOf, isSaid, restOf, summarize } from './tools';

describe('the line that stands for a call', () => {
  test.each([
    [{ command: 'ls -la' }, 'ls -la'],
    [{ command: ['bash', '-lc', 'ls'] }, 'bash -lc ls'],
    [{ cmd: 'ls\n-la' }, 'ls -la'],
    [{ path: 'src/a.go', content: 'x' }, 'src/a.go'],
    [{ file_path: 'src/a.go', old_string: 'a' }, 'src/a.go'],
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
  test.each([
    { oldText: 'a\nb\n', newText: 'a\nc\n' },
    { old_string: 'a\nb\n', new_string: 'a\nc\n' },
    { oldString: 'a\nb\n', newString: 'a\nc\n' },
    { edits: [{ oldText: 'a\nb\n', newText: 'a\nc\n' }] },
    { patch: '--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n' },
  ])('%j', (args) => {
    const diff = diffOf(args);
    expect(diff).toMatchObject({ added: 1, removed: 1 });
    expect(diff?.lines.filter(({ kind }) => kind !== 'gap')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'c' },
    ]);
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

  test('one too large to compare is left as it is', () => {
    expect(diffOf({ oldText: 'a'.repeat(150_000), newText: 'b'.repeat(150_000) })).toBeNull();
  });

  test('unchanged lines far from a change are left out', () => {
    const same = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n');
    const diff = diffOf({ oldText: `x\n${same}\ny`, newText: `X\n${same}\nY` });
    expect(diff?.lines.filter(({ kind }) => kind === 'same')).toHaveLength(6);
    expect(diff?.lines.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  });
});
