import { expect, test } from 'vitest';
import { context } from '../../test/fakes';
import { partsOf } from './parts';

const keys = (parts: ReturnType<typeof partsOf>) => parts.map(({ key, tokens }) => [key, tokens]);

test('the parts of the window, which fill it', () => {
  const parts = partsOf(context({ parts: { injected: 10, summary: 20, kept: 30, fresh: 40 }, compactionSeq: 3 }));
  expect(keys(parts)).toEqual([
    ...[
      ['injected', 10],
      ['summary', 20],
      ['kept', 30],
      ['fresh', 40],
    ],
    ...[
      ['free', 128_000 - 16_384 - 100],
      ['reserve', 16_384],
    ],
  ]);
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100);
});

test('without a compaction all that is said is one part', () => {
  const parts = partsOf(context({ parts: { injected: 0, summary: 0, kept: 70, fresh: 0 } }));
  expect(keys(parts)[0]).toEqual(['kept', 70]);
  expect(parts[0]?.label).toBe('Messages');
});

test('a context larger than its window leaves nothing free, and keeps to scale', () => {
  const parts = partsOf(context({ parts: { injected: 0, summary: 0, kept: 0, fresh: 200_000 } }));
  expect(parts.find(({ key }) => key === 'free')?.tokens).toBe(0);
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(100);
});
