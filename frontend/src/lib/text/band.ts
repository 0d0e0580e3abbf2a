import { count, plural } from '../format';
import { messages } from './counts';

export const band = {
  title: 'Compacted',
  messages,
  tokens: (before: number | null, after: number | null) => {
    if (before === null) return after === null ? '' : `? → ${count(after)} tokens`;
    return after === null ? `${count(before)} tokens` : `${count(before)} → ${count(after)} tokens`;
  },
  trigger: { manual: 'by hand', threshold: 'full window', overflow: 'overflow', edit: 'an edit' } as Record<
    string,
    string
  >,
  edited: 'edited',
  summary: 'Summary',
  noSummary: 'The summary is empty or not readable.',
  read: (n: number) => `read ${plural(n, 'file', 'files')}`,
  changed: (n: number) => `changed ${plural(n, 'file', 'files')}`,
  replacement: (n: number) => `Replaced by ${messages(n)}`,
  replacementAll: (n: number) => `Show all ${messages(n)}`,
  message: 'What it says',
  role: { user: 'user', assistant: 'assistant', toolResult: 'tool output' } as Record<string, string>,
  instructions: 'Instructions',
  afterTurn: 'Is undone when the turn has ended',
  redoAfterTurn: 'Can be redone when the turn has ended',
  undoneLater: 'Undo after this turn',
  undoneLaterLabel: 'Undo this compaction when the turn has ended; press again to leave it',
  undoLabel: 'Undo this compaction',
  redoLabel: 'Redo this compaction',
  undone: 'The compaction is undone: the model sees those messages again',
  redone: 'The compaction applies again',
  nothingToRedo: 'There is nothing to redo: it applies already, or is gone.',
  ask: (n: number | null) =>
    `Undo the last compaction? The model will see ${n === null ? 'what it took' : messages(n)} again.`,
  none: 'No compaction is in force',
} as const;
