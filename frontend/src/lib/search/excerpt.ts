import type { SearchPlace } from '../backend';
import type { Pattern, Place } from '../find/pattern';
import { visible } from '../visible';

// So much in front of what was found that it is still in view where two lines are shortest, in characters: they may break early, and a
// Chinese one is as wide as two others.
const BEFORE = 36;
// Else a line of its own is given to the dots in front of a word that is longer than one.
const JOINER = '\u2060';
const MATCH = 240;
/** The program gives so much behind it: there is more. */
const AFTER = 80;

/** The excerpt as it can be shown on one line: with hidden characters by name, and what was found in view. */
export function shownExcerpt({ before, match, after }: SearchPlace['excerpt']): SearchPlace['excerpt'] {
  const front = [...flat(before)];
  const found = [...flat(match)];
  const end = [...flat(after)];
  return {
    before: front.length > BEFORE ? `…${JOINER}${visible(front.slice(-BEFORE).join(''))}` : visible(front.join('')),
    match: visible(found.length > MATCH ? `${found.slice(0, MATCH).join('')}…` : found.join('')),
    after: visible(end.length >= AFTER ? `${end.slice(0, AFTER).join('')}…` : end.join('')),
  };
}

export interface Piece {
  text: string;
  /** It is one of the words that were looked for. */
  sought: boolean;
}

/** A text in pieces: the words that were looked for, and what stands between them. */
export function piecesOf(text: string, words: readonly Pattern[]): Piece[] {
  const places: Place[] = words.flatMap((word) => [...word.placesIn(text)]).sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  const cut = (end: number, sought: boolean) => {
    if (end > at) pieces.push({ text: text.slice(at, end), sought });
    at = Math.max(at, end);
  };
  for (const { start, end } of places) {
    cut(start, false);
    cut(end, true);
  }
  cut(text.length, false);
  return pieces;
}

/** On one line; blanks at the ends stay, since words may go on there. */
function flat(text: string): string {
  return text.slice(0, 4000).replace(/[\t\n\r ]+/g, ' ');
}
