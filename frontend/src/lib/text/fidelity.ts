import type { FactKind } from '../backend';
import { count, plural } from '../format';

const facts = (n: number) => plural(n, 'fact', 'facts');
const lost = (n: number) => `${facts(n)} lost`;

/** What a summary keeps, and what it loses, of what it replaces. */
export const fidelity = {
  title: 'What the summary keeps',
  /** On the tab; null as long as nothing is known. */
  tab: (gone: number | null) => (gone ? `What it keeps · ${count(gone)} lost` : 'What it keeps'),
  tabShort: (gone: number | null) => (gone ? `Kept · ${count(gone)} lost` : 'Kept'),
  lost,
  keptOf: (kept: number, total: number) =>
    kept === total ? `kept all of ${facts(total)}` : `kept ${count(kept)} of ${count(total)}`,
  keeps: (kept: number, total: number) =>
    kept === total ? `Keeps all of ${facts(total)}` : `Keeps ${count(kept)} of ${facts(total)}`,
  percent: (n: number) => `${n} %`,
  score: (kept: number, total: number) => `${count(kept)} of ${facts(total)}`,
  how: 'Found by rule in what the summary replaces: what you asked for with English words such as must or never, names of files, addresses, identifiers, errors, commands that do more than look, commits, and numbers with units. What also stands in a message that stays does not count.',
  kinds: {
    rule: 'Your rules',
    file: 'Files',
    url: 'Addresses',
    identifier: 'Identifiers',
    error: 'Errors',
    command: 'Commands',
    commit: 'Commits',
    number: 'Numbers',
  } satisfies Record<FactKind, string> as Record<string, string>,
  ofKind: (kept: number, total: number) => `${count(kept)} of ${count(total)}`,
  list: 'Lost',
  noneLost: 'Nothing: all that was found is in the summary.',
  unlisted: (n: number) => `${count(n)} more, not listed`,
  message: (seq: number) => `Message ${seq}`,
  keep: 'Keep',
  keepLabel: (fact: string) => `Keep ${fact}`,
  keepTitle: 'Add it to Critical Context',
  undoLabel: (fact: string) => `Undo: take ${fact} out again`,
  takenBack: (fact: string, gone: number) => `Taken out again: ${fact}. ${lost(gone)}.`,
  kept: (fact: string, gone: number) =>
    `Added to Critical Context: ${fact}. ${gone > 0 ? lost(gone) : 'Nothing is lost'}.`,
  nothing: 'Nothing was found that could be lost.',
  measuring: 'What it keeps is being measured…',
  failed: 'What it keeps could not be measured.',
  notKnown: 'What it keeps is not known',
  unknown: 'Not known: its summary can’t be read.',
  review: (said: string) => `${said}. Review what this compaction lost`,
} as const;
