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
