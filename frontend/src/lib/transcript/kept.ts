import { SvelteMap } from 'svelte/reactivity';
import { Answer, type Said } from '../composer/answer.svelte';
import { blocksOf, str } from './record';
import type { Row } from './rows';

// What these refer to may stand anywhere in the text: only as a whole it is what it is.
const REFERENCES = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * Answers that were seen as they were written, by position. Their record looks the same: rendering it would be to do all
 * of it again at once. It is rendered when the row next comes into view.
 */
export class Kept {
  private readonly answers = new SvelteMap<number, Answer>();

  /** What stands below the log; what it holds by now stays where it is. */
  keep(parts: readonly (Said | Answer)[], first: number): void {
    parts.forEach((part, i) => {
      if (part instanceof Answer && part.calls.length === 0) this.answers.set(first + i, part);
    });
  }

  /** The answer that is shown at a position in place of its record. */
  at(position: number, row: Row | undefined): Answer | undefined {
    const answer = this.answers.get(position);
    return answer && row?.kind === 'record' && answer.seq === row.seq && same(answer, row) ? answer : undefined;
  }

  drop(position: number): void {
    this.answers.delete(position);
  }

  clear(): void {
    this.answers.clear();
  }
}

function same(answer: Answer, { record, entry, notes }: Extract<Row, { kind: 'record' }>): boolean {
  if ((entry.state !== 'fresh' && entry.state !== 'kept') || notes.length > 0) return false;
  if (str(record.stopReason) !== 'stop' || record.truncated === true || REFERENCES.test(answer.text)) return false;
  const wanted = [
    ...(answer.thinking ? [{ type: 'thinking', text: answer.thinking }] : []),
    { type: 'text', text: answer.text },
  ];
  const blocks = blocksOf(record);
  return (
    blocks.length === wanted.length &&
    blocks.every((block, i) => {
      const other = wanted[i];
      return (
        block.type === other?.type && 'text' in block && block.text === other.text && !('blob' in block && block.blob)
      );
    })
  );
}
