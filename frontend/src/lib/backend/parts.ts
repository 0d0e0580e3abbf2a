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
  let coming: Promise<Response> | null = reader.ask(first, init);
  let from = 0;
  for (let tries = TRIES; coming;) {
    let response: Response;
    try {
      response = await coming;
    } catch (cause) {
      if (asBackendError(cause).code !== 'stale' || --tries === 0) throw cause;
      [coming, from] = [reader.ask(first, init), 0];
      continue;
    }
    const next = response.headers.get('X-Next');
    // The program makes the next part while this one is read.
    coming = next === null ? null : reader.ask(`${place}?cursor=${encodeURIComponent(next)}`, init);
    coming?.catch(() => undefined);
    const rows = await valuesOf(response, make);
    yield { rows, from, total: Number(response.headers.get('X-Total')) };
    from += rows.length;
  }
}

/** All of a list, for who has no use for a part of it. */
export async function wholeOf<T>(parts: AsyncIterable<ListPart<T>>): Promise<T[]> {
  let all: T[] = [];
  for await (const { rows, from } of parts) all = [...all.slice(0, from), ...rows];
  return all;
}
