import type { Session } from '../backend';
import { dayOf } from '../days';
import { lastFolder } from '../format';
import { known } from '../known';
import { text } from '../text';
import { visibleLine } from '../visible';

/** A session with all that the list needs of it, worked out once. */
export interface Entry {
  session: Session;
  /** Its id in small letters. */
  id: string;
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
  /** How far below another session it stands: 0 for those that an agent did not start. */
  depth: number;
  /** Whether it is of the same day as the one that it stands below, and all above that. */
  sameDay?: boolean;
}

/** Our own sessions' agent, unless they name another. */
export const OWN = 'palimpsest';

/** The agents that we know, as people call them. */
export const agents: Record<string, string> = {
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

/** How many sessions there are of each agent, of the busiest first. */
export function byAgent(entries: readonly Entry[]): { name: string; foreign: boolean; sessions: number }[] {
  const found = new Map<string, { name: string; foreign: boolean; sessions: number }>();
  for (const { session } of entries) {
    const foreign = session.foreign;
    const name = foreign ? agentName(session.agent) : text.library.own;
    const one = found.get(name) ?? { name, foreign, sessions: 0 };
    one.sessions++;
    found.set(name, one);
  }
  return [...found.values()].sort((a, b) => b.sessions - a.sessions);
}

// Putting marks in their order takes the square of their number: 100,000 on one letter held the window up for seconds.
const TOO_MANY_MARKS = /(?<=\p{M}{9})\p{M}+/gu;

/** A text as the filter compares it: case does not count, nor how accents are written. */
export const folded = (text: string): string => text.replace(TOO_MANY_MARKS, '').normalize().toLowerCase();

/** What stands between the texts that a row is found by: no phrase goes from one of them into the next. */
export const BETWEEN = '\0';

/** Whether what an entry is worked out from is the same of two tellings of a session. */
function readsAlike(a: Session, b: Session): boolean {
  return (
    a.lastMessageAt === b.lastMessageAt &&
    a.name === b.name &&
    a.firstMessage === b.firstMessage &&
    a.cwd === b.cwd &&
    a.model === b.model &&
    a.agent === b.agent &&
    a.foreign === b.foreign &&
    a.source === b.source &&
    a.key === b.key &&
    a.cronJobId === b.cronJobId &&
    a.createdBy === b.createdBy
  );
}

/** A session that is told again, mostly with little that is new: what was worked out for the list before is not once more. */
export function entryAgain(session: Session, before: Entry): Entry {
  if (!readsAlike(before.session, session)) return entryOf(session);
  return inPlace({ ...before, session, item: { kind: 'session', key: session.id, depth: 0 } as SessionItem });
}

function inPlace(entry: Entry): Entry {
  entry.item.entry = entry;
  return entry;
}

export function entryOf(session: Session): Entry {
  const time = Date.parse(session.lastMessageAt);
  const { id, name, firstMessage, cwd, key, agent, cronJobId, source, createdBy } = session;
  const cron = source === 'cron' ? source : null; // most are interactive
  const folder = cwd ? visibleLine(lastFolder(cwd), 60) : '';
  const called = agent === OWN ? null : session.foreign ? agentName(agent) : agent; // and most are ours
  return inPlace({
    session,
    id: id.toLowerCase(),
    title: visibleLine(name ?? '', 120) || visibleLine(firstMessage ?? '', 120) || text.library.untitled,
    folder,
    time,
    day: dayOf(time),
    haystack: folded([name, firstMessage, cwd, key, called, cronJobId, cron].filter(Boolean).join(BETWEEN)),
    tags: Object.entries({ source, cron: cronJobId, key, by: createdBy })
      .map(([tag, value]) => (value ? `\n${tag}:${value}` : ''))
      .join('')
      .toLowerCase(),
    item: { kind: 'session', key: id, depth: 0 } as SessionItem,
  });
}

/** Whether its files are there and belong to another agent, so that a copy of them can be kept. */
export const canKeep = ({ foreign, gone, fromCopy }: Session): boolean => foreign && !gone && !fromCopy;

/** Whether its files are gone, so that it can be forgotten: what can't be reached may still be there. */
export const canForget = ({ gone, problem }: Session): boolean => gone === true && !problem;

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

/** The list with one session put in its place. */
export function withEntry(entries: readonly Entry[], entry: Entry): Entry[] {
  const others = withoutEntries(entries, [entry.session.id]);
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

/** The list with many sessions put in their places. */
export function withEntries(entries: readonly Entry[], some: readonly Entry[]): Entry[] {
  const others = withoutEntries(
    entries,
    some.map(({ session }) => session.id),
  );
  return [...others, ...some].sort(compare);
}

export function withoutEntries(entries: readonly Entry[], ids: readonly string[]): Entry[] {
  const gone = new Set(ids);
  return entries.filter(({ session }) => !gone.has(session.id));
}
