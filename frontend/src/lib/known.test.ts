import { expect, test } from 'vitest';
import { known } from './known';

test('only the words of the table itself are known', () => {
  const table = { manual: 'by hand' };
  expect(known(table, 'manual')).toBe('by hand');
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'other', '']) {
    expect(known(table, word)).toBeUndefined();
  }
});
