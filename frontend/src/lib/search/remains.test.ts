import { expect, test, vi } from 'vitest';
import type { SearchPlace, SessionAnswer } from '../backend';
import { remains } from './remains';

const place = (index: number, match: string): SearchPlace => ({
  ...{ seq: index + 1, index, scope: 'user', time: null, state: null },
  excerpt: { before: '', match, after: '' },
});
const answer = (hits: SearchPlace[], total = hits.length): SessionAnswer => ({
  query: { text: '', terms: [], filters: [], problems: [] },
  ...{ id: 'pi:s', hits, total, complete: true, skipped: [] },
});

test('without a word each message of the user is told once', async () => {
  const searchIn = vi.fn(() => Promise.resolve(answer([place(0, 'one'), place(0, 'more of it'), place(4, 'two')])));
  const found = await remains({ searchIn }, 'pi:s', '', new AbortController().signal);
  expect(found.places.map(({ excerpt }) => excerpt.match)).toEqual(['one', 'two']);
  expect(found.total).toBe(2);
  expect(searchIn).toHaveBeenCalledWith(
    'pi:s',
    expect.objectContaining({ text: '\\S.*', regex: true, scopes: ['user'] }),
    expect.anything(),
  );
});

test('a word is looked for everywhere, and counted as the index counts', async () => {
  const searchIn = vi.fn(() => Promise.resolve(answer([place(0, 'x'), place(0, 'x')], 7)));
  const found = await remains({ searchIn }, 'pi:s', 'x', new AbortController().signal);
  expect([found.places.length, found.total]).toEqual([2, 7]);
  expect(searchIn).toHaveBeenCalledWith(
    'pi:s',
    expect.objectContaining({ text: 'x', regex: false, scopes: [] }),
    expect.anything(),
  );
});
