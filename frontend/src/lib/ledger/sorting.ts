import type { LedgerEntry } from '../backend';
import { agentName } from '../library/entries';

export type LedgerColumn = 'time' | 'agent' | 'title' | 'trigger' | 'model' | 'tokens' | 'messages' | 'state';

export interface LedgerSort {
  by: LedgerColumn;
  down: boolean;
}

const values: Record<LedgerColumn, (entry: LedgerEntry) => string | number | null> = {
  time: ({ time }) => (time === null ? null : Date.parse(time)),
  agent: ({ agent }) => agentName(agent).toLowerCase(),
  title: ({ title, id }) => (title ?? id).toLowerCase(),
  trigger: ({ trigger }) => trigger,
  model: ({ model }) => model?.toLowerCase() ?? null,
  tokens: ({ tokensBefore }) => tokensBefore,
  messages: ({ messages }) => messages,
  state: ({ state }) => state,
};

const NEWEST: LedgerSort = { by: 'time', down: true };

/** As an address tells it: the column, with a minus before it where the most comes first. Nothing where it is as they come. */
export function wordOfSort({ by, down }: LedgerSort): string {
  if (by === NEWEST.by && down === NEWEST.down) return '';
  return down ? `-${by}` : by;
}

export function sortOfWord(word = ''): LedgerSort {
  const by = word.replace(/^-/, '');
  return isColumn(by) ? { by, down: by !== word } : NEWEST;
}

const isColumn = (word: string): word is LedgerColumn => Object.hasOwn(values, word);

/** By a column; what is not known comes last either way, and what is the same stays as it was. */
export function sortLedger(entries: readonly LedgerEntry[], { by, down }: LedgerSort): readonly LedgerEntry[] {
  if (by === 'time' && down) return entries; // as they come
  const keyed = entries.map((entry) => ({ entry, key: values[by](entry) }));
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    if (a === b) return 0;
    return a < b === down ? 1 : -1;
  });
  return keyed.map(({ entry }) => entry);
}

/** The other way round where it is by this column already; else as one wants it first: numbers and times from the most. */
export function resorted({ by, down }: LedgerSort, column: LedgerColumn): LedgerSort {
  if (by === column) return { by, down: !down };
  return { by: column, down: column === 'time' || column === 'tokens' || column === 'messages' };
}
