import type { SearchQuery, SearchScope } from '../backend';

type Term = SearchQuery['terms'][number];

/** A search as text alone, as it can be kept: what was chosen beside the field becomes part of it. */
export function asText(
  text: string,
  query: SearchQuery | null,
  scopes: readonly SearchScope[],
  regex: boolean,
): string {
  const chosen = scopes.length > 0 ? [`scope:${scopes.join()}`] : [];
  if (!regex || !query) return [text.trim(), ...chosen].join(' ');
  const terms = query.terms.map(written);
  return [...terms, ...query.filters.map(writtenFilter), ...chosen].join(' ');
}

export const writtenFilter = ({ name, value, not }: SearchQuery['filters'][number]): string =>
  `${not ? '-' : ''}${name}:${/\s|^"/.test(value) ? quoted(value) : value}`;

/** One word, phrase or expression, as it is read again. */
export const written = ({ text, regex }: Pick<Term, 'text' | 'regex'>): string =>
  regex ? `/${escaped(text)}/` : quoted(text);

/** With what says that it is left out. */
export const writtenTerm = (term: Term): string => (term.not ? '-' : '') + written(term);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** An expression in which no slash ends it. */
function escaped(expression: string): string {
  return expression.replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found));
}

/** What to look for in a session that was found: the word or the expression that was, or what several fit there. */
export function soughtIn(query: SearchQuery | null, match: string): { word: string; regex: boolean } {
  const wanted = query?.terms.filter(({ not }) => !not) ?? [];
  const [only] = wanted;
  return wanted.length === 1 && only ? { word: only.text, regex: only.regex } : { word: match, regex: false };
}
