import type { Entry } from './entries';
import { piecesOf, type Piece } from './pieces';
import { idBegins, testsOf, type Test } from './words';

// Ids begin with the time: a word of a few characters is somewhere in most of them, so an id matches from its start.
const ID_PREFIX = 6;

/** Those that everything in the query holds of, or whose id begins with it. */
export function filterEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const asked = query.normalize().toLowerCase();
  const tests = testsOf(asked);
  const id = asked.trim();
  const byId: Test | null = id.length < ID_PREFIX ? null : (entry) => idBegins(entry, id);
  // One test after the other: the first of them is all that the first key of a filter takes.
  return tests.reduce((those, test) => those.filter(byId ? (entry) => test(entry) || byId(entry) : test), entries);
}

const isText = ({ name, not }: Piece): boolean => name === null && !not;

/** Whether all that a question finds is among what it found before it was written on; both in small letters. */
export function narrows(before: string, query: string): boolean {
  // A long question may be an id.
  if (query.trim().length >= ID_PREFIX && before.trim().length < ID_PREFIX) return false;
  const had = piecesOf(before);
  const has = piecesOf(query);
  const last = had.length - 1;
  // The one that was being written may ask for something else by now, unless it is a text, of which there is more.
  const goesOn = (piece: Piece, now: Piece | undefined, at: number) =>
    now !== undefined &&
    (now.written === piece.written ||
      (at === last && isText(piece) && isText(now) && now.value.startsWith(piece.value)));
  // One more filter of a name is an alternative.
  const isNew = ({ name }: Piece) => name === null || !had.some((piece) => piece.name === name);
  return had.every((piece, at) => goesOn(piece, has[at], at)) && has.slice(had.length).every(isNew);
}
