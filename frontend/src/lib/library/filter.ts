import type { Entry } from './entries';
import { onlyNarrows, testOf, type Test } from './words';

// Ids begin with the time: a word of a few characters is somewhere in most of them, so an id matches from its start.
const ID_PREFIX = 6;

/** Those that every word of the query holds of, or whose id begins with it. */
export function filterEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const tests = query.normalize().toLowerCase().split(/\s+/).filter(Boolean).map(testOf);
  if (tests.length === 0) return entries;
  const id = query.trim().toLowerCase();
  const byId: Test | null = id.length < ID_PREFIX ? null : (entry) => entry.id.startsWith(id);
  // One word after the other: the first of them is all that the first key of a filter takes.
  return tests.reduce((those, test) => those.filter(byId ? (entry) => test(entry) || byId(entry) : test), entries);
}

/** Whether all that a question finds is among what it found before it was written on; both in small letters. */
export function narrows(before: string, query: string): boolean {
  // A long question may be an id.
  if (query.trim().length >= ID_PREFIX && before.trim().length < ID_PREFIX) return false;
  // Of the words only the one that was being written can find more than before: with a colon it asks for something else,
  // and of a longer one with a minus fewer are left out.
  const at = before.length - (/\S*$/.exec(before)?.[0].length ?? 0);
  const begun = before.slice(at);
  const word = /^\S*/.exec(query.slice(at))?.[0] ?? '';
  return word === begun || !/^-|:/.test(word) || (begun.includes(':') && onlyNarrows(word));
}

const AGENT = /(^|\s)agent:\S*/gi;

/** The agent that the query asks for by its whole name. */
export function agentIn(query: string): string | null {
  return /(?:^|\s)agent:(\S+)/i.exec(query)?.[1]?.toLowerCase() ?? null;
}

/** The query with another agent, or with none. */
export function withAgent(query: string, agent: string | null): string {
  const rest = query.replace(AGENT, ' ').replace(/\s+/g, ' ').trim();
  return [agent ? `agent:${agent}` : '', rest].filter(Boolean).join(' ');
}

const wordsIn = (query: string) => query.split(/\s+/).filter(Boolean);

export function hasWord(query: string, word: string): boolean {
  return wordsIn(query).includes(word);
}

/** The query with a word, or without it. */
export function withWord(query: string, word: string, wanted: boolean): string {
  return [...(wanted ? [word] : []), ...wordsIn(query).filter((other) => other !== word)].join(' ');
}
