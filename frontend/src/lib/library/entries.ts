import type { Session } from '../backend';
import { dayGroup, dayOf } from '../days';
import { lastFolder } from '../format';
import { known } from '../known';
import { text } from '../text';
import { visibleLine } from '../visible';

/** A session with all that the list needs of it, worked out once. */
export interface Entry {
  session: Session;
  title: string;
  folder: string;
  time: number;
  day: number;
  haystack: string;
  /** What it has by name, for words like source:cron. */
  tags: string;
  /** Its place in the list, made once: the list is made anew with every key of the filter. */
  item: SessionItem;
}

export interface SessionItem {
  kind: 'session';
  key: string;
  entry: Entry;
}
export type Item = { kind: 'day'; key: string; label: string } | SessionItem;

const agents: Record<string, string> = {
  codex: 'Codex',
  claudecode: 'Claude Code',
  opencode: 'opencode',
  gemini: 'Gemini CLI',
  pi: 'pi',
  openclaw: 'OpenClaw',
  coderclaw: 'CoderClaw',
  picoclaw: 'PicoClaw',
  crabtalk: 'CrabTalk',
};

/** An agent as people call it. */
export const agentName = (agent: string | null | undefined): string =>
  known(agents, agent ?? '') ?? visibleLine(agent ?? '', 40);

export function entryOf(session: Session): Entry {
  const time = Date.parse(session.lastMessageAt);
  const { id, name, firstMessage, cwd, key, agent, cronJobId, source, createdBy } = session;
  const cron = source === 'cron' ? source : null; // most are interactive
  const called = agent === 'palimpsest' ? null : session.foreign ? agentName(agent) : agent; // and most are ours
  const entry = {
    session,
    title: visibleLine(name ?? '', 120) || visibleLine(firstMessage ?? '', 120) || text.library.untitled,
    folder: cwd ? visibleLine(lastFolder(cwd), 60) : '',
    time,
    day: dayOf(time),
    haystack: [name, firstMessage, cwd, key, called, cronJobId, cron].filter(Boolean).join('\n').toLowerCase(),
    tags: Object.entries({ source, cron: cronJobId, key, agent, by: createdBy })
      .map(([tag, value]) => (value ? `\n${tag}:${value}` : ''))
      .join('')
      .toLowerCase(),
    item: { kind: 'session', key: id } as SessionItem,
  };
  entry.item.entry = entry;
  return entry;
}

/** What tools did to files, as the texts about it want it. */
export function editsOf({ additions, deletions, files }: NonNullable<Session['summary']>): [number, number, number] {
  return [additions, deletions, files];
}

/** Newest first; ties by id, newest first too. */
export function compare(a: Entry, b: Entry): number {
  const byTime = (b.time || 0) - (a.time || 0);
  if (byTime !== 0) return byTime;
  return a.session.id < b.session.id ? 1 : a.session.id > b.session.id ? -1 : 0;
}

// Ids begin with the time: a word of a few characters is somewhere in most of them, so an id matches from its start.
const ID_PREFIX = 6;

/** Those in which every word of the query occurs, or whose id begins with it. */
export function filterEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const id = query.trim().toUpperCase();
  return entries.filter(
    ({ haystack, tags, session }) =>
      words.every((word) => haystack.includes(word) || (word.includes(':') && tags.includes(`\n${word}`))) ||
      (id.length >= ID_PREFIX && session.id.startsWith(id)),
  );
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

/** Entries with a heading before each group of days. */
export function groupByDay(entries: readonly Entry[], today: number): Item[] {
  const items: Item[] = [];
  let day: number | undefined;
  let label = '';
  for (const entry of entries) {
    if (!Object.is(entry.day, day)) {
      day = entry.day;
      const next = labels.of(day, today);
      if (next !== label) items.push({ kind: 'day', key: `day ${next} ${day}`, label: next });
      label = next;
    }
    items.push(entry.item);
  }
  return items;
}

/** The list with one session put in its place. */
export function withEntry(entries: readonly Entry[], entry: Entry): Entry[] {
  const others = withoutEntry(entries, entry.session.id);
  let low = 0;
  let high = others.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = others[middle];
    if (other && compare(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  others.splice(low, 0, entry);
  return others;
}

export function withoutEntry(entries: readonly Entry[], id: string): Entry[] {
  return entries.filter((entry) => entry.session.id !== id);
}
