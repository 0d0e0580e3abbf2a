import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type SearchAnswer } from '../backend';
import { later, settled } from '../../test/fakes';
import { hit, answer, PAGEFUL, queryOf, searching } from '../../test/searching';
import { NOTHING } from './asked';
import type { Row } from './rows';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('coming back shows what was found; another search looks anew', async () => {
  const { search, asked, still } = searching(({ text }) => Promise.resolve(answer([text])));
  search.open({ ...NOTHING, text: 'x' }, 'field');
  await settled();
  await search.unfold('x');
  search.at = 'x';
  search.close();
  search.open({ ...NOTHING, text: 'x' }, 'row');
  await still();
  expect([asked().length, search.opened.size, search.at, search.arrivals.to]).toEqual([1, 1, 'x', 'row']);
  search.open({ ...NOTHING, text: 'y' }, 'row');
  await settled();
  expect([asked().length, search.opened.size, search.current]).toEqual([2, 0, 'y']);
});

test('as the index grows the same question is asked again, not too often, and not under a reader', async () => {
  const { search, asked, still } = searching(() => Promise.resolve(answer(['a'])));
  search.look({ text: 'x' });
  await still();
  await search.unfold('a');
  for (let n = 0; n < 5; n++) search.grew();
  await vi.advanceTimersByTimeAsync(1600);
  expect([asked().length, search.opened.size]).toEqual([2, 1]);
  search.close();
  search.grew();
  await vi.advanceTimersByTimeAsync(1600);
  expect(asked()).toHaveLength(2);
  search.open(search.asked, 'row');
  await vi.advanceTimersByTimeAsync(1600);
  expect(asked(), 'what was missed meanwhile is asked for by who comes back').toHaveLength(3);
});

test('what is found as the index grows shows at once where nothing is read, else once it is wanted', async () => {
  let there: string[] = [];
  const { search, still } = searching(() => Promise.resolve(answer(there)));
  const ids = () => search.hits.map(({ id }) => id);
  const grow = async (now: string[]) => {
    there = now;
    search.grew();
    await vi.advanceTimersByTimeAsync(1600);
  };
  search.look({ text: 'x' });
  await still();
  await grow(['a']);
  expect([ids(), search.isNewer]).toEqual([['a'], false]);
  search.isRead = () => true;
  await grow(['a']);
  expect(search.isNewer, 'what grew has nothing of it').toBe(false);
  await grow(['b', 'a']);
  expect([ids(), search.isNewer]).toEqual([['a'], true]);
  search.at = 'a';
  await search.showNewer();
  expect([ids(), search.isNewer, search.current]).toEqual([['b', 'a'], false, 'b']);
  await search.unfold('b');
  await grow(['a']);
  expect([ids(), search.opened.size, search.isNewer], 'what is found no more is gone').toEqual([['a'], 0, false]);
  await grow(['c', 'b', 'a']);
  search.look({ text: '' });
  await still();
  expect(search.isNewer, 'nothing is looked for').toBe(false);
});

test('where an answer takes long, what grows on and on is asked for a tenth of the time', async () => {
  const slow = (query: { text: string }) =>
    new Promise<SearchAnswer>((resolve) =>
      setTimeout(
        () => {
          resolve(answer(['a']));
        },
        query.text === 'x' ? 1000 : 0,
      ),
    );
  const { search, asked } = searching(slow);
  search.look({ text: 'x' });
  await vi.advanceTimersByTimeAsync(2000);
  const before = asked().length;
  for (let n = 0; n < 120; n++) {
    search.grew();
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(asked().length - before).toBeLessThanOrEqual(7);
  expect(asked().length - before).toBeGreaterThan(3);
  search.look({ text: 'y' });
  await vi.advanceTimersByTimeAsync(2000);
  const other = asked().length;
  search.grew();
  await vi.advanceTimersByTimeAsync(1600);
  expect(asked().length, 'another question need not wait for that').toBe(other + 1);
});

test('a row that is clicked before the answer to what was typed leads where that answer says', async () => {
  const slow = later<SearchAnswer>();
  const { search, still, asked } = searching(({ text }) => {
    if (text === 'canary') return slow.promise;
    return Promise.resolve(answer(['a', 'b'], { query: queryOf(text) }));
  });
  search.look({ text: 'can' });
  await still();
  const row = (id: string): Row => ({ key: id, hit: hit(id), place: hit(id).hit, below: false });
  expect(await search.goal(row('a'))).toMatchObject({ sought: { word: 'can', matchCase: false }, place: { index: 0 } });
  search.look({ text: 'canary' });
  const goals = Promise.all([search.goal(row('a')), search.goal(row('b'))]);
  expect(asked().map(({ text }) => text)).toEqual(['can', 'canary']);
  slow.resolve({ ...answer([]), hits: [hit('a', 1, 7)], query: queryOf('canary') });
  const [toA, toB] = await goals;
  expect(toA).toMatchObject({ sought: { word: 'canary' }, place: { index: 7 } });
  expect(toB).toMatchObject({ sought: { word: 'can' }, place: { index: 0 } });
  await still();
  expect(asked()).toHaveLength(2);
});

test('what belongs to the rows that are shown is asked with what they answer', async () => {
  const { search, still, asked, searchIn } = searching(() =>
    Promise.resolve(answer(PAGEFUL, { cursor: 'c', complete: false })),
  );
  search.look({ text: 'can' });
  await still();
  search.look({ text: 'canary' });
  await search.further();
  await search.unfold('1');
  expect(asked().map(({ text }) => text)).toEqual(['can', 'can']);
  expect(searchIn.mock.calls[0]?.[1].text).toBe('can');
});
