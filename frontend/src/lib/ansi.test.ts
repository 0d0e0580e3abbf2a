import { expect, test } from 'vitest';
import { hasStyles, piecesOf, styledOf } from './ansi';

const E = '\u001b';

test('colours and marks become styles, and their signs go', () => {
  const { text, runs } = styledOf(`ok ${E}[31;1mfailed${E}[0m and ${E}[92mgreen${E}[39m.`);
  expect(text).toBe('ok failed and green.');
  expect(runs.map(({ start, end, style }) => [text.slice(start, end), style])).toEqual([
    ['failed', 'red bold'],
    ['green', 'green'],
  ]);
});

test('palettes, grounds and resets of one mark', () => {
  const { text, runs } = styledOf(
    `${E}[38;5;9ma${E}[38;5;200mb${E}[38;2;1;2;3mc${E}[48;5;1md${E}[31;44me${E}[1;22;4mf${E}[mg${E}[38:5:2mh`,
  );
  expect(text).toBe('abcdefgh');
  expect(runs.map(({ start, style }) => [text[start], style])).toEqual([
    ['a', 'red'],
    ['e', 'red'],
    ['f', 'red underline'],
    ['h', 'green'],
  ]);
});

test('what is no colour stays, to be made visible', () => {
  expect(styledOf(`a${E}[2Jb${E}[1;1Hc`).text).toBe(`a${E}[2Jb${E}[1;1Hc`);
  expect(hasStyles(`a${E}[2J`)).toBe(false);
  expect(hasStyles(`a${E}[1m`)).toBe(true);
});

test('a stretch of it has the styles that hold there', () => {
  const { text, runs } = styledOf(`one ${E}[31mtwo three${E}[0m four`);
  expect(piecesOf(text.slice(6, 16), 6, runs)).toEqual([
    { text: 'o three', style: 'red' },
    { text: ' fo', style: '' },
  ]);
  expect(piecesOf('', 0, runs)).toEqual([{ text: '', style: '' }]);
});

test('very many of them cost no more than their text', () => {
  const { text, runs } = styledOf(`${E}[31mx${E}[0my`.repeat(50_000));
  expect(text).toHaveLength(100_000);
  expect(runs.length).toBeLessThanOrEqual(20_000);
});
