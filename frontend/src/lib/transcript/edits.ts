import { diffLines } from 'diff';
import { isObject, str } from './record';

export interface Line {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
}
export interface Diff {
  lines: Line[];
  added: number;
  removed: number;
}

const MAX_TEXT = 200_000;
// The work grows with the square of the difference.
export const MAX_EDITS = 800;
// A longer line says nothing as one of a change, and is not laid out in time.
const MAX_LINE = 10_000;
const CONTEXT = 3;

export function areLines(lines: readonly Line[]): boolean {
  return lines.every(({ text }) => text.length <= MAX_LINE);
}

interface Edit {
  before: string;
  after: string;
}

function editOf(value: unknown): Edit | null {
  if (!isObject(value)) return null;
  const before = value.oldText ?? value.old_string ?? value.oldString ?? value.old_str;
  const after = value.newText ?? value.new_string ?? value.newString ?? value.new_str;
  if (typeof before !== 'string' || typeof after !== 'string') return null;
  return { before, after };
}

/** The arguments that an edit consists of, in the words of the agents that are known. */
export const EDIT_KEYS = [
  ...['oldText', 'newText', 'old_string', 'new_string', 'oldString', 'newString', 'old_str', 'new_str'],
  ...['edits', 'patch', 'diff'],
];

/** The change that a call's arguments describe; null if they describe none, or one too large to compare. */
export function diffOf(args: unknown): Diff | null {
  if (!isObject(args)) return null;
  const single = editOf(args);
  if (single) return compare([single]);
  if (Array.isArray(args.edits)) {
    const edits = args.edits.map(editOf);
    if (edits.length === 0 || edits.includes(null)) return null;
    return compare(edits as Edit[]);
  }
  const patch = str(args.patch) || str(args.diff);
  return patch && patch.length <= MAX_TEXT ? ofPatch(patch) : null;
}

function compare(edits: Edit[]): Diff | null {
  const size = edits.reduce((sum, edit) => sum + edit.before.length + edit.after.length, 0);
  if (size > MAX_TEXT) return null;
  const lines: Line[] = [];
  for (const edit of edits) {
    const parts = diffLines(edit.before, edit.after, { maxEditLength: MAX_EDITS });
    if (!parts) return null;
    if (lines.length > 0) lines.push({ kind: 'gap', text: '' });
    parts.forEach((part, i) => {
      const kind = part.added ? 'added' : part.removed ? 'removed' : 'same';
      const texts = part.value.replace(/\n$/, '').split('\n');
      lines.push(
        ...(kind === 'same'
          ? around(texts, i > 0, i < parts.length - 1)
          : texts.map((text) => ({ kind, text }) as Line)),
      );
    });
  }
  return areLines(lines) ? counted(lines) : null;
}

/** Of a run of unchanged lines only those next to a change. */
function around(texts: string[], changeBefore: boolean, changeAfter: boolean): Line[] {
  const head = changeBefore ? CONTEXT : 0;
  const tail = changeAfter ? CONTEXT : 0;
  const same = (text: string): Line => ({ kind: 'same', text });
  if (texts.length <= head + tail + 1) return texts.map(same);
  return [
    ...texts.slice(0, head).map(same),
    { kind: 'gap', text: '' },
    ...texts.slice(texts.length - tail, tail === 0 ? 0 : undefined).map(same),
  ];
}

function ofPatch(patch: string): Diff | null {
  const lines: Line[] = patch
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !/^(?:\+\+\+|---|diff |index |\*\*\* (?:Begin|End))/.test(line))
    .map((line) => {
      if (line.startsWith('+')) return { kind: 'added', text: line.slice(1) };
      if (line.startsWith('-')) return { kind: 'removed', text: line.slice(1) };
      if (/^(?:@@|\*\*\*)/.test(line)) return { kind: 'gap', text: line };
      return { kind: 'same', text: line.startsWith(' ') ? line.slice(1) : line };
    });
  const diff = counted(lines);
  return diff.added + diff.removed > 0 && areLines(lines) ? diff : null;
}

function counted(lines: Line[]): Diff {
  return {
    lines,
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length,
  };
}
