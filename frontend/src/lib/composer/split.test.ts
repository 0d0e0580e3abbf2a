import { describe, expect, test } from 'vitest';
import { markdown, renderBlock } from '../markdown/markdown';
import { Splitter } from './split';
import { finish } from './unfinished';

const sources = (text: string) => new Splitter().read(text).map(({ source }) => source);

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
      expect(splitter.read(ANSWER).map(({ source }) => source)).toEqual(whole);
    }
  });

  test('into what looks the same in parts as whole', () => {
    const parts = new Splitter()
      .read(ANSWER)
      .map((block) => renderBlock(block))
      .join('');
    expect(parts.replace(/\s+/g, ' ')).toBe(markdown(ANSWER).replace(/\s+/g, ' '));
  });

  test('anew where it does not go on from what was there', () => {
    const splitter = new Splitter();
    splitter.read('a\n\nb\n\nc');
    expect(splitter.read('x\n\ny').map(({ source }) => source)).toEqual(['x\n\n', 'y']);
  });

  test('each line once, however many pieces it comes in', () => {
    const long = 'A line of an answer.\n\n'.repeat(3000);
    const splitter = new Splitter();
    const began = performance.now();
    let kept: unknown = null;
    for (let end = 26; end < long.length; end += 26) {
      const blocks = splitter.read(long.slice(0, end));
      if (blocks.length > 1) kept ??= blocks[0];
      if (kept) expect(blocks[0]).toBe(kept);
    }
    expect(performance.now() - began).toBeLessThan(2000);
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
