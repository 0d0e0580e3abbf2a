import { asBackendError } from './errors';
import { valuesOf } from './lines';
import type { Reader } from './reader';

/** Some rows of a long list. */
export interface ListPart<T> {
  rows: T[];
  /** Which of the list the first of them is; 0 again where the list is told from its beginning once more. */
  from: number;
  /** How many there are in all. */
  total: number;
}

// Who is too slow for the program to hold the list finds so again and again.
const TRIES = 3;

/**
 * A list in parts. Each is a request of its own: no window is handed more of it at once, also where an answer is kept back until all of
 * it is there. All are of the list as it was when the first was asked for; one that the program holds no more is asked for anew.
 */
export async function* partsOf<T>(
  reader: Pick<Reader, 'ask'>,
  path: string,
  make: (value: unknown) => T,
  init: RequestInit = {},
): AsyncGenerator<ListPart<T>, void> {
  const [place] = path.split('?');
  const first = `${path}${path.includes('?') ? '&' : '?'}parts=1`;
  let asked = first;
  let from = 0;
  for (let tries = TRIES; ;) {
    let response: Response;
    try {
      response = await reader.ask(asked, init);
    } catch (cause) {
      if (asBackendError(cause).code !== 'stale' || --tries === 0) throw cause;
      [asked, from] = [first, 0];
      continue;
    }
    const rows = await valuesOf(response, make);
    yield { rows, from, total: Number(response.headers.get('X-Total')) };
    from += rows.length;
    const next = response.headers.get('X-Next');
    if (next === null) return;
    asked = `${place}?cursor=${encodeURIComponent(next)}`;
  }
}

/** All of a list, for who has no use for a part of it. */
export async function wholeOf<T>(parts: AsyncIterable<ListPart<T>>): Promise<T[]> {
  let all: T[] = [];
  for await (const { rows, from } of parts) all = [...all.slice(0, from), ...rows];
  return all;
}
