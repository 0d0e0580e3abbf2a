import { expect, test, vi } from 'vitest';
import type { SavedSearch } from '../backend';
import { Saved } from './saved.svelte';

/** What is kept, as two windows see it. */
function desk(...names: string[]) {
  let kept: readonly SavedSearch[] = names.map((name) => ({ name, q: name }));
  let away = false;
  const backend = {
    savedSearches: () => Promise.resolve([...kept]),
    saveSearches: (list: readonly SavedSearch[]) =>
      away ? Promise.reject(new Error('nobody answers')) : Promise.resolve([...(kept = list)]),
  };
  const window = async () => {
    const show = vi.fn((_message: string, _options?: { undo?: () => unknown }) => undefined);
    const error = vi.fn((_cause: unknown, _again?: () => unknown) => undefined);
    const saved = new Saved(backend, { show, error });
    await saved.load();
    return { saved, undo: () => show.mock.lastCall?.[1]?.undo?.(), again: () => error.mock.lastCall?.[1]?.() };
  };
  return { window, leave: (now: boolean) => (away = now), names: () => kept.map(({ name }) => name) };
}

test('of two windows that have not heard of each other none undoes what the other did', async () => {
  const { window, names } = desk('a', 'b');
  const [one, other] = [await window(), await window()];
  await one.saved.add('c');
  await other.saved.add('d');
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
  await one.saved.remove(0);
  await other.saved.rename(1, 'B');
  expect(names()).toEqual(['B', 'c', 'd']);
  await one.undo();
  expect(names()).toEqual(['a', 'B', 'c', 'd']);
});

test('a name that could not be given is tried again, or found in the field', async () => {
  const { window, names, leave } = desk('a');
  const { saved, again } = await window();
  leave(true);
  await saved.rename(0, 'B');
  expect([saved.list[0]?.name, saved.typed.get('false a')]).toEqual(['a', 'B']);
  leave(false);
  await again();
  expect([names(), saved.typed.size]).toEqual([['B'], 0]);
});
