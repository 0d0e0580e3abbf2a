import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BackendError, type SearchAnswer } from '../backend';
import { later, settled } from '../../test/fakes';
import { hit, answer, PAGEFUL, searching } from '../../test/searching';
import { Search } from './search.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('where filters alone list sessions, nobody counted anything', async () => {
  let given = answer(['a'], { scopes: {}, hits: [{ ...hit('a', 0), hit: null }] });
  const { search, still } = searching(() => Promise.resolve(given));
  expect(search.told, 'before the first answer').toBe(false);
  search.look({ text: 'agent:codex' });
  await still();
  expect([search.hits.length, search.told]).toEqual([1, false]);
  given = answer([], { scopes: {} });
  search.look({ text: 'nowhere' });
  await still();
  expect(search.told, 'what is found nowhere is in no scope').toBe(true);
  given = answer(['a']);
  search.look({ text: 'x' });
  await still();
  expect(search.told).toBe(true);
});

test('what is too long is not cut: it is said how long it is, and nobody is asked', async () => {
  const onAsked = vi.fn();
  const ask = vi.fn(() => Promise.resolve(answer([])));
  const search = new Search({ search: ask, searchIn: vi.fn() }, onAsked);
  const text = '港'.repeat(1366);
  search.look({ text, scopes: [] });
  await settled();
  expect(search.asked.text).toBe(text);
  expect(search.error?.message).toBe('This is 4,098 bytes long; 4,096 can be looked for.');
  expect([ask.mock.calls, onAsked.mock.calls, search.looking], 'an address has no room for it').toEqual([
    [],
    [],
    false,
  ]);
  search.look({ text: text.slice(1), scopes: [] });
  await settled();
  expect([ask.mock.calls.length > 0, search.error]).toEqual([true, null]);
});

test('blanks around it do not make it too long, unless it is an expression, in which they mean something', async () => {
  const onAsked = vi.fn();
  const ask = vi.fn(() => Promise.resolve(answer([])));
  const search = new Search({ search: ask, searchIn: vi.fn() }, onAsked);
  const text = ` ${'a'.repeat(4096)}\n`;
  search.look({ text, scopes: [] });
  await settled();
  expect([ask.mock.calls.length > 0, onAsked.mock.calls.length, search.error]).toEqual([true, 1, null]);
  search.look({ regex: true });
  await settled();
  expect(search.error?.message).toBe('This is 4,098 bytes long; 4,096 can be looked for.');
});

test('typing is waited for, once; what else is chosen is not', async () => {
  const { search, asked, still } = searching(({ text }) => Promise.resolve(answer([text])));
  for (const text of ['l', 'la', 'lan']) search.look({ text });
  expect(asked()).toEqual([]);
  await still();
  expect(asked().map(({ text }) => text)).toEqual(['lan']);
  search.look({ matchCase: true });
  expect(asked()).toHaveLength(2);
  await settled();
  expect(search.hits.map(({ id }) => id)).toEqual(['lan']);
  search.look({ text: '  ' });
  await still();
  expect([asked().length, search.hits.length, search.query]).toEqual([2, 0, null]);
});

test('of several questions only the last is answered, and what was found stays until then', async () => {
  const first = later<SearchAnswer>();
  const { search, ask, still } = searching(({ text }) =>
    text === 'slow' ? first.promise : Promise.resolve(answer([text])),
  );
  search.look({ text: 'one' });
  await still();
  search.look({ text: 'slow' });
  await still();
  expect([search.looking, search.hits[0]?.id]).toEqual([true, 'one']);
  search.look({ text: 'two' });
  await still();
  expect(ask.mock.calls[1]?.[1]?.aborted).toBe(true);
  first.resolve(answer(['slow']));
  await settled();
  expect([search.looking, search.hits[0]?.id]).toEqual([false, 'two']);
});

test('what was found is marked as old while something else is asked for longer than a moment, and nothing of it is told of that', async () => {
  const slow = later<SearchAnswer>();
  const { search, still } = searching(({ text }) => (text === 'one' ? Promise.resolve(answer(['a'])) : slow.promise));
  search.look({ text: 'one' });
  await still();
  search.look({ text: 'tw' });
  expect([search.old, search.told], 'most answers take no longer').toEqual([false, true]);
  await vi.advanceTimersByTimeAsync(100);
  search.look({ text: 'two' });
  await vi.advanceTimersByTimeAsync(50);
  expect([search.old, search.told, search.hits.length], 'however often it changes').toEqual([true, false, 1]);
  await still();
  search.look({ text: 'two or' });
  slow.resolve(answer(['b']));
  await settled();
  await vi.advanceTimersByTimeAsync(50);
  search.look({ text: 'two or thr' });
  expect([search.old, search.hits[0]?.id], 'another answer is as new').toEqual([false, 'b']);
  await vi.advanceTimersByTimeAsync(99);
  search.look({ text: 'two or three' });
  await vi.advanceTimersByTimeAsync(1);
  expect(search.old, 'and as old after a moment').toBe(true);
  search.look({ text: 'two' });
  expect([search.old, search.told]).toEqual([false, true]);
});

