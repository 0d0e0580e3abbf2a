import { expect, test, vi } from 'vitest';
import type { App } from '../app.svelte';
import { undoFiles } from './undo-files';

test('an undo is taken back alone, without what came behind it', async () => {
  const done = { sinceSeq: 4, state: 's', files: [], commands: 0, committedSeq: 17, problem: null };
  const asked = vi.fn(() => Promise.resolve(done));
  const show = vi.fn<(said: string, offer: { undo: () => Promise<void> }) => void>();
  const app = { backend: { undoFiles: asked }, toasts: { show }, attempt: (act: () => Promise<void>) => act() };
  await undoFiles(app as unknown as App, 'x', { sinceSeq: 4, state: 's' });
  await show.mock.calls[0]?.[1].undo();
  expect(asked.mock.calls).toEqual([
    ['x', { sinceSeq: 4, state: 's' }],
    ['x', { sinceSeq: 16, untilSeq: 17 }],
  ]);
});
