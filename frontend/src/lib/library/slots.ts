import type { Item } from './arrange';

/**
 * Which row of the list shows which item, as numbers that rise with the items. Rows are used again for whatever stands in their place, since
 * making them anew is most of what a key in the filter costs. But as long as one has the focus, it stays with its item and is not moved,
 * for a row that is moved loses it; and it goes with its item, so that nothing else gets its focus.
 */
export class Slots {
  private items: readonly Item[] = [];
  private held: { key: string; slot: number } | null = null;
  /** Where the item with the focus is. */
  private at = -1;
  /** By how much rows are ahead of items, and from where on by one more. */
  private ahead = 0;
  private gap = Infinity;

  constructor(private readonly hasFocus: () => boolean) {}

  /** The row of an item. */
  of(items: readonly Item[], index: number): number {
    if (this.items !== items) this.change(items);
    return index + this.ahead + (index >= this.gap ? 1 : 0);
  }

  /** The row of an item has the focus. */
  hold(items: readonly Item[], key: string): void {
    const at = items.findIndex((item) => item.key === key);
    if (at < 0) return;
    this.held = { key, slot: this.of(items, at) };
    this.at = at;
  }

  private change(items: readonly Item[]): void {
    const { held } = this;
    this.items = items;
    if (!held || !this.hasFocus()) return;
    const now = items.findIndex((item) => item.key === held.key);
    // Where it was there is a gap if it is gone: what comes up has a row already.
    this.ahead = held.slot - (now < 0 ? this.at : now);
    this.gap = now < 0 ? this.at : Infinity;
    if (now >= 0) this.at = now;
  }
}
