import { SCOPES, type SearchScope } from '../backend';

/** What is looked for, and how. */
export interface Asked {
  text: string;
  scopes: readonly SearchScope[];
  matchCase: boolean;
  regex: boolean;
}

export const NOTHING: Asked = { text: '', scopes: [], matchCase: false, regex: false };

const HASH = /^#\/search(?:\?(.*))?$/s;

/** The address of a search, so that a reload and the way back find it again. */
export function hashOfSearch({ text, scopes, matchCase, regex }: Asked): string {
  const asked = new URLSearchParams();
  if (text) asked.set('q', text);
  if (scopes.length > 0) asked.set('scope', scopes.join());
  if (matchCase) asked.set('case', '1');
  if (regex) asked.set('regex', '1');
  const query = asked.toString();
  return query ? `#/search?${query}` : '#/search';
}

/** What an address looks for; null for one that is no search. */
export function askedOf(hash: string): Asked | null {
  const [found, query = ''] = HASH.exec(hash) ?? [];
  if (found === undefined) return null;
  const asked = new URLSearchParams(query);
  const wanted = (asked.get('scope') ?? '').split(',');
  return {
    text: asked.get('q') ?? '',
    scopes: SCOPES.filter((scope) => wanted.includes(scope)),
    matchCase: asked.get('case') === '1',
    regex: asked.get('regex') === '1',
  };
}

export function sameAsked(a: Asked, b: Asked): boolean {
  return hashOfSearch(a) === hashOfSearch(b);
}
