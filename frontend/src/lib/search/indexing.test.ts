import { expect, test, vi } from 'vitest';
import { settled } from '../../test/fakes';
import type { IndexState } from '../backend';
import { Indexing } from './indexing.svelte';

const at = (state: IndexState['state']): IndexState => ({
  state,
  sessions: 10,
  indexed: 4,
  waiting: 6,
  bytesDone: 1,
  bytesTotal: 9,
  diskBytes: 9,
  skipped: [],
  problem: null,
  unwatched: null,
});

test('what was asked before it was paused does not say that it goes on', async () => {
  let answer: (state: IndexState) => void = () => undefined;
  const indexState = vi.fn(() => new Promise<IndexState>((resolve) => (answer = resolve)));
  const indexing = new Indexing({ indexState, steerIndex: () => Promise.resolve(at('paused')) });
  void indexing.load();
  await indexing.steer('pause');
  answer(at('scanning'));
  await settled();
  expect(indexing.state?.state).toBe('paused');
  expect(indexState, 'it is asked again').toHaveBeenCalledTimes(2);
  answer(at('idle'));
  await settled();
  expect(indexing.state?.state).toBe('idle');
});

test('nor does an answer that never came', async () => {
  let fail: () => void = () => undefined;
  const indexState = () =>
    new Promise<IndexState>(
      (_, reject) =>
        (fail = () => {
          reject(new Error('gone'));
        }),
    );
  const indexing = new Indexing({ indexState, steerIndex: () => Promise.resolve(at('paused')) });
  void indexing.load();
  await indexing.steer('pause');
  fail();
  await settled();
  expect(indexing.state?.state).toBe('paused');
});
