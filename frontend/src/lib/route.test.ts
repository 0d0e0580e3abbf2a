import { expect, test } from 'vitest';
import { ID } from '../test/fakes';
import { hashOf, placeOf } from './route.svelte';

test.each([
  [`#/s/${ID}`, { session: ID, seq: null }],
  [`#/s/${ID}/212`, { session: ID, seq: 212 }],
  ['', { session: null, seq: null }],
  ['#/', { session: null, seq: null }],
  [`#/s/${ID.toLowerCase()}`, { session: null, seq: null }],
  [`#/s/../../${ID}`, { session: null, seq: null }],
  [`#/s/${ID}/x`, { session: null, seq: null }],
])('%s', (hash, place) => {
  expect(placeOf(hash)).toEqual(place);
});

test('there and back', () => {
  expect(placeOf(hashOf(ID, 3))).toEqual({ session: ID, seq: 3 });
  expect(placeOf(hashOf(ID))).toEqual({ session: ID, seq: null });
});
