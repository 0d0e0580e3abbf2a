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
    goBack();
    await expect.poll(() => been.at(-1)).toEqual({ session: ID, seq: null });
    expect(location.hash).toBe(hashOf(ID));
  });

  test('a search that is opened and left again leaves what lies under it', async () => {
    route.to('#/statistics');
    await toldOf();
    route.search(NOTHING);
    await toldOf();
    route.leaveSearch();
    route.search(NOTHING);
    route.searches({ ...NOTHING, text: 'word' });
    route.leaveSearch();
    goBack();
    await expect.poll(() => been.at(-1)?.page?.name).toBe('statistics');
    expect(location.hash).toBe('#/statistics');
  });

  test('a search over what was gone to leaves that', async () => {
    route.search(NOTHING);
    await toldOf();
    route.leaveSearch();
    route.to(NEW);
    route.search(NOTHING);
    const shown = been.length;
    route.leaveSearch();
    goBack();
    await expect.poll(() => location.hash).toBe(NEW);
    expect(been).toHaveLength(shown);
  });

  test('late news of what is left is not that of the way back', async () => {
    // Elsewhere it comes later than that of the step itself.
    const step = (event: Event) => event.stopImmediatePropagation();
    addEventListener('popstate', step, { capture: true, once: true });
    route.search(NOTHING);
    route.leaveSearch();
    await toldOf();
    route.to(NEW);
    expect(location.hash).toBe('#/search');
    goBack();
    await expect.poll(() => location.hash).toBe(NEW);
    expect(been.map(({ search, isNew }) => search ?? isNew)).toEqual([NOTHING, true]);
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
