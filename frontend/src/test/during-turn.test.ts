// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { expect, test, vi } from 'vitest';
import BandUndo from '../features/transcript/BandUndo.svelte';
import UndoFiles from '../features/undo/UndoFiles.svelte';
import { App } from '../lib/app.svelte';
import type { Opened } from '../lib/opened.svelte';
import { fakeBackend, ID, settled } from './fakes';
import Host from './Host.svelte';

const info = { index: 4, seq: 5, state: 'inForce', messages: 2, tokensAfter: 10, revertedBy: null };
const file = { path: 'a.txt', blocked: null, act: 'restore', diff: null };
const plan = { sessionId: ID, sinceSeq: 3, files: [file], commands: 0, committedSeq: null, problem: null };

test.each([
  // A press on a compaction is remembered, for the transcript to do when the turn has ended.
  ['a compaction', BandUndo, { info }, 'undo-compaction', true],
  ['files', UndoFiles, { id: ID, seq: 3, onclose: () => undefined }, 'undo-files-now', false],
])('%s: nothing is undone while a turn runs', async (_, of, props, button, remembered) => {
  HTMLDialogElement.prototype.showModal = () => undefined;
  const revert = vi.fn(() => Promise.reject(new Error('no')));
  const undoFiles = vi.fn(() => Promise.resolve(plan as never));
  const app = new App(fakeBackend({ revert, undoFiles }));
  const opening = vi.spyOn(app.talks, 'open');
  render(Host, { props: { app, of: of as unknown as Component<Record<string, unknown>>, props } });
  const [opened] = opening.mock.results;
  app.opener.now = { id: ID, talk: opened?.value } as Opened;
  const done = () => revert.mock.calls.length + undoFiles.mock.calls.length;
  let n = 0;
  const say = async (kind: string, data = {}) => {
    app.turnEvents.emit({ sessionId: ID, turnId: 't1', n: ++n, kind, data });
    await settled();
    await tick();
  };
  await say('started');
  const before = done();
  const pressed = screen.getByTestId(button);
  await fireEvent.click(pressed);
  await settled();
  expect(pressed.getAttribute('aria-disabled')).toBe(String(!remembered));
  expect(done()).toBe(before);
  await say('done', { status: 'ok' });
  expect(pressed.getAttribute('aria-disabled')).toBe('false');
  await fireEvent.click(pressed);
  await settled();
  expect(done()).toBe(before + 1);
});
