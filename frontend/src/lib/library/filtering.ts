import type { Entry } from './entries';
import { filterEntries, narrows } from './filter';

interface Answer {
  query: string;
  those: readonly Entry[];
}

/**
 * The filter while somebody types. What a key adds is looked for among what was found before it, and what a key takes back is known: only
 * the first keys of a question go through the whole library.
 */
export class Filtering {
  private entries: readonly Entry[] = [];
  /** The answers to what the question began with, the shortest first. */
  private answers: Answer[] = [];

  of(entries: readonly Entry[], asked: string): readonly Entry[] {
    const query = asked.normalize().toLowerCase();
    if (entries !== this.entries) this.answers = [];
    this.entries = entries;
    this.answers = this.answers.filter((answer) => query.startsWith(answer.query));
    const last = this.answers.at(-1);
    if (last?.query === query) return last.those;
    const those = filterEntries(last && narrows(last.query, query) ? last.those : entries, query);
    this.answers.push({ query, those });
    return those;
  }
}
