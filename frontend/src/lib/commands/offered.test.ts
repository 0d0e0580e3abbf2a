// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeBackend, session } from '../../test/fakes';
import { App } from '../app.svelte';
import { tellMenus } from './offered';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** Something changes in the page, and the menus have had the time to hear of it. */
async function changed(): Promise<void> {
  document.body.append(document.createElement('p'));
  await vi.advanceTimersByTimeAsync(1000);
}

/** The row of the only session there is. */
function rowOfOne(app: App): HTMLElement {
  app.library.put(session('A'));
  const row = document.createElement('a');
  row.dataset.testid = 'session-row';
  row.dataset.id = 'A';
  row.tabIndex = 0;
  document.body.append(row);
  return row;
}

test('menus are told what can be done, once for each change of that', async () => {
  const offer = vi.fn((_: readonly string[]) => Promise.resolve());
  const app = new App(fakeBackend({ offer }));
  const stop = tellMenus(app);
  await vi.advanceTimersByTimeAsync(1000);
  expect(offer).toHaveBeenCalledTimes(1);
  expect(offer.mock.lastCall?.[0]).toContain('new');
  expect(offer.mock.lastCall?.[0]).not.toContain('stop');
  await changed();
  expect(offer).toHaveBeenCalledTimes(1);

  const field = document.createElement('textarea');
  field.dataset.testid = 'message-field';
  document.body.append(field);
  await changed();
  expect(offer).toHaveBeenCalledTimes(2);
  expect(offer.mock.lastCall?.[0]).toContain('write');
  field.remove();
  await changed();
  expect(offer.mock.lastCall?.[0]).not.toContain('write');
  stop();
  document.body.append(field);
  await changed();
  expect(offer).toHaveBeenCalledTimes(3);
  field.remove();
});

test('what can be done with a session is told as its row has the focus, and as nothing has it', async () => {
  const offer = vi.fn((_: readonly string[]) => Promise.resolve());
  const app = new App(fakeBackend({ offer }));
  const row = rowOfOne(app);
  const stop = tellMenus(app);
  await vi.advanceTimersByTimeAsync(1000);
  expect(offer.mock.lastCall?.[0]).not.toContain('rename');
  row.focus();
  await vi.advanceTimersByTimeAsync(1000);
  expect(offer.mock.lastCall?.[0]).toContain('rename');
  row.blur();
  await vi.advanceTimersByTimeAsync(1000);
  expect(offer.mock.lastCall?.[0]).not.toContain('rename');
  stop();
  row.remove();
});

test('under a dialog, which goes before anything is done, what could be done before is what can be done', async () => {
  const offer = vi.fn((_: readonly string[]) => Promise.resolve());
  const app = new App(fakeBackend({ offer }));
  const row = rowOfOne(app);
  row.focus();
  const stop = tellMenus(app);
  await vi.advanceTimersByTimeAsync(1000);
  expect(offer.mock.lastCall?.[0]).toContain('rename');
  app.dialog = 'keys';
  row.blur();
  await changed();
  expect(offer).toHaveBeenCalledTimes(1);
  app.dialog = null;
  await changed();
  expect(offer.mock.lastCall?.[0]).not.toContain('rename');
  stop();
  row.remove();
});

test('menus that could not be told are told at the next change', async () => {
  const offer = vi.fn(() => Promise.reject(new Error('not yet')));
  const stop = tellMenus(new App(fakeBackend({ offer })));
  await vi.advanceTimersByTimeAsync(1000);
  await changed();
  expect(offer).toHaveBeenCalledTimes(2);
  stop();
});
