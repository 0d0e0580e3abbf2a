// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest';
import { ID } from '../test/fakes';
import { hashOf, NEW, Route, type Place } from './route.svelte';
import { NOTHING } from './search/asked';

let been: Place[];
let route: Route;

/** What was gone to before this has told so. */
const toldOf = () => new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));

beforeEach(() => {
  history.replaceState(null, '', '#/');
  been = [];
  route = new Route((place) => been.push(place));
  const stop = route.start();
  been = [];
  return stop;
});

test('where one goes, one is at once, and once', async () => {
  const told = toldOf();
  route.search(NOTHING);
  expect(been).toEqual([{ session: null, seq: null, search: NOTHING }]);
  await told;
  route.go(ID, 7);
  expect(route.session).toBe(ID);
  await toldOf();
  expect(been).toHaveLength(2);
});

test('what the address tells of is not gone to; what is gone to from there is', async () => {
  route.go(ID);
  await toldOf();
  route.note(hashOf(ID, 5));
  location.hash = hashOf(ID);
  await toldOf();
  expect(been).toEqual([
    { session: ID, seq: null },
    { session: ID, seq: null },
  ]);
});

test('what takes the place of this is there at once: what is chosen next adds to it', async () => {
  route.to('#/ledger?agent=pi');
  await toldOf();
  const told = toldOf();
  route.replace('#/ledger');
  expect(been.at(-1)?.page).toEqual({ name: 'ledger', filter: {} });
  await told;
  expect(been).toHaveLength(2);
});

test('the way back is told of, also of two steps at once', async () => {
  route.go(ID);
  route.to(NEW);
  history.back();
  await expect.poll(() => location.hash).toBe(hashOf(ID));
  await expect.poll(() => been.length).toBe(3);
  expect(been.map(({ session, isNew }) => isNew ?? session)).toEqual([ID, true, ID]);
});
