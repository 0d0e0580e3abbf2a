// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { later, settled } from '../../test/fakes';
import type { MatchOptions } from '../backend';
import { Expression } from './expression.svelte';
import { holdsAnywhere } from './pattern';
import { rangesIn } from './ranges';

/** What the program would say of an expression that means the same here. */
const answer = ({ expression, texts }: MatchOptions) =>
  Promise.resolve(
    texts.map((text) =>
      [...text.matchAll(new RegExp(expression, 'g'))].flatMap((found) => [found.index, found.index + found[0].length]),
    ),
  );

function expressionOf(expression: string, matches = vi.fn(answer)) {
  const failed = vi.fn();
  return { expression: new Expression({ matches }, expression, false, failed), matches, failed };
}

test('all that is wanted at once is one question, and is asked once', async () => {
  const { expression, matches } = expressionOf('x+');
  expect([
    expression.firstIn('axx'),
    expression.firstIn('b'),
    expression.firstIn('axx'),
    expression.firstIn(''),
  ]).toEqual([-1, -1, -1, -1]);
  expect(expression.waits).toBe(true);
  await settled();
  expect(matches.mock.calls.map(([{ texts }]) => texts)).toEqual([['axx', 'b']]);
  expect([expression.waits, expression.answers]).toEqual([false, 1]);
  expect([...expression.placesIn('axx')]).toEqual([{ start: 1, end: 3 }]);
  expect(expression.firstIn('b')).toBe(-1);
  expect(matches).toHaveBeenCalledTimes(1);
});

test('what is wanted meanwhile is asked for next; once closed nothing is', async () => {
  const first = later<number[][]>();
  const { expression, matches, failed } = expressionOf('x');
  matches.mockReturnValueOnce(first.promise);
  expression.firstIn('x');
  await settled();
  expression.firstIn('ax');
  expression.firstIn('bbx');
  expect(matches).toHaveBeenCalledTimes(1);
  first.resolve([[0, 1]]);
  await settled();
  expect(matches.mock.calls.map(([{ texts }]) => texts)).toEqual([['x'], ['ax', 'bbx']]);
  expect(expression.firstIn('bbx')).toBe(2);
  expression.close();
  expect(expression.firstIn('new')).toBe(-1);
  await settled();
  expect(matches).toHaveBeenCalledTimes(2);
  expect(failed).not.toHaveBeenCalled();
});

test('much is asked for in parts, what is too much not at all, and only so much is held', async () => {
  const { expression, matches } = expressionOf('x');
  const texts = Array.from({ length: 5 }, (_, n) => `${n}`.padEnd(3_500_000, ' '));
  for (const text of texts) expression.firstIn(text);
  expression.firstIn(''.padEnd(4_000_001, 'x'));
  await settled();
  expect(matches.mock.calls.map(([asked]) => asked.texts.length)).toEqual([1, 1, 1, 1, 1]);
  expression.firstIn(texts[4] ?? '');
  await settled();
  expect(matches).toHaveBeenCalledTimes(5);
  expression.firstIn(texts[0] ?? '');
  await settled();
  expect(matches, 'the oldest is asked for again').toHaveBeenCalledTimes(6);
});

test('of what nothing was told it is asked again', async () => {
  const { expression, matches } = expressionOf('x');
  matches.mockImplementation((asked) => answer({ ...asked, texts: asked.texts.slice(0, 2) }));
  for (const text of ['x', 'ax', 'bbx']) expression.firstIn(text);
  await settled();
  expect(matches.mock.calls.map(([{ texts }]) => texts)).toEqual([['x', 'ax', 'bbx'], ['bbx']]);
  expect(['x', 'ax', 'bbx'].map((text) => expression.firstIn(text))).toEqual([0, 1, 2]);
  expect(expression.waits).toBe(false);
});

test('where it fits is marked over the borders of elements, and told of a record', async () => {
  const root = document.createElement('div');
  root.innerHTML = '<p>raise the <em>time</em>outs</p><p>a tim</p>';
  const { expression } = expressionOf('tim.*s');
  expect(rangesIn(root, expression)).toEqual([]);
  const record = { content: [{ text: 'no' }, { text: '**tim**es' }] };
  expect(holdsAnywhere(expression, record)).toBe(false);
  await settled();
  expect(rangesIn(root, expression).map(String)).toEqual(['timeouts']);
  expect(holdsAnywhere(expression, record)).toBe(true);
});
