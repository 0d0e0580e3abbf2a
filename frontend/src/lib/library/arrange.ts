import { dayGroup, dayOf } from '../days';
import { plainFolder } from '../format';
import { projectName, projectNames } from '../projects';
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

/** What stands below a session that is unfolded; undefined for one that is not. */
export type Below = (id: string) => readonly Entry[] | undefined;

export interface Arrangement {
  group: GroupBy;
  sort: SortBy;
  today: number;
  /** Keys of groups that are shut. */
  shut: ReadonlySet<string>;
  /** Null where none is unfolded. */
  below: Below | null;
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

/** What a group is known by, and what it is called; projects get their names once all of them are there. */
function nameOf({ session, day }: Entry, { group, today }: Arrangement): [key: string, label: string, title: string] {
  if (group === 'day') {
    const label = labels.of(day, today);
    return [label, label, label];
  }
  if (group === 'agent') {
    const label = session.foreign ? agentName(session.agent) : text.library.own;
    return [label, label, label];
  }
  const project = plainFolder(session.cwd ?? '');
  return [project, text.library.noProject, visibleLine(project, 1000)];
}

interface Group {
  heading: Heading;
  runs: (readonly Entry[])[];
}

/** What two sessions of the same group have in common, without a name for it: it is looked at with every key of the filter. */
function mark({ session, day }: Entry, group: GroupBy): string | number | null {
  if (group === 'day') return day;
  return group === 'project' ? session.cwd : session.foreign ? (session.agent ?? '') : null;
}

// As many as a call takes as its arguments anywhere.
const RUN = 4096;

/** The entries from one on that are of the same group, up to the first that is not. */
function runFrom(entries: readonly Entry[], from: number, those: unknown, group: GroupBy): readonly Entry[] {
  let end = from;
  for (let next = entries[end]; next && Object.is(mark(next, group), those); next = entries[end]) end++;
  return entries.slice(from, Math.min(end, from + RUN));
}

/** Entries in their groups, in the order of the first of each. */
function grouped(entries: readonly Entry[], by: Arrangement): Iterable<Group> {
  const groups = new Map<string, Group>();
  let from = 0;
  for (let first = entries[0]; first; first = entries[from]) {
    const run = runFrom(entries, from, mark(first, by.group), by.group);
    const group = groupOf(first, groups, by);
    group.runs.push(run);
    group.heading.count += run.length;
    from += run.length;
  }
  if (by.group === 'project') callApart(groups);
  return groups.values();
}

/** What the projects of the list are called: those that a filter hides count, too, so that it changes no name, and takes no time with each key. */
let names: ReadonlyMap<string, string> = new Map();

/** Projects are called by as much of their paths as tells them apart. */
function callApart(groups: Map<string, Group>): void {
  const pathOf = (key: string) => key.slice('project '.length);
  const paths = [...groups.keys()].map(pathOf).filter(Boolean);
  if (!paths.every((path) => names.has(path))) names = projectNames([...names.keys(), ...paths]);
  for (const [key, { heading }] of groups) if (pathOf(key)) heading.label = projectName(names, pathOf(key));
}

/** The group of an entry, new or known. */
function groupOf(entry: Entry, groups: Map<string, Group>, by: Arrangement): Group {
  const [name, label, title] = nameOf(entry, by);
  const key = `${by.group} ${name}`;
  let group = groups.get(key);
  if (!group) {
    const heading: Heading = { kind: 'heading', key, label, title, count: 0, open: !by.shut.has(key) };
    group = { heading, runs: [] };
    groups.set(key, group);
  }
  return group;
}

/**
 * The list as it is shown, from top to bottom. Days mean nothing where the order is not that of time. Most is put together in runs, by
 * the engine itself: code that is gone through for each of many sessions is slow the first time, which is the first key of the filter.
 */
export function arrange(entries: readonly Entry[], by: Arrangement): Item[] {
  const { below } = by;
  const rows = (those: readonly Entry[]) =>
    below ? those.flatMap(({ item }) => family(item, below)) : those.map(({ item }) => item);
  if (by.group === 'day' && by.sort !== 'last') return rows(entries);
  const items: Item[] = [];
  for (const { heading, runs } of grouped(entries, by)) {
    items.push(heading);
    if (heading.open) for (const run of runs) items.push(...rows(run));
  }
  return items;
}

// Nobody starts others below others further than this; who claims to have gone in a circle is not followed.
export const DEEP = 8;

/** A session, and below it those that it has started, where it is unfolded. */
function family(item: SessionItem, below: Below): SessionItem[] {
  const { entry, depth } = item;
  if (!entry.session.children || depth === DEEP) return [item];
  const within = (below(entry.session.id) ?? []).flatMap((child) => {
    const key = `${item.key}/${child.session.id}`;
    const sameDay = item.sameDay !== false && dayOf(child.time) === dayOf(entry.time);
    return family({ kind: 'session', key, entry: child, depth: depth + 1, sameDay }, below);
  });
  return [item, ...within];
}
