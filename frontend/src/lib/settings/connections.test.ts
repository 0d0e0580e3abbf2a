// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { fakeBackend, models, settled } from '../../test/fakes';
import { App } from '../app.svelte';
import { BackendError, type Backend } from '../backend';
import { Connections } from './connections.svelte';

const work = { name: 'work', baseUrl: 'http://m/v1', model: 'm', window: 32_000, hasKey: true, keyFrom: null };

async function settings(parts: Partial<Backend>) {
  const app = new App(
    fakeBackend({ models: () => Promise.resolve(models({ providers: [work], inUse: 'work' })), ...parts }),
  );
  const connections = new Connections(app);
  await connections.load();
  return { app, connections };
}

/** Takes back what was told of last, and returns what is said then. */
async function undone(app: App): Promise<string[][]> {
  app.toasts.undo();
  await settled();
  return app.toasts.list.map(({ kind, message }) => [kind, message]);
}

test('what was taken out of the settings is put back by what stands for it', async () => {
  const putBack = vi.fn(() => Promise.resolve(true));
  const { app, connections } = await settings({
    putBack,
    removeProvider: () => Promise.resolve('removed'),
    setKey: () => Promise.resolve('replaced'),
    forgetKey: () => Promise.resolve('forgotten'),
  });
  const place = { provider: 'work', baseUrl: 'http://m/v1' };
  const taken = {
    removed: () => connections.remove('work'),
    replaced: () => connections.keep(place, 'sk-1'),
    forgotten: () => connections.forget(place),
  };
  for (const [handle, take] of Object.entries(taken)) {
    const done = await take();
    expect(done).toEqual({ undo: handle });
    if (done) connections.tell('Done', done);
    expect(await undone(app)).toEqual([]);
    expect(putBack).toHaveBeenLastCalledWith(handle);
  }
});

test('a key where there was none before offers no way back', async () => {
  const { app, connections } = await settings({ setKey: () => Promise.resolve(null) });
  const done = await connections.keep({ provider: 'work', baseUrl: 'http://m/v1' }, 'sk-1');
  expect(done).toEqual({ undo: null });
  if (done) connections.tell('Kept', done);
  expect(app.toasts.list.map(({ message, action }) => [message, action])).toEqual([['Kept', null]]);
});

test('that the settings were changed meanwhile is said', async () => {
  const { app, connections } = await settings({ putBack: () => Promise.resolve(false) });
  connections.tell('Removed', { undo: 'removed' });
  expect(await undone(app)).toEqual([['news', expect.stringContaining('changed meanwhile')]]);
});

test('that it could not be put back is said, wherever one is by then', async () => {
  const { app, connections } = await settings({
    putBack: () => Promise.reject(new BackendError('failed', 'Disk full', 'free some')),
  });
  connections.tell('Removed', { undo: 'removed' });
  expect(await undone(app)).toEqual([['error', 'Disk full.']]);
});

test('what could not be taken is said where it was wanted, and offers nothing', async () => {
  const { connections } = await settings({
    forgetKey: () => Promise.reject(new BackendError('failed', 'locked', '')),
  });
  expect(await connections.forget({ provider: 'work', baseUrl: 'http://m/v1' })).toBeNull();
  expect(connections.failure?.at).toBe('work');
});
