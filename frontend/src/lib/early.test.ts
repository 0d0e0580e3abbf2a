// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { config, fakeBackend, listOf, session, settled } from '../test/fakes';
import { App } from './app.svelte';
import { BackendError, type Config } from './backend';

const desk = (key: string) =>
  Promise.resolve(key === 'view' ? { library: { sort: 'compactions', group: 'agent' } } : null);

test('the list and how it looks are asked for beside the settings, and shown once somebody is let in', async () => {
  history.replaceState(null, '', '/');
  let letIn: (config: Config) => void = () => undefined;
  const sessions = vi.fn(listOf([session('A')]));
  const subscribe = vi.fn(() => () => undefined);
  const deskPiece = vi.fn(desk);
  const app = new App(
    fakeBackend({ sessions, deskPiece, subscribe, config: () => new Promise((resolve) => (letIn = resolve)) }),
  );
  const stop = app.start();
  await settled();
  expect(sessions).toHaveBeenCalledTimes(1);
  expect(sessions).toHaveBeenCalledWith({ archived: true, quick: true });
  expect(deskPiece.mock.calls.map(([key]) => key)).toEqual(['view', 'place']);
  expect(subscribe.mock.invocationCallOrder[0]).toBeLessThan(sessions.mock.invocationCallOrder[0] ?? 0);
  expect(app.library.loaded).toBe(false);

  letIn(config());
  await expect.poll(() => app.library.complete).toBe(true);
  expect(app.order.sort).toBe('compactions');
  expect(app.library.everything.map((entry) => entry.session.id)).toEqual(['A']);
  expect(sessions).toHaveBeenCalledTimes(1);
  // Again once somebody is let in, for what another window may have changed before.
  expect(deskPiece.mock.calls.filter(([key]) => key === 'view')).toHaveLength(2);
  stop();
});

test('a list that was refused is asked for again once somebody is let in', async () => {
  history.replaceState(null, '', '/');
  const refused = new BackendError('unauthorised', 'no');
  let open = false;
  const all = listOf([session('A')]);
  const sessions = vi.fn<typeof all>((options) => {
    if (!open) throw refused;
    return all(options);
  });
  const app = new App(
    fakeBackend({
      sessions,
      config: () => (open ? Promise.resolve(config()) : Promise.reject(refused)),
      signIn: vi.fn(),
    }),
  );
  const stop = app.start();
  await expect.poll(() => app.connection.unauthorised).toBe(true);
  expect(app.connection.refused, 'nobody gave a token').toBe(false);
  app.connection.signIn('wrong');
  await expect.poll(() => app.connection.refused).toBe(true);
  open = true;
  app.connection.signIn('right');
  await expect.poll(() => app.library.complete).toBe(true);
  expect(app.library.error).toBeNull();
  stop();
});
