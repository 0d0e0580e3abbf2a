/** The names of filters: those of search, and some that only the library has. */
const NAMES = [
  ...['agent', 'project', 'model', 'name', 'id', 'is', 'after', 'before', 'compactions'],
  ...['source', 'cron', 'key', 'by'],
  ...['tool', 'in', 'scope', 'on'],
];

/** What stands between blanks: a word, a phrase in quotes or a filter, read as search reads it. */
export interface Piece {
  /** All of it, as it is written. */
  written: string;
  /** What is asked for, without a sign, a name and quotes; nothing where that is yet to be written. */
  value: string;
  /** Of a filter. */
  name: string | null;
  /** It has a minus in front, for what is left out. */
  not: boolean;
}

const FILTER = /^([a-z]+):(?!:|\/\/)/i;
const WORD = /^\S*/;
// Two quotes in it stand for one, and so does one within a word. Every sign fits in one way only.
const PHRASE = /^"((?:[^"]|""|"(?![\s"]|$))*)("(?=\s|$)|$)/;
// As in search: an arrow, a subtraction and a flag with two strokes are words. One that stands alone is still being written.
const LEFT_OUT = /^-(?=[^\s\->=]|$)/;

/** A phrase that a text begins with. One without an end is still being written, and goes on to the end of the text. */
function phraseAt(text: string): { written: string; value: string } | null {
  const [written, value = '', end] = PHRASE.exec(text) ?? [];
  if (written === undefined || (end && !value.trim())) return null;
  // A quote that stands alone, with another phrase behind it, is a word.
  if (/^"\s/.test(text) && /\s"\S/.test(written)) return null;
  return { written, value: end || value.trim() ? value.replaceAll('""', '"') : '' };
}

const wordAt = (text: string): string => WORD.exec(text)?.[0] ?? '';

function filterAt(text: string): { written: string; value: string; name: string } | null {
  const [head = '', named = ''] = FILTER.exec(text) ?? [];
  const name = named.toLowerCase();
  if (!NAMES.includes(name)) return null;
  const rest = text.slice(head.length);
  const word = wordAt(rest);
  const { written, value } = phraseAt(rest) ?? { written: word, value: word };
  return { written: head + written, value, name };
}

function pieceAt(text: string): Piece {
  const sign = LEFT_OUT.test(text) ? '-' : '';
  const rest = text.slice(sign.length);
  const found = filterAt(rest) ?? phraseAt(rest);
  if (found) return { name: null, ...found, written: sign + found.written, not: sign !== '' };
  const written = wordAt(text);
  return { written, value: written.slice(sign.length), name: null, not: sign !== '' };
}

/** A question in its pieces. */
export function piecesOf(query: string): Piece[] {
  const pieces: Piece[] = [];
  for (let rest = query.trimStart(); rest;) {
    const piece = pieceAt(rest);
    pieces.push(piece);
    rest = rest.slice(piece.written.length).trimStart();
  }
  return pieces;
}

/** The first name that is written like that of a filter and is none, unless an address begins with it: its word is text. */
export const noFilter = (query: string): string | null =>
  piecesOf(query)
    .map(({ name, written }) => (name === null && /^-?([a-z]+):(?!\/\/)./is.exec(written)?.[1]?.toLowerCase()) || '')
    .find((name) => name && !NAMES.includes(name)) ?? null;
