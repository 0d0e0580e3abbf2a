import { expect, test } from 'vitest';
import { session } from '../../test/fakes';
import { entryOf } from './entries';
import { filterEntries } from './filter';
import filters from './filters.json';
import { piecesOf } from './pieces';

// What search finds by the same words is tested with the same table.
const entries = filters.sessions.map(({ id, agent, name, first, cwd, model, last, compactions, archived, gone }) =>
  entryOf(
    session(id, {
      ...{ agent, model, compactions, gone },
      name: name || null,
      firstMessage: first || null,
      cwd: cwd || null,
      lastMessageAt: last,
      archivedAt: archived ? last : null,
      foreign: id.includes(':'),
    }),
  ),
);
const found = (query: string) => filterEntries(entries, query).map(({ session: { id } }) => id);

test.each(Object.entries(filters.asks))('%s finds what search finds by it', (query, ids) => {
  expect(found(query)).toEqual(ids);
});

test.each(Object.entries(filters.reads))('%s is read as search reads it', (query, pieces) => {
  const told = piecesOf(query).map(({ name, value, not }) => `${not ? '-' : ''}${name ? `${name}:` : ''}${value}`);
  expect(told).toEqual(pieces);
});

test.each([
  ['"harbour note"', ['01JDB2']],
  ['"then deploy" harbour', ['01JDB2']],
  ['-"harbour note" harbour', ['01JDA1', 'codex:0199c3c1', 'claudecode:7d']],
  ['" note"', ['01JDB2']],
  // What stands last in one part of a row and first in the next is no phrase.
  ['"lights why"', []],
])('a phrase is looked for whole: %s', (query, ids) => {
  expect(found(query)).toEqual(ids);
});

test('white space in a phrase fits any', () => {
  const lines = entryOf(session('L', { name: null, firstMessage: 'a (harbour)\n\tnote' }));
  expect(filterEntries([lines], '"(harbour) note"')).toEqual([lines]);
});

test.each([
  ['"', 6],
  ['"harbour no', 1],
  ['-"harbour no', 5],
  ['-"', 6],
  ['name:"', 6],
  ['name:"harbour n', 1],
  ['agent:', 6],
  ['agent:co', 1],
  ['agent:pi agent:', 1],
  ['agent:pi,', 1],
  ['agent:pal', 2],
  ['project:,', 6],
])('%s is not written to its end, and keeps what it may become', (query, count) => {
  expect(found(query)).toHaveLength(count);
});

test('a minus leaves out whatever stands behind it, but where it is part of a word', () => {
  const left = piecesOf('x -.env -(y) -"z" -= ->z --f -').filter(({ not }) => not);
  expect(left.map(({ written }) => written)).toEqual(['-.env', '-(y)', '-"z"', '-']);
});
