import { known } from '../known';
import type { Entry } from './entries';
import { beginOf, isBegun } from './times';

export type Test = (entry: Entry) => boolean;

/** Of a word that is not written to its end, and of one that no row can answer. */
const all: Test = () => true;

const BOUND = /^(>=|<=|>|<|=)?(\d{1,6})?$/;

const compares: Record<string, (n: number, to: number) => boolean> = {
  '>=': (n, to) => n >= to,
  '<=': (n, to) => n <= to,
  '>': (n, to) => n > to,
  '<': (n, to) => n < to,
  '=': (n, to) => n === to,
};

/** How often it was compacted; a number that is not written to its end keeps everything. */
function byCompactions(value: string): Test | null {
  const [whole, sign = '=', number] = BOUND.exec(value) ?? [];
  if (whole === undefined) return null;
  if (number === undefined) return all;
  const compare = compares[sign];
  const to = Number(number);
  // Of one that was not counted nobody knows.
  return ({ session }) => session.compactions !== null && compare !== undefined && compare(session.compactions, to);
}

const states: Record<string, Test> = {
  archived: ({ session }) => session.archivedAt !== null,
  compacted: ({ session }) => (session.compactions ?? 0) > 0,
  foreign: ({ session }) => session.foreign,
  gone: ({ session }) => session.gone === true,
  fork: ({ session }) => (session.relation === 'fork' && !session.earlierOf) || session.parentSessionId !== undefined,
};
const searchedStates = ['damaged', 'imported'];

function byOneState(value: string): Test | null {
  const state = known(states, value);
  if (state) return state;
  return [...Object.keys(states), ...searchedStates].some((name) => name.startsWith(value)) ? all : null;
}

/** Of several states with commas between them all have to hold; with a minus before it, none may. */
function byState(value: string, leftOut: boolean): Test | null {
  const tests: Test[] = [];
  for (const one of value.split(',')) {
    const test = byOneState(one);
    if (!test) return null;
    if (test !== all) tests.push(test);
  }
  if (tests.length === 0) return all;
  return leftOut ? (entry) => tests.some((test) => test(entry)) : (entry) => tests.every((test) => test(entry));
}

/** When something was said last in it; a time that is not written to its end keeps everything. */
const byTime =
  (holds: (time: number, begin: number) => boolean) =>
  (value: string): Test | null => {
    const begin = beginOf(value, new Date());
    if (begin === null) return isBegun(value) ? all : null;
    return ({ time }) => holds(time, begin);
  };

const filters: Record<string, (value: string, leftOut: boolean) => Test | null> = {
  compactions: byCompactions,
  is: byState,
  after: byTime((time, begin) => time >= begin),
  before: byTime((time, begin) => time < begin),
  name:
    (value) =>
    ({ session }) =>
      (session.name ?? '').normalize().toLowerCase().includes(value),
  id:
    (value) =>
    ({ id }) =>
      id.startsWith(value),
};
const TAGS = ['source', 'cron', 'key', 'agent', 'by', 'project', 'model'];
const PARTS = /^(-?)([a-z]+):(.*)$/s;
// What was said in a session, and when it began, no row tells.
const SEARCHED = /^-?(?:(?:tool|in|scope|on):.|is:(?:\S*,)?(?:damaged|imported)(?:,|$))/i;

function byTag(name: string, value: string): Test | null {
  if (!TAGS.includes(name)) return null;
  const some = value.split(',').filter(Boolean);
  if (some.length < 2) return null;
  return ({ tags }) => some.some((one) => tags.includes(`\n${name}:${one}`));
}

// As in search: an arrow and a flag with two strokes are words.
const LEFT_OUT = /^-(?=[\p{L}\p{N}])/u;

/** A word that is text, or with a minus in front text that is left out. */
function byText(word: string): Test {
  if (word === '-') return all;
  const text = word.replace(LEFT_OUT, '');
  if (text === word) return ({ haystack }) => haystack.includes(word);
  return ({ haystack }) => !haystack.includes(text);
}

/** What a word of the filter asks of a row; the word is in small letters. */
export function testOf(word: string): Test {
  if (SEARCHED.test(word)) return all;
  const [whole, sign, name = '', value = ''] = PARTS.exec(word) ?? [];
  if (whole === undefined) return byText(word);
  const test = known(filters, name)?.(value, sign === '-') ?? byTag(name, value);
  if (test === all) return all;
  if (!sign) return test ?? (({ haystack, tags }) => haystack.includes(word) || tags.includes(`\n${word}`));
  if (test) return (entry) => !test(entry);
  // One that could not be understood is looked for as it stands.
  if (known(filters, name)) return ({ haystack }) => haystack.includes(word);
  if (!TAGS.includes(name)) return byText(word);
  return value === '' ? all : ({ tags }) => !tags.includes(`\n${name}:${value}`);
}

// What the next key adds to such a word may find more: another state, number, time or agent, or fewer that are left out.
const WIDENS = /^(?:-|(?:is|compactions|after|before|on|tool|in|scope):)|,/;

/** Whether what a word finds that has a colon is among what it found before it was written on. */
export const onlyNarrows = (word: string): boolean => !WIDENS.test(word);

const SEARCHED_NAMES = ['tool', 'in', 'scope', 'on'];

/** The first name that is written like that of a filter and is none, unless an address begins with it: its word is text. */
export const noFilter = (query: string): string | null =>
  query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => /^-?([a-z]+):(?!\/\/)./s.exec(word)?.[1] ?? '')
    .find((name) => name && !known(filters, name) && ![...TAGS, ...SEARCHED_NAMES].includes(name)) ?? null;

/** The words of a question that only search can answer. */
export const searchedWords = (query: string): string[] => query.split(/\s+/).filter((word) => SEARCHED.test(word));
