import { expect, test, vi } from 'vitest';
import type { App } from './app.svelte';
import { passOn } from './news';

test('any news of the index may be of something that a search finds, however many sessions are read', () => {
  const grew = vi.fn();
  const app = { search: { isOpen: false, grew }, library: { onNews: vi.fn() }, opened: null, indexed: 0 };
  for (const kind of ['index', 'created', 'removed', 'changed'])
    passOn(app as unknown as App, { kind, n: 1, sessionId: null });
  expect(grew).toHaveBeenCalledTimes(3);
});
