import type { CommandId } from '../commands/registry';
import type { Entry } from '../library/entries';
import { wordsOf } from './marks';

export type Found = { kind: 'command'; id: CommandId; label: string } | { kind: 'session'; entry: Entry };

// As many as are looked through; who wants another writes more of it.
const SESSIONS = 14;
const RECENT = 6;

const LETTER = /[\p{L}\p{N}]/u;

/**
 * How well a text answers the words: 3 where each begins a word of its title, 2 where each is in that, 1 where one is
 * only in what follows the title, 0 where one is not there at all.
 */
function rank(low: string, title: number, words: readonly string[]): number {
  let worst = 3;
  for (const word of words) {
    const at = low.indexOf(word);
    if (at < 0) return 0;
    if (at >= title) worst = 1;
    else if (worst > 2 && at > 0 && LETTER.test(low[at - 1] ?? '')) worst = 2;
  }
  return worst;
}

/** What is looked through: of each session its title, and after that all else. */
interface Texts {
  low: string[];
  titles: number[];
}

// Made once for a list: there may be tens of thousands in it, and they are looked through with every key.
let known: { entries: readonly Entry[]; texts: Texts } | null = null;
// So many are made at once while nothing is looked for yet.
const AHEAD = 1000;

/** The texts of a list; at most so many that were not made yet. */
function textsOf(entries: readonly Entry[], most = Infinity): Texts {
  if (known?.entries !== entries) known = { entries, texts: { low: [], titles: [] } };
  const { texts } = known;
  const end = Math.min(entries.length, texts.low.length + most);
  for (const entry of entries.slice(texts.low.length, end)) {
    const { cwd, model, source, id } = entry.session;
    const title = entry.title.toLowerCase();
    texts.titles.push(title.length);
    texts.low.push(`${title}\n${cwd ?? ''}\n${model}\n${source}\n${id}`.toLowerCase());
  }
  return texts;
}

/** Makes the texts of a list, a part at a time, so that the first key need not wait for them. Returns what stops it. */
export function prepare(entries: readonly Entry[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const work = () => {
    if (textsOf(entries, AHEAD).low.length < entries.length) timer = setTimeout(work);
  };
  timer = setTimeout(work);
  return () => {
    clearTimeout(timer);
  };
}

function sessionsFor(words: readonly string[], entries: readonly Entry[]): { best: number; found: Found[] } {
  // By how well they match, and among those newest first, as they come.
  const ranked: Entry[][] = [[], [], [], []];
  const { low, titles } = textsOf(entries);
  for (let at = 0; at < low.length; at++) {
    const as = rank(low[at] ?? '', titles[at] ?? 0, words);
    if (as === 0) continue;
    const same = ranked[as];
    const entry = entries[at];
    if (entry && same && same.length < SESSIONS) same.push(entry);
    if (ranked[3]?.length === SESSIONS) break;
  }
  const best = ranked.findLastIndex((some) => some.length > 0);
  const found = ranked.toReversed().flat().slice(0, SESSIONS);
  return { best, found: found.map((entry) => ({ kind: 'session', entry })) };
}

export interface Group {
  kind: 'commands' | 'sessions' | 'recent';
  found: Found[];
}

/** What a query finds: the group with the better answer first. Without one, what was talked in last, and all commands. */
export function search(
  query: string,
  commands: readonly { id: CommandId; label: string }[],
  entries: readonly Entry[],
): Group[] {
  const words = wordsOf(query);
  if (words.length === 0) {
    const recent: Found[] = entries.slice(0, RECENT).map((entry) => ({ kind: 'session', entry }));
    const all: Found[] = commands.map((command) => ({ kind: 'command', ...command }));
    return [
      { kind: 'recent' as const, found: recent },
      { kind: 'commands' as const, found: all },
    ].filter(({ found }) => found.length > 0);
  }
  const ranks = commands
    .map((command) => ({ command, rank: rank(command.label.toLowerCase(), Infinity, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank);
  const first: Group = { kind: 'commands', found: ranks.map(({ command }) => ({ kind: 'command', ...command })) };
  const { best, found } = sessionsFor(words, entries);
  const second: Group = { kind: 'sessions', found };
  const groups = (ranks[0]?.rank ?? 0) >= best ? [first, second] : [second, first];
  return groups.filter((group) => group.found.length > 0);
}
