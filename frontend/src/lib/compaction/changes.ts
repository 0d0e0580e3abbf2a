import { diffLines } from 'diff';
import type { Diff, Line } from '../transcript/diffs';
import { areLines, MAX_EDITS } from '../transcript/edits';

const MAX_TEXT = 400_000;

/** What changed from one summary to the next, with every line that stayed; null if they are too far apart. */
export function changesOf(before: string, after: string): Diff | null {
  if (before.length + after.length > MAX_TEXT) return null;
  const parts = diffLines(ended(before), ended(after), { maxEditLength: MAX_EDITS });
  if (!parts) return null;
  const lines: Line[] = parts.flatMap(({ added, removed, value }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): Line => ({ kind, text }));
  });
  if (!areLines(lines)) return null;
  const number = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length;
  return { lines, added: number('added'), removed: number('removed') };
}

/** A last line without its end would differ from the same line with it. */
function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

export interface Beside {
  left: string | null;
  right: string | null;
  same: boolean;
}

/** The lines of two texts beside each other: what took another's place stands next to it. */
export function beside({ lines }: Diff): Beside[] {
  const rows: Beside[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const settle = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      rows.push({ left: removed[i] ?? null, right: added[i] ?? null, same: false });
    }
    removed = [];
    added = [];
  };
  for (const { kind, text } of lines) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      settle();
      rows.push({ left: text, right: text, same: true });
    }
  }
  settle();
  return rows;
}
