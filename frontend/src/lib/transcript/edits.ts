import { diffLines, diffWordsWithSpace } from 'diff';
import { counted, type Diff, type Line } from './diffs';
import { patchOf } from './patch';
import { isObject, str } from './record';

// Beyond this nothing is compared: what was there stands above what is there now.
const MAX_COMPARED = 200_000;
// Beyond this it is not shown as a change at all.
const MAX_TEXT = 4_000_000;
const MAX_MS = 60;
// The work grows with the square of the difference.
export const MAX_EDITS = 800;
// A longer line says nothing as one of a change, and is not laid out in time.
const MAX_LINE = 10_000;
// Within a longer line words are not compared.
const MAX_WORDS_LINE = 1000;
const MAX_PAIRS = 300;
const CONTEXT = 3;

export function areLines(lines: readonly Line[]): boolean {
  return lines.every(({ text }) => text.length <= MAX_LINE);
}

interface Edit {
  before: string;
  after: string;
}

const BEFORE = ['oldText', 'old_string', 'oldString', 'old_str', 'old_text'];
const AFTER = ['newText', 'new_string', 'newString', 'new_str', 'new_text'];
const WHOLE = ['content', 'contents', 'file_text'];
const PATCH = ['patch', 'diff', 'patchText', 'input'];

/** The arguments that an edit consists of, in the words of the agents that are known. */
export const EDIT_KEYS = [...BEFORE, ...AFTER, ...WHOLE, ...PATCH, 'edits', 'insert_line', 'insert_text'];

function first(args: Record<string, unknown>, names: readonly string[]): string | null {
  for (const name of names) if (typeof args[name] === 'string') return args[name];
  return null;
}

function editOf(value: unknown): Edit | null {
  if (!isObject(value)) return null;
  const before = first(value, BEFORE);
  const after = first(value, AFTER);
  if (before === null || after === null) return null;
  return { before, after };
}

/** The change that a call's arguments describe; null if they describe none, or one too large to be shown as one. */
export function diffOf(args: unknown, name = ''): Diff | null {
  if (typeof args === 'string') return patched(args);
  if (!isObject(args)) return null;
  const single = editOf(args);
  if (single) return compare([single]);
  if (Array.isArray(args.edits)) {
    const edits = args.edits.map(editOf);
    if (edits.length === 0 || edits.includes(null)) return null;
    return compare(edits as Edit[]);
  }
  const patch = patchIn(args);
  if (patch) return patched(patch);
  return inserted(args) ?? written(args, name);
}

/** The patch that a call's arguments hold, if they do. */
export function patchIn(args: unknown): string {
  if (typeof args === 'string') return args;
  if (!isObject(args)) return '';
  const { command } = args;
  if (Array.isArray(command) && command[0] === 'apply_patch') return str(command[1]);
  return first(args, PATCH) ?? '';
}

function patched(patch: string): Diff | null {
  const diff = patch.length <= MAX_TEXT ? patchOf(patch) : null;
  return diff && areLines(diff.lines) ? withWords(diff) : null;
}

/** Lines put in behind a line: `insert` of an editor that has several commands. */
function inserted(args: Record<string, unknown>): Diff | null {
  const at = args.insert_line;
  const text = first(args, [...AFTER, 'insert_text']);
  if (typeof at !== 'number' || text === null) return null;
  const lines = linesOf(text).map((line, i): Line => ({ kind: 'added', text: line, after: at + 1 + i }));
  return { lines, added: lines.length, removed: 0 };
}

/** A whole file: what it held before is not said, so all of it is new. */
function written(args: Record<string, unknown>, name: string): Diff | null {
  const content = first(args, WHOLE);
  const isFile = ['path', 'file_path', 'filePath'].some((key) => typeof args[key] === 'string');
  if (content === null || !isFile || content.length > MAX_TEXT || /append/i.test(name)) return null;
  const lines = linesOf(content).map((text, i): Line => ({ kind: 'added', text, after: i + 1 }));
  return { lines, added: lines.length, removed: 0, isNew: true };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function compare(edits: Edit[]): Diff | null {
  const size = edits.reduce((sum, edit) => sum + edit.before.length + edit.after.length, 0);
  if (size > MAX_TEXT) return null;
  const until = performance.now() + MAX_MS;
  let lines: Line[] = [];
  for (const edit of edits) {
    if (lines.length > 0) lines.push({ kind: 'gap', text: '' });
    const left = until - performance.now();
    const parts =
      size <= MAX_COMPARED && left > 0
        ? diffLines(edit.before, edit.after, { maxEditLength: MAX_EDITS, timeout: left })
        : null;
    const here = parts
      ? parts.flatMap((part, i) => linesOfPart(part, i > 0, i < parts.length - 1))
      : [...all('removed', edit.before), ...all('added', edit.after)];
    lines = lines.concat(withEnd(here, edit));
  }
  return areLines(lines) ? withWords(counted(lines)) : null;
}

/** Marks what a change of nothing but the last line break consists of: the lines look the same. */
function withEnd(lines: Line[], { before, after }: Edit): Line[] {
  const gone = lines.findLast(({ kind }) => kind === 'removed');
  const come = lines.findLast(({ kind }) => kind === 'added');
  if (gone && come && gone.text === come.text && before.endsWith('\n') !== after.endsWith('\n')) {
    (before.endsWith('\n') ? come : gone).unended = true;
  }
  return lines;
}

const all = (kind: 'added' | 'removed', text: string): Line[] => linesOf(text).map((line) => ({ kind, text: line }));

interface Part {
  value: string;
  added?: boolean;
  removed?: boolean;
}

function linesOfPart(part: Part, changeBefore: boolean, changeAfter: boolean): Line[] {
  const texts = linesOf(part.value);
  if (part.added) return texts.map((text) => ({ kind: 'added', text }));
  if (part.removed) return texts.map((text) => ({ kind: 'removed', text }));
  return around(texts, changeBefore, changeAfter);
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

/** Marks what changed within lines: where as many lines came as went, each is taken for the one that it was. */
function withWords(diff: Diff | null): Diff | null {
  if (!diff) return null;
  const { lines } = diff;
  const until = performance.now() + MAX_MS;
  let pairs = 0;
  for (let at = 0; at < lines.length;) {
    const gone = runOf(lines, at, 'removed');
    const come = runOf(lines, at + gone, 'added');
    if (gone > 0 && gone === come) {
      for (let n = 0; n < gone && pairs < MAX_PAIRS && performance.now() < until; n++, pairs++) {
        markWords(lines[at + n], lines[at + gone + n]);
      }
    }
    at += Math.max(1, gone + come);
  }
  return diff;
}

function runOf(lines: Line[], from: number, kind: Line['kind']): number {
  let n = 0;
  while (lines[from + n]?.kind === kind) n++;
  return n;
}

function markWords(before: Line | undefined, after: Line | undefined): void {
  if (!before || !after || before.text.length > MAX_WORDS_LINE || after.text.length > MAX_WORDS_LINE) return;
  const parts = diffWordsWithSpace(before.text, after.text);
  const same = parts.reduce((sum, part) => (part.added || part.removed ? sum : sum + part.value.trim().length), 0);
  // Lines that have next to nothing in common are two lines.
  if (same * 3 < Math.min(before.text.trim().length, after.text.trim().length)) return;
  const words = (gone: 'added' | 'removed') =>
    parts
      .filter((part) => !part[gone])
      .map((part) => ({ text: part.value, changed: Boolean(part.added ?? false) || Boolean(part.removed ?? false) }));
  before.words = words('added');
  after.words = words('removed');
}
