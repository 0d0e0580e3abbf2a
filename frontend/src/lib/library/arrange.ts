import { dayGroup } from '../days';
import { text } from '../text';
import { visibleLine } from '../visible';
import { agentName, compare, type Entry, type SessionItem } from './entries';

export type GroupBy = 'day' | 'project' | 'agent';
export type SortBy = 'last' | 'compactions';

export interface Heading {
  kind: 'heading';
  key: string;
  label: string;
  /** All of it, where the label is only a part. */
  title: string;
  count: number;
  open: boolean;
}
export type Item = Heading | SessionItem;

export interface Arrangement {
  group: GroupBy;
  sort: SortBy;
  today: number;
  /** Keys of groups that are shut. */
  shut: ReadonlySet<string>;
  /** What stands below a session that is unfolded; undefined for one that is not. */
  below: (id: string) => readonly Entry[] | undefined;
}

// Naming a day takes longer than looking at a session, and days are few.
const labels = {
  today: NaN,
  known: new Map<number, string>(),
  of(day: number, today: number): string {
    if (!Object.is(this.today, today)) this.known.clear();
    this.today = today;
    const label = this.known.get(day) ?? dayGroup(day, today);
    this.known.set(day, label);
    return label;
  },
};

/** Most often compacted first, then newest first; those of which nobody knows come last. */
export function sorted(entries: readonly Entry[], sort: SortBy): readonly Entry[] {
  if (sort === 'last') return entries;
  const often = ({ session }: Entry) => session.compactions ?? -1;
  return entries.toSorted((a, b) => often(b) - often(a) || compare(a, b));
}

/** What a group is known by, and what it is called. */
function nameOf(
  { session, folder, day }: Entry,
  { group, today }: Arrangement,
): [key: string, label: string, title: string] {
  if (group === 'day') {
    const label = labels.of(day, today);
    return [label, label, label];
  }
  if (group === 'agent') {
    const label = session.foreign ? agentName(session.agent) : text.library.own;
    return [label, label, label];
  }
  return [session.cwd ?? '', folder || text.library.noProject, visibleLine(session.cwd ?? '', 1000)];
}

interface Group {
  heading: Heading;
  entries: Entry[];
}

/** What two sessions of the same group have in common, without a name for it: it is looked at with every key of the filter. */
function mark({ session, day }: Entry, group: GroupBy): string | number | null {
  if (group === 'day') return day;
  return group === 'project' ? session.cwd : session.foreign ? (session.agent ?? '') : null;
}

/** Entries in their groups, in the order of the first of each. */
function grouped(entries: readonly Entry[], by: Arrangement): Iterable<Group> {
  const groups = new Map<string, Group>();
  let last: Group | undefined;
  let before: string | number | null = null;
  for (const entry of entries) {
    const now = mark(entry, by.group);
    if (!last || !Object.is(now, before)) last = groupOf(entry, groups, by);
    last.entries.push(entry);
    before = now;
  }
  return groups.values();
}

/** The group of an entry, new or known. */
function groupOf(entry: Entry, groups: Map<string, Group>, by: Arrangement): Group {
  const [name, label, title] = nameOf(entry, by);
  const key = `${by.group} ${name}`;
  let group = groups.get(key);
  if (!group) {
    const heading: Heading = { kind: 'heading', key, label, title, count: 0, open: !by.shut.has(key) };
    group = { heading, entries: [] };
    groups.set(key, group);
  }
  return group;
}

/** The list as it is shown, from top to bottom. Days mean nothing where the order is not that of time. */
export function arrange(entries: readonly Entry[], by: Arrangement): Item[] {
  const items: Item[] = [];
  if (by.group === 'day' && by.sort !== 'last') {
    for (const entry of entries) add(items, entry.item, by);
    return items;
  }
  for (const { heading, entries: those } of grouped(entries, by)) {
    heading.count = those.length;
    items.push(heading);
    if (heading.open) for (const entry of those) add(items, entry.item, by);
  }
  return items;
}

// Nobody starts others below others further than this; who claims to have gone in a circle is not followed.
const DEEP = 8;

/** A session, and below it those that it has started, where it is unfolded. */
function add(items: Item[], item: SessionItem, by: Arrangement): void {
  items.push(item);
  if (!item.entry.session.children || item.depth === DEEP) return;
  for (const entry of by.below(item.entry.session.id) ?? []) {
    add(items, { kind: 'session', key: `${item.key}/${entry.session.id}`, entry, depth: item.depth + 1 }, by);
  }
}
