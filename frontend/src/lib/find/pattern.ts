/** What is looked for, as it stands in texts. */
export interface Pattern {
  /** Where it stands in a text, one place after the other. */
  placesIn(text: string): Iterable<Place>;
  /** Where it stands first; -1 if nowhere. */
  firstIn(text: string): number;
  /** Where it stands in some text is yet to be told. */
  readonly waits: boolean;
  /** How often more of that was told. */
  readonly answers: number;
}

export interface Place {
  start: number;
  end: number;
}

/** A text as it was typed. */
class Literal implements Pattern {
  readonly waits = false;
  readonly answers = 0;

  constructor(private readonly expression: RegExp) {}

  *placesIn(text: string): Iterable<Place> {
    for (const { index, 0: found } of text.matchAll(this.expression)) yield { start: index, end: index + found.length };
  }

  firstIn(text: string): number {
    return text.search(this.expression);
  }
}

// Which messages hold a text the program says, which looks in what was written and in about what is shown of that; where in
// them it stands is marked on the screen. The rule for both: a text is found as it was typed, and without what markdown does
// not show of it; letters of ASCII have two cases (and the Kelvin sign), others those of Unicode's simple folding.

/** The text that is looked for, as it is or as it is shown, wherever it stands, on one line or two; null if there is none. */
export function patternOf(query: string, matchCase: boolean): Pattern | null {
  if (query === '') return null;
  const plain = shown(query).replace(MARKERS, '');
  const written = /\S/.test(plain) ? [query, plain] : [query];
  // Letters with accents may be one sign or two.
  const forms = new Set(written.flatMap((form) => [form, form.normalize('NFC'), form.normalize('NFD')]));
  const expression = [...forms].map(expressionOf).join('|');
  return new Literal(expressionFor(expression, query, matchCase));
}

function expressionFor(expression: string, query: string, matchCase: boolean): RegExp {
  if (matchCase) return new RegExp(expression, 'gu');
  // Unicode's folding makes an s of the long ſ, which the program does not where all else is ASCII.
  return CASED.test(query) ? new RegExp(expression, 'giu') : new RegExp(expression.replace(/k/gi, '[kK\u212a]'), 'gi');
}

// Beyond ASCII.
const CASED = /(?![\0-\x7f])\p{Changes_When_Casemapped}/u;

function expressionOf(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  // Where a line was broken a blank is shown. Of those before the first word one is enough: more of them would be tried
  // from each of a long stretch.
  return literal.replace(BLANKS, (blanks, at) => (at === 0 && blanks !== literal ? BLANK : `${BLANK}+`));
}

const BLANK = '[\\s\\u0085]';
const BLANKS = /[\s\u0085]+/g;
// What begins an item, a heading, a quotation or a cell is not shown as it is written.
const MARKERS = /(?<=^|\s)(?:[-+>|]|#{1,6}|\d{1,9}[.)])\s+(?=\S)/gu;

/** Whether a text holds it, as it is written or as it is shown. */
export function holds(pattern: Pattern | null, text: string): boolean {
  return firstIn(pattern, text) >= 0 || (WRITTEN.test(text) && firstIn(pattern, shown(text)) >= 0);
}

// eslint-disable-next-line no-control-regex -- they are what is looked for
const COLOURS = /(?:\u001b\[|\u009b)[0-9;:]*m/g;
// eslint-disable-next-line no-control-regex -- they are what is looked for
const WRITTEN = /[\u001b\u009b*`&\\[<~]|\n[ \t]*(?:[-+>#]|\d+[.)])[ \t]/;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

// Where escaped signs stand while those that mean something are left out: no text has these characters.
const ASIDE = 0x10ff00;
// What begins an item, a heading or a quotation, at the beginning of a line.
const BEGINNING = /(?<=\n)[ \t]*(?:(?:[-+*>]|#{1,6}|\d{1,9}[.)])[ \t]+)+/g;

/** About what is shown of markdown and of a terminal's output: without colours and stars, with the usual entities as characters. */
function shown(text: string): string {
  return text
    .replace(COLOURS, '')
    .replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) => String.fromCodePoint(ASIDE + sign.charCodeAt(0)))
    .replace(BEGINNING, '')
    .replace(/\[([^[\]\n]*)\]\([^()\s]*(?:[ \t]+"[^"\n]*")?\)/g, '$1')
    .replace(/<(https?:\/\/[^\s<>]+)>/g, '$1')
    .replace(/~~([^~\n]+)~~/g, '$1')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/(?<![\p{L}\p{N}])[*`]+|[*`]+(?![\p{L}\p{N}])|[*`]{2,}/gu, '')
    .replace(/[\u{10ff21}-\u{10ff7e}]/gu, (sign) => String.fromCharCode((sign.codePointAt(0) ?? 0) - ASIDE));
}

/** Where it stands first; -1 if nowhere. */
export function firstIn(pattern: Pattern | null, text: string): number {
  return pattern?.firstIn(text) ?? -1;
}

/** Whether any text in a record holds it, however deep. */
export function holdsAnywhere(pattern: Pattern | null, value: unknown): boolean {
  if (typeof value === 'string') return holds(pattern, value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => holdsAnywhere(pattern, part));
}
