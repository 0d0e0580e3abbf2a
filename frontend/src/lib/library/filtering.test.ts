import { expect, test } from 'vitest';
import { session } from '../../test/fakes';
import { entryOf, type Entry } from './entries';
import { filterEntries } from './filter';
import { Filtering } from './filtering';

const entries = [
  entryOf(session('01JD9ZK3', { name: 'Harbour lights' })),
  entryOf(session('01JD9ZK4', { name: 'harbour 12', model: 'gpt-5.4' })),
  entryOf(session('01JD9ZK5', { name: 'The source of ΟΔΟΣ 01jd9z', compactions: 3 })),
  entryOf(session('01JDAAAA', { name: 'other caf\u00e9', source: 'cron' })),
];

/** Every question that typing a text and taking it back asks. */
const typed = (whole: string) => {
  const begun = Array.from(whole, (_, at) => whole.slice(0, at + 1));
  return [...begun, ...begun.toReversed(), ''];
};

test.each([
  'harbour 12',
  '01jd9zk4',
  'source:cron',
  'compactions:>2',
  'ΟΔΟΣΑ',
  ' har  lig',
  'model:gpt is:fork',
  'cafe\u0301',
])('typed key by key and taken back, %j finds what it finds at once', (whole) => {
  const filtering = new Filtering();
  for (const query of typed(whole)) expect(filtering.of(entries, query)).toEqual(filterEntries(entries, query));
});

test('what is asked again, or of fewer, is not looked for in the whole library', () => {
  const looked: string[] = [];
  const watched = entries.map((entry): Entry => {
    const { haystack } = entry;
    return Object.defineProperty({ ...entry }, 'haystack', {
      get: () => {
        looked.push(entry.session.id);
        return haystack;
      },
    });
  });
  const filtering = new Filtering();
  const had = filtering.of(watched, 'harbour');
  expect(looked).toHaveLength(4);
  expect(filtering.of(watched, 'Harbour 1')).toHaveLength(1);
  expect(looked.slice(4)).toEqual(['01JD9ZK3', '01JD9ZK4', '01JD9ZK3', '01JD9ZK4']);
  looked.length = 0;
  expect(filtering.of(watched, 'harbour')).toBe(had);
  expect(looked).toEqual([]);
});

test('another list is another question', () => {
  const filtering = new Filtering();
  filtering.of(entries, 'har');
  expect(filtering.of(entries.slice(1), 'har')).toEqual([entries[1]]);
});
