import { expect, test, vi } from 'vitest';
import { BackendError, type Outline } from '../backend';
import { AsOf } from './as-of.svelte';

const outlineOf = (total: number) => ({ total }) as Outline;

test('an outline that was asked for before is taken once, and of now alone', async () => {
  const outline = vi.fn((_: string, seq = 0) => Promise.resolve(outlineOf(seq)));
  const asOf = new AsOf({ outline }, 'A');
  asOf.known = Promise.resolve(outlineOf(99));
  expect(await asOf.outline()).toEqual({ total: 99 });
  expect(await asOf.outline()).toEqual({ total: 0 });
  asOf.known = Promise.resolve(outlineOf(99));
  asOf.moment = { index: 4, seq: 5 };
  expect([asOf.seq, await asOf.outline()]).toEqual([5, { total: 5 }]);
});

test('where the moment is gone it is now; any other error is one', async () => {
  const gone = new BackendError('not_found', 'There is no such record.');
  const outline = vi.fn((_: string, seq = 0) => (seq ? Promise.reject(gone) : Promise.resolve(outlineOf(0))));
  const asOf = new AsOf({ outline }, 'A');
  asOf.moment = { index: 4, seq: 5 };
  expect(await asOf.outline()).toEqual({ total: 0 });
  expect([asOf.moment, asOf.seq]).toEqual([null, 0]);
  outline.mockRejectedValue(gone);
  await expect(asOf.outline()).rejects.toBe(gone);
});
