import { expect, test, vi } from 'vitest';
import { ID } from '../../test/fakes';
import type { PromptRange, Prompts } from '../backend';
import { PromptList } from './prompts.svelte';

/** A session of so many prompts, every second line one; a page holds at most sixty. */
function backendOf(total: number) {
  return {
    prompts: vi.fn((_: string, range: PromptRange): Promise<Prompts> => {
      const first =
        'first' in range ? range.first : 'from' in range ? Math.ceil(range.from / 2) : Math.ceil(range.before / 2) - 1;
      const count = Math.max(0, Math.min(range.limit, 60, total - first));
      const prompts = Array.from({ length: count }, (_, n) => ({
        ...{ index: 2 * (first + n), seq: 2 * (first + n) + 1, timestamp: null, bytes: 9 },
        text: `Question ${first + n}`,
      }));
      return Promise.resolve({ sessionId: ID, first, total, prompts });
    }),
  };
}

test('only those around what is looked at are read, once', async () => {
  const backend = backendOf(50_000);
  const list = new PromptList(backend, ID);
  await list.want(25_000);
  await list.want(25_050);
  expect(list.count).toBe(50_000);
  expect(list.at(25_099)?.text).toBe('Question 25099');
  expect(list.at(24_999)).toBeUndefined();
  expect(backend.prompts).toHaveBeenCalledTimes(2);
});

test('a filter looks through all of them', async () => {
  const list = new PromptList(backendOf(1300), ID);
  await list.look('QUESTION 129');
  expect(Array.from({ length: list.count }, (_, n) => list.at(n)?.index)).toEqual([
    258, 2580, 2582, 2584, 2586, 2588, 2590, 2592, 2594, 2596, 2598,
  ]);
  expect(list.looking).toBe(false);
  await list.look('');
  expect(list.count).toBe(1300);
});

test('a filter that changes ends the one before', async () => {
  const backend = backendOf(5000);
  const list = new PromptList(backend, ID);
  const first = list.look('4999');
  await list.look('no such thing');
  await first;
  expect(list.count).toBe(0);
});

test('finds where one is', async () => {
  expect(await new PromptList(backendOf(50), ID).before(21)).toBe(10);
});

test('a failure is kept, and asked again', async () => {
  const backend = backendOf(10);
  backend.prompts.mockRejectedValueOnce(new Error('gone'));
  const list = new PromptList(backend, ID);
  await list.want(0);
  expect(list.error?.message).toContain('Gone.');
  await list.want(0);
  expect(list.at(0)?.text).toBe('Question 0');
});
