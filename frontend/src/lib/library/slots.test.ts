import { beforeEach, describe, expect, it } from 'vitest';
import type { Item } from './arrange';
import { Slots } from './slots';

const list = (keys: string): Item[] => keys.split('').map((key) => ({ key }) as Item);

describe('rows of the list', () => {
  let focus: boolean;
  let slots: Slots;
  beforeEach(() => {
    focus = true;
    slots = new Slots(() => focus);
  });
  /** The rows of a list; they rise, so that none is moved. */
  const rows = (keys: string): Record<string, number> => {
    const items = list(keys);
    const all = items.map((_, index) => slots.of(items, index));
    for (const [n, row] of all.entries()) expect(row).toBeGreaterThan(all[n - 1] ?? -Infinity);
    return Object.fromEntries(items.map(({ key }, n) => [key, all[n] ?? NaN]));
  };

  it('are used again for what stands in their place', () => {
    expect(rows('abcd')).toEqual({ a: 0, b: 1, c: 2, d: 3 });
    expect(rows('dx')).toEqual({ d: 0, x: 1 });
  });

  it('stay with the item that has the focus, wherever it goes', () => {
    rows('abcd');
    slots.hold(list('abcd'), 'c');
    for (const keys of ['cabd', 'xc', 'abcxyz', 'uvwxyzc']) expect(rows(keys)).toMatchObject({ c: 2 });
  });

  it('are used again wherever that item goes, once the focus is elsewhere', () => {
    rows('abcd');
    slots.hold(list('abcd'), 'c');
    focus = false;
    expect(rows('cab')).toEqual({ c: 0, a: 1, b: 2 });
    expect(rows('x')).toEqual({ x: 0 });
  });

  it('go with it: nothing gets its focus, and what comes up keeps its row', () => {
    rows('abcd');
    slots.hold(list('abcd'), 'b');
    expect(rows('acd')).toEqual({ a: 0, c: 2, d: 3 });
    slots.hold(list('acd'), 'c');
    expect(rows('abcd')).toMatchObject({ c: 2 });
    expect(Object.values(rows('abd'))).not.toContain(2);
  });

  it('hold nothing that is not there', () => {
    slots.hold(list('ab'), 'z');
    expect(rows('ab')).toEqual({ a: 0, b: 1 });
  });
});
