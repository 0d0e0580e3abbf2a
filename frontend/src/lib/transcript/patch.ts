import { counted, type Diff, type Line } from './diffs';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
const FILE = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;
const QUIET = /^(?:diff |index |new file|deleted file|old mode|new mode|similarity|\*\*\* (?:Begin|End))/;

/** A patch, unified or in the words of `apply_patch`; null if nothing in it changes anything. */
export function patchOf(patch: string): Diff | null {
  const lines: Line[] = [];
  // Numbers are known within a hunk that begins with them, and in a file that is new.
  let before: number | undefined;
  let after: number | undefined;
  // How many lines the hunk still holds: until then a line is a line, whatever it looks like.
  let left = { before: 0, after: 0 };
  let files = 0;
  let created = 0;
  const all = patch.replace(/\n$/, '').split('\n');
  for (const [n, line] of all.entries()) {
    // The head of a file is two lines; one of them alone is a line of the text that begins like it.
    const inside = left.before > 0 || left.after > 0;
    if (!inside && line.startsWith('--- ') && all[n + 1]?.startsWith('+++ ')) continue;
    if (line.startsWith('\\ No newline')) {
      const last = lines.at(-1);
      if (last && last.kind !== 'same') last.unended = true;
      continue;
    }
    if (!inside && QUIET.test(line)) continue;
    const hunk = HUNK.exec(line);
    const head = !inside && all[n - 1]?.startsWith('--- ') ? /^\+\+\+ (?:b\/)?(.+)$/.exec(line) : null;
    const file = FILE.exec(line) ?? head;
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[3]);
      left = { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) };
      // Before the first line of a file nothing is left out.
      const where = (hunk[5] ?? '').trim();
      if (where || Math.max(before, after) > 1) lines.push({ kind: 'gap', text: where });
    } else if (file) {
      files++;
      const isAdded = line.startsWith('*** Add');
      if (isAdded) created++;
      before = undefined;
      after = isAdded ? 1 : undefined;
      lines.push({ kind: 'gap', text: file[1] ?? '' });
    } else if (MOVE.test(line)) lines.push({ kind: 'gap', text: `→ ${MOVE.exec(line)?.[1] ?? ''}` });
    else if (line.startsWith('@@')) lines.push({ kind: 'gap', text: line.slice(2).trim() });
    else if (line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), after: after && after++ });
      left.after--;
    } else if (line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), before: before && before++ });
      left.before--;
    } else {
      const text = line.startsWith(' ') ? line.slice(1) : line;
      lines.push({ kind: 'same', text, before: before && before++, after: after && after++ });
      left.before--;
      left.after--;
    }
  }
  const diff = counted(lines);
  if (diff.added + diff.removed === 0) return null;
  return files > 0 && files === created ? { ...diff, isNew: true } : diff;
}

/** The files that a patch names, in its order. */
export function filesOf(patch: string): string[] {
  return [...patch.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/gm)].map(([, path = '']) =>
    path.trim(),
  );
}
