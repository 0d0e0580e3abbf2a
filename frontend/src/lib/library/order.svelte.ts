import type { GroupBy, SortBy } from './arrange';

export const GROUPS: readonly GroupBy[] = ['day', 'project', 'agent'];
export const SORTS: readonly SortBy[] = ['last', 'compactions'];

/** How the list is arranged. It is remembered; which groups are shut is not. */
export class Order {
  group = $state<GroupBy>('day');
  sort = $state<SortBy>('last');
  shut = $state.raw<ReadonlySet<string>>(new Set());

  constructor(
    /** Told when what is kept has changed here. */
    private readonly onChange: () => void = () => undefined,
  ) {}

  get kept(): { group: GroupBy; sort: SortBy } {
    return { group: this.group, sort: this.sort };
  }

  /** As it was left; what is not said, or makes no sense, is as usual. */
  restore(kept: unknown): void {
    const { group, sort } = (kept ?? {}) as Record<string, unknown>;
    this.group = GROUPS.find((one) => one === group) ?? 'day';
    this.sort = SORTS.find((one) => one === sort) ?? 'last';
  }

  groupBy(group: GroupBy): void {
    this.group = group;
    this.shut = new Set();
    this.onChange();
  }

  sortBy(sort: SortBy): void {
    this.sort = sort;
    this.onChange();
  }

  /** Shuts a group, or opens it again. */
  toggle(key: string): void {
    const shut = new Set(this.shut);
    if (!shut.delete(key)) shut.add(key);
    this.shut = shut;
  }
}
