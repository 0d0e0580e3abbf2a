import { expect, test } from 'vitest';
import type { Damage, Page } from '../backend';
import { entry, message, pageOf } from '../../test/fakes';
import { indexOf, rowsOf } from './rows';

const damage = (index: number, kind: Damage['kind']): Damage => ({
  index,
  offset: 0,
  line: index + 1,
  kind,
  reason: '',
});

test('a damaged line takes its place between records, a gap stands before its record', () => {
  const page: Page = {
    ...pageOf([message(1, 'user', 'a'), message(4, 'user', 'b')], 0, 2),
    first: 7,
    count: 3,
    entries: [entry(7), entry(9)],
    damage: [damage(8, 'torn'), damage(9, 'gap')],
  };
  const rows = rowsOf(page);
  expect(rows.map((row) => row.kind)).toEqual(['record', 'damage', 'record']);
  expect(rows.map(indexOf)).toEqual([7, 8, 9]);
  expect(rows[2]?.kind === 'record' && rows[2].notes.map(({ kind }) => kind)).toEqual(['gap']);
});

test('a view that counts only records leaves damaged lines out', () => {
  const page: Page = {
    ...pageOf([message(1, 'user', 'a'), message(4, 'user', 'b')], 0, 2),
    entries: [entry(7), entry(90)],
    damage: [damage(8, 'corrupt')],
  };
  expect(rowsOf(page).map(indexOf)).toEqual([7, 90]);
});
