import { expect, test, vi } from 'vitest';
import { LastPlace } from './place';

const ID = '01JD0000000000000000000001';
const left = { session: ID, seq: 7 };

function placeOn(get: (key: string) => Promise<unknown>) {
  const desk = { get: vi.fn(get), lay: vi.fn() };
  return { desk, place: new LastPlace(desk) };
}

test('what was asked for ahead is not asked for again', async () => {
  const { desk, place } = placeOn(() => Promise.resolve(left));
  place.ask(ID);
  expect(await place.find(ID)).toEqual(left);
  expect(desk.get.mock.calls).toEqual([[`place.${ID}`]]);
  // Later it may be another.
  await place.find(ID);
  expect(desk.get).toHaveBeenCalledTimes(2);
});

test('another conversation than was asked for ahead is asked for', async () => {
  const { desk, place } = placeOn((key) => Promise.resolve(key === 'place' ? left : null));
  place.ask(ID);
  expect(await place.find(null)).toEqual(left);
  expect(desk.get).toHaveBeenLastCalledWith('place');
});

test('what had no answer before anybody was let in is asked for again', async () => {
  let refused = true;
  const { place } = placeOn(() => (refused ? Promise.reject(new Error('unauthorised')) : Promise.resolve(left)));
  place.ask(ID);
  refused = false;
  expect(await place.find(ID)).toEqual(left);
  refused = true;
  expect(await place.find(ID)).toBeNull();
});
