import type { CompactionReview, ReviewRow } from '../backend';
import { known } from '../known';
import { readable } from '../terminal';
import { text } from '../text';
import { summaryText } from '../transcript/record';
import { visibleLine } from '../visible';

/** One line of "what goes, what stays". */
export interface Line {
  kind: 'summary' | 'row' | 'more' | 'end';
  seq: number;
  who: string;
  text: string;
  tokens: number | null;
  /** The seq that a cut here has; null where none can go. */
  cut: number | null;
}

/** The lines of a review, and how many of them stand before the first row. */
export function linesOf(review: CompactionReview): { lines: Line[]; lead: number } {
  const { rows, previous, firstRow, totalRows, endSeq } = review;
  const before: Line[] = [];
  if (previous) {
    const summary = summaryText(previous.summary);
    const shown = visibleLine(summary.replace(/^#+ +(.*)\n+/, '$1: '), 200);
    before.push(line('summary', previous.seq, text.review.summaryRow, shown, previous.tokens));
  }
  if (firstRow > 0) before.push(line('more', 0, '', text.review.earlier(firstRow), null));
  const after: Line[] = [];
  const later = totalRows - firstRow - rows.length;
  if (later > 0) after.push(line('more', 0, '', text.review.later(later), null));
  else after.push(line('end', 0, '', text.review.end, null, endSeq));
  return { lines: [...before, ...rows.map(rowLine), ...after], lead: before.length };
}

/** Where a cut is, in short, and with what it means and what stands behind it. */
export function cutSaid(review: CompactionReview, cut: number, next: Line | undefined) {
  const { plan, endSeq } = review;
  const where = cut === endSeq ? text.review.cutEnd : text.review.cutAt(cut);
  const means = text.review.cutWhere(where, plan?.goes ?? 0, plan?.stays ?? 0);
  return { where, said: means + (next?.kind === 'row' ? `. ${next.who}: ${next.text}` : '') };
}

/** Whether a message is among those that a review lists. */
export function holds({ rows, previous }: CompactionReview, seq: number): boolean {
  return previous?.seq === seq || rows.some((row) => row.seq === seq);
}

function rowLine(row: ReviewRow): Line {
  const what = visibleLine(readable(row.text), 200);
  return line('row', row.seq, whoOf(row), what, row.tokens, row.boundary ? row.seq : null);
}

function line(
  kind: Line['kind'],
  seq: number,
  who: string,
  said: string,
  tokens: number | null,
  cut: number | null = null,
): Line {
  return { kind, seq, who, text: said, tokens, cut };
}

function whoOf({ role, tool }: ReviewRow): string {
  if (role === 'assistant' && tool) return visibleLine(tool, 24);
  return known(text.review.roles, role) ?? visibleLine(role, 24);
}
