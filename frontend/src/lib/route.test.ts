import { expect, test } from 'vitest';
import { ID } from '../test/fakes';
import { hashOf, hashOfReview, placeOf } from './route.svelte';

test.each([
  [`#/s/${ID}`, { session: ID, seq: null }],
  [`#/s/${ID}/212`, { session: ID, seq: 212 }],
  ['', { session: null, seq: null }],
  ['#/', { session: null, seq: null }],
  ['#/new', { session: null, seq: null, isNew: true }],
  [`#/s/${ID.toLowerCase()}`, { session: null, seq: null }],
  [`#/s/../../${ID}`, { session: null, seq: null }],
  [`#/s/${ID}/x`, { session: null, seq: null }],
  [`#/s/${ID}/compact`, { session: ID, seq: null, review: { seq: null, other: null } }],
  [`#/s/${ID}/compaction/9`, { session: ID, seq: null, review: { seq: 9, other: null } }],
  [`#/s/${ID}/compaction/9/22`, { session: ID, seq: null, review: { seq: 9, other: 22 } }],
  [`#/s/${ID}/compaction`, { session: null, seq: null }],
  ['#/s/pi%3Aa%20b/3', { session: 'pi:a b', seq: 3 }],
  ['#/s/pi:a.b', { session: 'pi:a.b', seq: null }],
  [`#/s/${ID}/compact/9`, { session: null, seq: null }],
])('%s', (hash, place) => {
  expect(placeOf(hash)).toEqual(place);
});

test('there and back', () => {
  expect(placeOf(hashOf(ID, 3))).toEqual({ session: ID, seq: 3 });
  expect(placeOf(hashOf(ID))).toEqual({ session: ID, seq: null });
  for (const [seq, other] of [
    [null, null],
    [9, null],
    [9, 22],
  ] as const) {
    expect(placeOf(hashOfReview(ID, seq, other)).review).toEqual({ seq, other });
  }
});
