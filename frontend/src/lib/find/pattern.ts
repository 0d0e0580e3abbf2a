/** The text that is looked for, as it is or as it is shown, wherever it stands, on one line or two; null if there is none. */
export function patternOf(query: string, matchCase: boolean): RegExp | null {
  if (query === '') return null;
  const plain = shown(query).replace(MARKERS, '');
  const forms = new Set(/\S/.test(plain) ? [query, plain] : [query]);
  return new RegExp([...forms].map(expressionOf).join('|'), matchCase ? 'gu' : 'giu');
}

function expressionOf(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  // Where a line was broken a blank is shown. Of those before the first word one is enough: more of them would be tried
  // from each of a long stretch.
  return literal.replace(BLANKS, (blanks, at) => (at === 0 && blanks !== literal ? BLANK : `${BLANK}+`));
}

const BLANK = '[\\s\\u0085]';
const BLANKS = /[\s\u0085]+/g;
// What begins an item, a heading or a quotation is not shown as it is written.
const MARKERS = /(?<=^|\s)(?:[-+>]|#{1,6}|\d{1,9}[.)])\s+(?=\S)/gu;

/** Whether a text holds it, as it is written or as it is shown. */
export function holds(pattern: RegExp | null, text: string): boolean {
  return firstIn(pattern, text) >= 0 || (WRITTEN.test(text) && firstIn(pattern, shown(text)) >= 0);
}

// eslint-disable-next-line no-control-regex -- they are what is looked for
const COLOURS = /(?:\u001b\[|\u009b)[0-9;:]*m/g;
// eslint-disable-next-line no-control-regex -- they are what is looked for
const WRITTEN = /[\u001b\u009b*`&]/;
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** About what is shown of markdown and of a terminal's output: without colours and stars, with the usual entities as characters. */
function shown(text: string): string {
  return text
    .replace(COLOURS, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/(?<![\p{L}\p{N}])[*`]+|[*`]+(?![\p{L}\p{N}])|[*`]{2,}/gu, '');
}

/** Where it stands first; -1 if nowhere. */
export function firstIn(pattern: RegExp | null, text: string): number {
  return pattern ? text.search(pattern) : -1;
}

/** Whether any text in a record holds it, however deep. */
export function holdsAnywhere(pattern: RegExp | null, value: unknown): boolean {
  if (typeof value === 'string') return holds(pattern, value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => holdsAnywhere(pattern, part));
}
