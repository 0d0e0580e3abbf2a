// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { config, fakeBackend, models } from '../../test/fakes';
import { App } from '../app.svelte';
import { BackendError } from '../backend';
import { Connections } from './connections.svelte';

const work = { name: 'work', baseUrl: 'http://m/v1', model: 'm', window: 32_000, hasKey: true, keyFrom: null };

async function removed(setProvider: () => Promise<void>) {
  const useProvider = vi.fn(() => Promise.resolve(config()));
  const list = models({ providers: [work], inUse: 'work' });
  const parts = {
    models: () => Promise.resolve(list),
    removeProvider: () => Promise.resolve(),
    setProvider,
    useProvider,
  };
  const app = new App(fakeBackend(parts));
  const connections = new Connections(app);
  await connections.load();
  const undo = await connections.remove('work');
  await undo?.();
  return { app, useProvider };
}

test('a server that was removed is put back as it was, in use', async () => {
  const setProvider = vi.fn(() => Promise.resolve());
  const { app, useProvider } = await removed(setProvider);
  expect(setProvider).toHaveBeenCalledWith({ name: 'work', baseUrl: 'http://m/v1', model: 'm', window: 32_000 });
  expect(useProvider).toHaveBeenCalledWith('work', '');
  expect(app.toasts.list).toEqual([]);
});

test('a key that was forgotten or replaced is put back by what stands for it', async () => {
  const putBack = vi.fn(() => Promise.resolve());
  const keys = { setKey: () => Promise.resolve('replaced'), forgetKey: () => Promise.resolve('forgotten') };
  const app = new App(fakeBackend({ models: () => Promise.resolve(models({ providers: [work] })), putBack, ...keys }));
  const connections = new Connections(app);
  await connections.load();
  const place = { provider: 'work', baseUrl: 'http://m/v1' };
  const taken = [await connections.keep(place, 'sk-1'), await connections.forget(place)];
  expect(taken).toEqual([{ undo: 'replaced' }, { undo: 'forgotten' }]);
  await connections.putBack('forgotten');
  expect(putBack).toHaveBeenCalledWith('forgotten');
  app.backend.putBack = () => Promise.reject(new BackendError('stale', 'another key has been kept', ''));
  await connections.putBack('replaced');
  expect(app.toasts.list.map(({ kind, message }) => [kind, message])).toEqual([
    ['error', 'Another key has been kept.'],
  ]);
  app.backend.forgetKey = () => Promise.reject(new BackendError('failed', 'locked', ''));
  expect(await connections.forget(place)).toBeNull();
  expect(connections.failure?.at).toBe('work');
});

test('that it could not be put back is said, wherever one is by then', async () => {
  const { app, useProvider } = await removed(() =>
    Promise.reject(new BackendError('failed', 'Disk full', 'free some')),
  );
  expect(app.toasts.list.map(({ kind, message }) => [kind, message])).toEqual([['error', 'Disk full.']]);
  expect(useProvider).not.toHaveBeenCalled();
});
