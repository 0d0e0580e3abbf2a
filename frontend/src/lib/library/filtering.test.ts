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
  entryOf(session('codex:0199c3c1-7d', { name: 'at c:\\w', agent: 'codex', foreign: true })),
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
  'is:compacted harbour source:cron',
  'codex:0199c3c1-7d',
  'c:\\w agent:codex x',
  'cafe\u0301',
  'after:2026-11-20 har',
  'before:2026 -model:gpt',
  '-after:2w x',
  'agent:codex,palimpsest',
  '-agent:codex har',
  'tool:bash is:damaged other',
  'name:harbour id:01jd9zk4',
  '-harbour',
  'har -lights x',
  'harbour -12 -12x',
  '-other:x har',
  'agent:pi agent:codex x',
  'agent:pi agent:codex,palimpsest',
  'id:01jd9zk4 id:codex -id:01',
  'project:x project:/w',
  'name:"harbour 1" name:other har',
  '"harbour lights" -"harbour 12" x',
  '-"harbour 12',
  '" harbour "x',
  '"har"bour" - x',
])('typed key by key and taken back, %j finds what it finds at once', (whole) => {
  const filtering = new Filtering();
  for (const query of typed(whole)) expect(filtering.of(entries, query)).toEqual(filterEntries(entries, query));
});

/** The entries, and which of them were looked at. */
function watched(): [Entry[], string[]] {
  const looked: string[] = [];
  const those = entries.map((entry): Entry => {
    const { haystack } = entry;
    return Object.defineProperty({ ...entry }, 'haystack', {
      get: () => {
        looked.push(entry.session.id);
        return haystack;
      },
    });
  });
  return [those, looked];
}

test('what is asked again, or of fewer, is not looked for in the whole library', () => {
  const [those, looked] = watched();
  const filtering = new Filtering();
  const had = filtering.of(those, 'harbour');
  expect(looked).toHaveLength(entries.length);
  expect(filtering.of(those, 'Harbour 1')).toHaveLength(1);
  expect(looked.slice(entries.length)).toEqual(['01JD9ZK3', '01JD9ZK4', '01JD9ZK3', '01JD9ZK4']);
  looked.length = 0;
  expect(filtering.of(those, 'harbour')).toBe(had);
  expect(looked).toEqual([]);
});

test('nor with a filter in it, once that is begun', () => {
  const [those, looked] = watched();
  const filtering = new Filtering();
  filtering.of(those, 'agent:codex');
  looked.length = 0;
  expect(filtering.of(those, 'agent:codex w')).toHaveLength(1);
  expect(new Set(looked)).toEqual(new Set(['codex:0199c3c1-7d']));
});

test('a session of another agent is found by its id, and a state that is not written to its end keeps everything', () => {
  expect(filterEntries(entries, 'codex:0199C3').map(({ session: { id } }) => id)).toEqual(['codex:0199c3c1-7d']);
  expect(filterEntries(entries, 'is:com')).toHaveLength(entries.length);
  expect(filterEntries(entries, 'is:compacted')).toHaveLength(1);
  expect(filterEntries(entries, 'is:comx')).toEqual([]);
});

test('another list is another question', () => {
  const filtering = new Filtering();
  filtering.of(entries, 'har');
  expect(filtering.of(entries.slice(1), 'har')).toEqual([entries[1]]);
});
