import type { Backend, SearchPlace } from '../backend';

/** What was found of it; not complete where the index had not come as far as that. */
export interface Left {
  places: readonly SearchPlace[];
  total: number;
  complete: boolean;
}

/** What the index still has of a conversation: where a text was said or, without one, what the user asked. */
export async function remains(
  backend: Pick<Backend, 'searchIn'>,
  id: string,
  wanted: string,
  signal: AbortSignal,
): Promise<Left> {
  const asked = wanted
    ? { text: wanted, scopes: [], regex: false }
    : { text: '\\S.*', scopes: ['user' as const], regex: true };
  const { hits, total, complete } = await backend.searchIn(id, { ...asked, matchCase: false }, signal);
  // Of a message of many lines its first says what it is about.
  const seen = new Set<number>();
  const places = hits.filter(({ index }) => {
    if (wanted || index === null) return true;
    return !seen.has(index) && Boolean(seen.add(index));
  });
  return { places, total: wanted ? total : places.length, complete };
}
