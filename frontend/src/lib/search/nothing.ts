import type { SearchQuery } from '../backend';
import { writtenFilter, writtenTerm } from './as-text';
import type { nothing } from '../text/nothing';
import type { Asked } from './asked';

/** Why nothing may have been found: of what holds words back it is said first, and then nothing of how they are spelt. */
export function hintsFor(
  { terms, filters }: SearchQuery,
  { scopes, matchCase }: Pick<Asked, 'scopes' | 'matchCase'>,
): (keyof typeof nothing.hints)[] {
  const words = terms.filter(({ not }) => !not);
  if (words.length === 0) return filters.length > 0 ? [filters.length > 1 ? 'filtersAlone' : 'filterAlone'] : [];
  const out: (keyof typeof nothing.hints)[] = [];
  if (filters.length > 0) out.push('filters');
  if (scopes.length > 0) out.push('scopes');
  const held = out.length > 0;
  if (words.length > 1) out.push('words');
  else if (words[0]?.regex) out.push('expression');
  else if (!held) out.push('other');
  if (!held && !matchCase && words.some(({ text, regex }) => !regex && /\p{L}/u.test(text))) out.push('letters');
  return out;
}

/** What to look for instead, by leaving out one filter of several; none where one is all that there is. */
export function withoutEach({ terms, filters }: SearchQuery): { filter: string; text: string }[] {
  if (filters.length < 2) return [];
  return filters.map((left) => ({
    filter: writtenFilter(left),
    text: [...terms.map(writtenTerm), ...filters.filter((one) => one !== left).map(writtenFilter)].join(' '),
  }));
}
