import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Every text colour on every ground it stands on, in both themes.
const css = readFileSync('src/styles/tokens.css', 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name,
    [light, dark],
  ]),
);

const GROUNDS = ['paper', 'paper-raised', 'paper-sunken', 'select', 'hover'];
const PAIRS: [text: string, grounds: string[]][] = [
  ['ink', [...GROUNDS, 'rubric-wash', 'danger-wash', 'added-wash', 'found']],
  ['found-ink', ['found-here']],
  ['ink-soft', [...GROUNDS, 'rubric-wash', 'danger-wash']],
  ['ink-faint', GROUNDS],
  ['rubric', [...GROUNDS, 'rubric-wash']],
  ['kept', ['paper', 'paper-raised']],
  ['fresh', GROUNDS],
  ['danger', [...GROUNDS, 'danger-wash']],
  ['ok', ['paper', 'paper-raised', 'added-wash']],
  ...['keyword', 'string', 'number', 'name', 'comment'].map((name): [string, string[]] => [
    `code-${name}`,
    ['paper', 'paper-raised', 'rubric-wash'],
  ]),
];

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

const cases = PAIRS.flatMap(([text, grounds]) =>
  grounds.flatMap((ground) => ['light', 'dark'].map((theme, i) => ({ text, ground, theme, i }))),
);

test.each(cases)('$text on $ground in $theme', ({ text, ground, i }) => {
  const [front, back] = [tokens.get(text)?.[i], tokens.get(ground)?.[i]];
  expect(front).toBeDefined();
  expect(back).toBeDefined();
  expect(contrast(front ?? '', back ?? '')).toBeGreaterThanOrEqual(4.5);
});
