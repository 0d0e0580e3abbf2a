// @vitest-environment jsdom
import { render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { expect, test } from 'vitest';
import UndoFiles from '../features/undo/UndoFiles.svelte';
import { App } from '../lib/app.svelte';
import { BackendError } from '../lib/backend';
import { fakeBackend, ID, settled } from './fakes';
import Host from './Host.svelte';

const nothing = { sessionId: ID, sinceSeq: 3, files: [], commands: 0, committedSeq: null, problem: null };

test.each([
  ['nothing to take back', () => Promise.resolve(nothing as never), ['There is nothing'], ['could not be looked at']],
  [
    'a request that is refused',
    () => Promise.reject(new BackendError('bad_input', 'There is no message 3')),
    ['could not be looked at', 'There is no message 3'],
    ['There is nothing'],
  ],
])('%s is said as what it is', async (_, undoFiles, says, saysNot) => {
  HTMLDialogElement.prototype.showModal = () => undefined;
  const of = UndoFiles as unknown as Component<Record<string, unknown>>;
  const props = { id: ID, seq: 3, onclose: () => undefined };
  render(Host, { props: { app: new App(fakeBackend({ undoFiles })), of, props } });
  await settled();
  await tick();
  const shown = screen.getByTestId('undo-files').textContent;
  for (const words of says) expect(shown).toContain(words);
  for (const words of saysNot) expect(shown).not.toContain(words);
});
