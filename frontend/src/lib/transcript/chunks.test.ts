import { expect, test } from 'vitest';
import { entry, message } from '../../test/fakes';
import { ChunkCache, type Chunk } from './chunks';
import type { Row } from './rows';

const row = (bytes: number): Row => ({
  kind: 'record',
  entry: entry(0, { bytes }),
  record: message(1, 'user', ''),
  seq: 1,
  notes: [],
});
const chunk = (...sizes: number[]): Chunk => ({ start: 0, rows: sizes.map(row), complete: true, stale: false });

test('what was used longest ago goes first, what is in use never', () => {
  const store = new Map<number, Chunk>();
  const cache = new ChunkCache(store, 1e9, 2);
  cache.put(1, chunk(10));
  cache.put(2, chunk(10));
  cache.touch(1);
  cache.put(3, chunk(10));
  cache.trim(new Set([3]));
  expect([...store.keys()].sort()).toEqual([1, 3]);
  cache.put(4, chunk(10));
  cache.put(5, chunk(10));
  cache.trim(new Set([1, 3, 4, 5]));
  expect(store.size).toBe(4);
});

test('few heavy chunks are as many as many light ones', () => {
  const store = new Map<number, Chunk>();
  const cache = new ChunkCache(store, 2000, 100);
  cache.put(1, chunk(1000));
  cache.put(2, chunk(1000));
  cache.trim(new Set());
  expect([...store.keys()]).toEqual([2]);
  // The same chunk again takes the place of what it was.
  cache.put(2, chunk(100));
  cache.put(3, chunk(100));
  cache.trim(new Set());
  expect(store.size).toBe(2);
});
