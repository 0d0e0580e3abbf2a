// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('while the browser has yet to go back, however long it takes', () => {
  let goBack: () => void;

  beforeEach(() => {
    const asked = vi.spyOn(history, 'back').mockImplementation(() => undefined);
    goBack = () => {
      asked.mockRestore();
      history.back();
    };
    return () => asked.mockRestore();
  });

  test.each([
    ['a search', () => route.search(NOTHING), () => route.leaveSearch()],
    ['a review', () => route.review(ID, 9), () => route.leaveReview(ID)],
  ])('from %s, what is gone to is there at once, and takes the place of it', async (_, enter, leave) => {
    route.go(ID, 7);
    await toldOf();
    enter();
    await toldOf();
    leave();
    route.to(NEW);
    expect(been.at(-1)?.isNew).toBe(true);
    const shown = been.length;
    goBack();
    await expect.poll(() => location.hash).toBe(NEW);
    expect(been).toHaveLength(shown);
    history.back();
    await expect.poll(() => been.at(-1)).toEqual({ session: ID, seq: 7 });
  });

  test('what is noted of what was gone to is noted of that', async () => {
    route.search(NOTHING);
    await toldOf();
    route.leaveSearch();
    route.go(ID);
    route.note(hashOf(ID, 5));
    goBack();
    await expect.poll(() => location.hash).toBe(hashOf(ID, 5));
    history.back();
    await expect.poll(() => location.hash).toBe('#/');
  });

  test('a search that is opened again can be left again', async () => {
    route.go(ID);
    await toldOf();
    route.search(NOTHING);
    await toldOf();
    route.leaveSearch();
    been = [];
    route.search(NOTHING);
    expect(been).toEqual([{ session: null, seq: null, search: NOTHING }]);
    route.leaveSearch();
    expect(been.at(-1)).toEqual({ session: ID, seq: null });
    goBack();
    await expect.poll(() => location.hash).toBe(hashOf(ID));
  });
});

test('there is no way back from an address that it had already', () => {
  history.replaceState(null, '', '#/search');
  const back = vi.spyOn(history, 'back');
  route.search(NOTHING);
  route.leaveSearch();
  expect(location.hash).toBe('#/');
  expect(back).not.toHaveBeenCalled();
  back.mockRestore();
});
