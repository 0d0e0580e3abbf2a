import type { Item } from './arrange';

/**
 * Which row of the list shows which item. Rows are used again for whatever stands in their place, since making them anew is most of what a
 * key in the filter costs; but the row that has the focus stays with its item, wherever that goes, and goes with it.
 */
export class Slots {
  private held: { key: string; slot: number } | null = null;
  private items: readonly Item[] = [];
  /** Where the item of the row with the focus is now; -1 if it is not there. */
  private at = -1;

  /** The row of an item: those of all items of a list differ. */
  of(items: readonly Item[], index: number): number {
    if (!this.held) return index;
    if (this.items !== items) this.look(items);
    if (index === this.at) return this.held.slot;
    return index === this.held.slot ? this.at : index;
  }

  /** The row of an item has the focus. */
  hold(items: readonly Item[], key: string): void {
    if (this.held?.key === key) return;
    const index = items.findIndex((item) => item.key === key);
    if (index < 0) return;
    this.held = { key, slot: this.of(items, index) };
    this.look(items);
  }

  private look(items: readonly Item[]): void {
    this.items = items;
    this.at = items.findIndex((item) => item.key === this.held?.key);
  }
}
