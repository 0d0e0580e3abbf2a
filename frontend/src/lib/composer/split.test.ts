// @vitest-environment jsdom
import { describe, expect, test } from 'vitest';
import { markdown, renderBlocks } from '../markdown/markdown';
import { Splitter } from './split';
import { finish } from './unfinished';

const blocks = (splitter: Splitter, text: string) => {
  const { finished, last } = splitter.read(text);
  return [...finished, ...(last ? [last] : [])];
};
const sources = (text: string, splitter = new Splitter()) => blocks(splitter, text).map(({ source }) => source);

const ANSWER = [
  '# Plan\n\nFirst *this*, then **that**.\nStill the same.\n\n',
  '## Steps\n\n1. one\n\n   more of one\n\n2. two\n   ```go\n   x := 1\n\n   y := 2\n   ```\n\n',
  '- a\n- b\n\n- c\n\nAfter the list.\n\n',
  '```ts\nconst a = 1;\n\n# not a heading\n\n- not a list\n```\n\n',
  '> quoted\n> more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '#### Deep\n\n    indented\n\n    code\n\nThe end with `code` and [a link](https://a.example/).',
].join('');

describe('an answer is cut', () => {
  test('where a block is over for certain', () => {
    expect(sources('a\n\nb\n\nc')).toEqual(['a\n\n', 'b\n\n', 'c']);
    expect(sources('a\nb')).toEqual(['a\nb']);
    expect(sources('')).toEqual([]);
    expect(sources('\n\na\n\nb')).toEqual(['a\n\n', 'b']);
  });

  test('never inside a fence, a list or indented code', () => {
    expect(sources('```\na\n\nb\n```\n\nc')).toEqual(['```\na\n\nb\n```\n\n', 'c']);
    expect(sources('~~~~\n```\n\n~~~\n\nx\n~~~~\n\nc')).toHaveLength(2);
    expect(sources('- a\n\n- b\n\n  c\n\nd')).toEqual(['- a\n\n- b\n\n  c\n\n', 'd']);
    expect(sources('    a\n\n    b\n\nc')).toEqual(['    a\n\n    b\n\n', 'c']);
    expect(sources('```\nopen\n\nstill')).toHaveLength(1);
  });

  test('as it is as a whole, wherever it was cut on the way', () => {
    const whole = sources(ANSWER);
    for (const step of [1, 2, 3, 7, 50]) {
      const splitter = new Splitter();
      for (let end = step; end < ANSWER.length; end += step) splitter.read(ANSWER.slice(0, end));
      expect(sources(ANSWER, splitter)).toEqual(whole);
    }
  });

  test('into what looks the same in parts as whole', () => {
    const root = document.createElement('div');
    for (const nodes of renderBlocks(blocks(new Splitter(), ANSWER))) root.append(...nodes);
    const parts = root.innerHTML;
    expect(parts.replace(/\s+/g, ' ')).toBe(markdown(ANSWER).replace(/\s+/g, ' '));
  });

  test('anew where it does not go on from what was there', () => {
    const splitter = new Splitter();
    splitter.read('a\n\nb\n\nc');
    expect(sources('x\n\ny', splitter)).toEqual(['x\n\n', 'y']);
  });

  test('each line once, however many pieces it comes in', () => {
    const long = 'A line of an answer.\n\n'.repeat(3000);
    const splitter = new Splitter();
    let kept: unknown = null;
    const lists = new Set<unknown>();
    for (let end = 26; end < long.length; end += 26) {
      const { finished } = splitter.read(long.slice(0, end));
      kept ??= finished[0];
      lists.add(finished);
      expect(finished[0]).toBe(kept ?? undefined);
    }
    expect(lists.size, 'the list is another one only where a block was added').toBeLessThanOrEqual(3000);
  });

  test('code that is not over is told apart, and what may end it is no part of it', () => {
    const code = (text: string) => new Splitter().read(text).last?.code ?? null;
    expect(code('a\n\n```go\nx := 1\n\ny')).toEqual({ text: 'x := 1\n\ny', language: 'go' });
    expect(code('```\na')).toEqual({ text: 'a', language: '' });
    expect(code('```go\na\n``')?.text).toBe('a\n');
    expect(code('````md\na\n```')?.text).toBe('a\n');
    expect(code('```go\na\n`b')?.text).toBe('a\n`b');
    expect(code('```go\na\n```\n')).toBeNull();
    expect(code('text\n```go\na')).toBeNull();
    expect(code('  ```go\n  a')).toBeNull();
    expect(code('```go')).toBeNull();
  });
});

test.each([
  ['so **bold', 'so **bold**'],
  ['so **bold*', 'so **bold**'],
  ['so *it', 'so *it*'],
  ['see `code', 'see `code`'],
  ['see `', 'see '],
  ['see **', 'see '],
  ['done **bold** and *it*', 'done **bold** and *it*'],
  ['a ~~gone', 'a ~~gone~~'],
  ['`a * b` is', '`a * b` is'],
  ['* item one\n* item', '* item one\n* item'],
  ['see [the notes', 'see the notes'],
  ['see [the notes](https://a.exa', 'see the notes'],
  ['see [the notes](https://a.example)', 'see [the notes](https://a.example)'],
  ['```go\na **b', '```go\na **b'],
  ['| a | b', '| a | b |\n| --- | --- |'],
  ['| a | b |\n|--', '| a | b |\n| --- | --- |'],
  ['| a | b |\n|---|---|\n| 1', '| a | b |\n|---|---|\n| 1'],
])('%j, unfinished, is shown as %j', (source, shown) => {
  expect(finish(source)).toBe(shown);
});