test('that nothing was found is not told of something else even for a moment', async () => {
  const { search, still } = searching(() => Promise.resolve(answer([])));
  search.look({ text: 'two' });
  await still();
  expect([search.old, search.told]).toEqual([false, true]);
  search.look({ text: 'three' });
  expect([search.old, search.told], 'nothing was found: not even for a moment').toEqual([true, false]);
  search.look({ text: 'two' });
  expect([search.old, search.told], 'that is what it was').toEqual([false, true]);
});

test('counts stay while other scopes are chosen, and are those of no other question', async () => {
  const counts = later<SearchAnswer>();
  const { search, still } = searching(({ text, count }) =>
    text === 'two' && count ? counts.promise : Promise.resolve(answer(['a'], { scopes: { user: 3 } })),
  );
  search.look({ text: 'one' });
  await still();
  search.look({ scopes: ['output'] });
  await vi.advanceTimersByTimeAsync(200);
  expect([search.told, search.scopes]).toEqual([true, { user: 3 }]);
  search.look({ text: 'two' });
  await still();
  expect([search.told, search.hits.length]).toEqual([false, 1]);
  counts.resolve(answer(['a'], { scopes: { user: 5 } }));
  await settled();
  expect([search.told, search.scopes]).toEqual([true, { user: 5 }]);
});

test('where the search fails nothing is told of what was found before, nor while it is tried again', async () => {
  const { search, still } = searching(({ text }) =>
    text === 'one' ? Promise.resolve(answer(['a'])) : Promise.reject(new BackendError('failed', 'no disk')),
  );
  search.look({ text: 'one' });
  await still();
  search.look({ text: 'two' });
  await still();
  expect([search.error === null, search.told]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(100);
  search.askNow();
  expect([search.error, search.old, search.told]).toEqual([null, true, false]);
});

test('counts come behind the answer: of all scopes, and of the sessions in those that are chosen', async () => {
  const { search, asked } = searching(({ scopes, count }) => {
    const most = answer(['a'], { counted: count ?? false, scopes: { user: count ? 9 : 1, output: 4 } });
    most.hits = [hit('a', count ? (scopes.length > 0 ? 4 : 13) : 1)];
    return Promise.resolve(most);
  });
  search.look({ text: 'x', scopes: ['output'] });
  await settled();
  expect(asked().map(({ scopes, count = false }) => [scopes.length, count])).toEqual([
    [1, false],
    [0, true],
    [1, true],
  ]);
  expect([search.counted, search.scopes.user, search.hits[0]?.count]).toEqual([true, 9, 4]);
});

test('a failure is said and can be tried again; one that nobody waits for is not', async () => {
  let fails = true;
  const { search, still } = searching(() =>
    fails ? Promise.reject(new BackendError('failed', 'no disk')) : Promise.resolve(answer(['a'])),
  );
  search.look({ text: 'x' });
  await still();
  expect([search.error?.message, search.looking]).toEqual(['No disk.', false]);
  fails = false;
  search.askNow();
  await settled();
  expect([search.error, search.hits.length]).toEqual([null, 1]);
});

test('the next sessions are added, none of them twice', async () => {
  const { search, asked, still } = searching(({ cursor }) =>
    Promise.resolve(cursor === 'c' ? answer(['49', 'c']) : answer(PAGEFUL, { cursor: 'c', complete: false })),
  );
  search.look({ text: 'x' });
  await still();
  expect(asked()).toHaveLength(1);
  await search.further();
  expect(search.hits.map(({ id }) => id)).toEqual([...PAGEFUL, 'c']);
  expect([search.cursor, search.complete]).toEqual([null, true]);
  await search.further();
  expect(asked()).toHaveLength(2);
});

test('what time was too short for is looked for without being asked to, up to what is shown at first', async () => {
  const parts: Record<string, SearchAnswer> = {
    '': answer([], { cursor: '1', complete: false, counted: false }),
    '1': answer(['a'], { cursor: '2', complete: false }),
    '2': answer(PAGEFUL, { cursor: '3', complete: false }),
  };
  const { search, asked, still } = searching(({ cursor, count }) =>
    Promise.resolve((count ? answer(['a']) : parts[cursor ?? '']) ?? answer([])),
  );
  search.look({ text: 'x' });
  await still();
  expect(asked().map(({ cursor, count }) => (count ? 'count' : cursor))).toEqual([undefined, '1', '2', 'count']);
  expect([search.hits.length, search.cursor, search.lookingFurther]).toEqual([51, '3', false]);
});

test('looking further ends with an error, and where something else is looked for', async () => {
  const further = later<SearchAnswer>();
  const { search, asked, still } = searching(({ text, cursor }) => {
    if (cursor) return text === 'slow' ? further.promise : Promise.reject(new Error('No disk.'));
    return Promise.resolve(text === 'other' ? answer(['b']) : answer([], { cursor: 'c', complete: false }));
  });
  search.look({ text: 'x' });
  await still();
  expect([search.error?.message, search.lookingFurther, asked().length]).toEqual(['No disk.', false, 2]);
  search.look({ text: 'slow' });
  await still();
  expect(search.lookingFurther).toBe(true);
  search.look({ text: 'other' });
  await still();
  further.resolve(answer(['a'], { cursor: 'd', complete: false }));
  await settled();
  expect([search.hits.map(({ id }) => id), search.lookingFurther]).toEqual([['b'], false]);
  expect(asked().map(({ text }) => text)).toEqual(['x', 'x', 'slow', 'slow', 'other']);
});
