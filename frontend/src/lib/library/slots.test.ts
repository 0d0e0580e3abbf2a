import { describe, expect, it } from 'vitest';
import type { Item } from './arrange';
import { Slots } from './slots';

const list = (keys: string): Item[] => keys.split('').map((key) => ({ key }) as Item);
const rows = (slots: Slots, items: readonly Item[]) => items.map((_, index) => slots.of(items, index));

describe('rows of the list', () => {
  it('are used again for what stands in their place', () => {
    const slots = new Slots();
    expect(rows(slots, list('abcd'))).toEqual([0, 1, 2, 3]);
    expect(rows(slots, list('dx'))).toEqual([0, 1]);
  });

  it('stay with the item that has the focus, wherever it goes', () => {
    const slots = new Slots();
    slots.hold(list('abcd'), 'c');
    expect(rows(slots, list('abcd'))).toEqual([0, 1, 2, 3]);
    expect(rows(slots, list('cabd'))).toEqual([2, 1, 0, 3]);
    expect(rows(slots, list('xc'))).toEqual([0, 2]);
  });

  it('go with it: nothing else gets its focus', () => {
    const slots = new Slots();
    slots.hold(list('abcd'), 'b');
    expect(rows(slots, list('acd'))).toEqual([0, -1, 2]);
    expect(rows(slots, list('dabc'))).toEqual([0, 2, 1, 3]);
  });

  it('keep the row that gets the focus next, and never share one', () => {
    const slots = new Slots();
    slots.hold(list('abcd'), 'c');
    const moved = list('cabd');
    const before = rows(slots, moved);
    slots.hold(moved, 'a');
    const after = rows(slots, moved);
    expect(after[1]).toBe(before[1]);
    for (const keys of ['cabd', 'dcba', 'xyz', 'bdxa', '', 'a']) {
      const now = rows(slots, list(keys));
      expect(new Set(now).size).toBe(now.length);
    }
  });

  it('hold nothing that is not there', () => {
    const slots = new Slots();
    slots.hold(list('ab'), 'z');
    expect(rows(slots, list('ab'))).toEqual([0, 1]);
  });
});
