import type { Session } from '../backend';
import { known } from '../known';
import { agents, BETWEEN, folded, OWN, type Entry } from './entries';
import { piecesOf, type Piece } from './pieces';
import { beginOf, isBegun } from './times';

export type Test = (entry: Entry) => boolean;

/** Of a word that is not written to its end, and of one that no row can answer. */
const all: Test = () => true;

const BOUND = /^(>=|<=|>|<|=)?(\d{1,15})?$/;

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

/** Asks once what thousands of rows have in common. */
function once(of: (session: Session) => string, holds: (text: string) => boolean): Test {
  const answers = new Map<string, boolean>();
  return ({ session }) => {
    const text = of(session);
    let answer = answers.get(text);
    if (answer === undefined) answers.set(text, (answer = holds(text)));
    return answer;
  };
}

/** The values that stand with commas between them. */
const valuesIn = (value: string): string[] => value.split(',').filter(Boolean);

/** One of several values has to hold; where none is written yet, everything stays. */
const either =
  (make: (value: string) => Test) =>
  (value: string): Test =>
    anyOf(valuesIn(value).map(make));

function anyOf(tests: readonly Test[]): Test {
  const [first = all, ...others] = tests;
  return others.length === 0 ? first : (entry) => tests.some((test) => test(entry));
}

/** An agent's name as it is compared: Claude Code is claude-code, claude_code and claude. */
function agentWord(name: string): string {
  const word = name.toLowerCase().replace(/[-_ ]/g, '');
  return word === 'claude' ? 'claudecode' : word;
}

const AGENTS = [OWN, ...Object.keys(agents)];

/** Whose it is. A name that is not written to its end stands for all that it may become. */
function byAgent(value: string): Test {
  const word = agentWord(value);
  const wanted = AGENTS.includes(word) ? [] : AGENTS.filter((name) => name.startsWith(word));
  if (wanted.length === 0) wanted.push(word);
  const own = wanted.includes(OWN);
  const named = once(
    ({ agent }) => agent ?? '',
    (agent) => wanted.includes(agentWord(agent)),
  );
  return (entry) => (own && !entry.session.foreign) || named(entry);
}

/** Part of the last folder's name, or the whole name of any; with a slash, of either kind, part of the path. */
function worksIn(path: string, wanted: string): boolean {
  if (wanted.includes('/')) return `${path}/`.includes(wanted);
  const folders = path.split('/').filter(Boolean);
  return folders.includes(wanted) || (folders.at(-1) ?? '').includes(wanted);
}

const slashed = (path: string) => path.replaceAll('\\', '/');

function byProject(value: string): Test {
  const values = valuesIn(value);
  // The name of a folder may have a comma in it.
  const wanted = [...values, ...(values.length > 1 ? [value] : [])].map(slashed);
  if (wanted.length === 0) return all;
  return once(
    ({ cwd }) => cwd ?? '',
    (cwd) => {
      const path = slashed(folded(cwd));
      return wanted.some((one) => worksIn(path, one));
    },
  );
}

const byModel = (value: string): Test =>
  once(
    ({ model }) => model,
    (model) => folded(model).includes(value),
  );

/** Part of the name, or without one of how it begins: what a row's text begins with. */
const byName =
  (value: string): Test =>
  ({ haystack, session: { name, firstMessage } }) => {
    const at = name || firstMessage ? haystack.indexOf(value) : -1;
    return at >= 0 && haystack.lastIndexOf(BETWEEN, at) < 0;
  };

/** How an id begins, with or without the agent in front. */
export const idBegins = ({ id }: Entry, value: string): boolean =>
  id.startsWith(value) || (id.includes(':') && id.startsWith(value, id.indexOf(':') + 1));

const byTag = (name: string) =>
  either(
    (value) =>
      ({ tags }) =>
        tags.includes(`\n${name}:${value}`),
  );

// What was said in a session, and when it began, no row tells.
const searched = (): Test => all;

const several: Record<string, (value: string) => Test> = {
  agent: either(byAgent),
  project: byProject,
  model: either(byModel),
  name: byName,
  id: (value) => (entry) => idBegins(entry, value),
  source: byTag('source'),
  cron: byTag('cron'),
  key: byTag('key'),
  by: byTag('by'),
};
const filters: Record<string, (value: string, not: boolean) => Test | null> = {
  ...several,
  compactions: byCompactions,
  is: byState,
  after: byTime((time, begin) => time >= begin),
  before: byTime((time, begin) => time < begin),
  tool: searched,
  in: searched,
  scope: searched,
  on: searched,
};

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A word or a phrase, in which white space fits any. */
function byText(value: string): Test {
  if (!/\s/.test(value)) return ({ haystack }) => haystack.includes(value);
  const phrase = new RegExp(value.split(/\s+/).map(literal).join('\\s+'));
  return ({ haystack }) => phrase.test(haystack);
}

const isSearched = ({ name, value }: Piece): boolean =>
  name === 'is'
    ? valuesIn(value.toLowerCase()).some((one) => searchedStates.includes(one))
    : value !== '' && known(filters, name ?? '') === searched;

/** What a piece asks of a row, whatever else is asked. */
function testOf(piece: Piece): Test {
  const { written, value, name, not } = piece;
  if (value === '' || isSearched(piece)) return all;
  const test = name === null ? byText(value) : known(filters, name)?.(value, not);
  // One that could not be understood is looked for as it stands.
  if (!test) return byText(written);
  return not && test !== all ? (entry) => !test(entry) : test;
}

/** What a question asks of a row, in small letters: all of these. As in search, of several filters of one name one has to hold. */
export function testsOf(query: string): Test[] {
  const tests: Test[] = [];
  const alike = new Map<string, Test[]>();
  for (const piece of piecesOf(query)) {
    const test = testOf(piece);
    const name = !piece.not && piece.name !== null && known(several, piece.name) ? piece.name : null;
    if (test === all) continue;
    if (name === null) tests.push(test);
    else alike.set(name, [...(alike.get(name) ?? []), test]);
  }
  return [...tests, ...[...alike.values()].map(anyOf)];
}

/** The words of a question that only search can answer. */
export const searchedWords = (query: string): string[] =>
  piecesOf(query)
    .filter(isSearched)
    .map(({ written }) => written);
