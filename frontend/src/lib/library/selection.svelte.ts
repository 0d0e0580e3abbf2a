import type { Item } from './arrange';
import type { Entry } from './entries';

const none: ReadonlySet<string> = new Set();

/** The sessions that were chosen to do something with at once, by id. */
export class Selection {
  private chosen = $state.raw(none);
  /** The key of the row that a range goes out from. */
  private anchor: string | null = null;

  get size(): number {
    return this.chosen.size;
  }

  has(id: string): boolean {
    return this.chosen.has(id);
  }

  /** Those of a list that are chosen, in its order. */
  of(items: readonly Item[]): Entry[] {
    if (this.chosen.size === 0) return [];
    return items.flatMap((item) =>
      item.kind === 'session' && this.chosen.has(item.entry.session.id) ? [item.entry] : [],
    );
  }

  toggle(item: Item | undefined): void {
    if (item?.kind !== 'session') return;
    const { id } = item.entry.session;
    const chosen = new Set(this.chosen);
    if (!chosen.delete(id)) chosen.add(id);
    this.chosen = chosen;
    this.anchor = item.key;
  }

  /** All rows from where the last one was chosen, or else from a row, to another; with what was chosen before if they are added. */
  range(items: readonly Item[], from: number, to: number, added = false): void {
    const anchor = this.chosen.size > 0 ? items.findIndex(({ key }) => key === this.anchor) : -1;
    const start = anchor >= 0 ? anchor : from;
    this.anchor = items[start]?.key ?? null;
    const range = idsOf(items.slice(Math.min(start, to), Math.max(start, to) + 1));
    this.chosen = new Set(added ? [...this.chosen, ...range] : range);
  }

  all(items: readonly Item[]): void {
    this.chosen = new Set(idsOf(items));
  }

  clear(): void {
    if (this.chosen.size > 0) this.chosen = none;
    this.anchor = null;
  }

  /** These are not chosen any more. */
  drop(ids: readonly string[]): void {
    if (!ids.some((id) => this.chosen.has(id))) return;
    const chosen = new Set(this.chosen);
    for (const id of ids) chosen.delete(id);
    this.chosen = chosen;
  }
}

const idsOf = (items: readonly Item[]) =>
  items.flatMap((item) => (item.kind === 'session' ? [item.entry.session.id] : []));
