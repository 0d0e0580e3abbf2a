// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { fakeBackend, ID, outline, settled } from '../test/fakes';
import { App } from './app.svelte';
import { hashOf } from './route.svelte';

test('where somebody read last is opened once', async () => {
  history.replaceState(null, '', '/');
  const asked = vi.fn(() => Promise.resolve(outline()));
  const deskPiece = (key: string) => Promise.resolve(key === 'place' ? { session: ID, seq: 7 } : null);
  const app = new App(fakeBackend({ deskPiece, outline: asked }));
  const open = vi.spyOn(app.opener, 'open');
  const stop = app.start();
  await expect.poll(() => location.hash).toBe(hashOf(ID));
  await settled();
  expect(open.mock.calls.filter(([session]) => session !== null)).toEqual([[ID, 7, true]]);
  expect(app.opened?.id).toBe(ID);
  stop();
});
