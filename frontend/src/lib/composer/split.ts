import { languageIn } from '../markdown/languages';
import type { BlockSource } from '../markdown/markdown';

// An answer grows at its end: what stands before its last block of markdown does not change any more, so it is
// rendered once. Where this cuts and where the parser does may differ in rare cases; once the answer is complete,
// the record is rendered whole.

/** The block that is being written. */
export interface LastBlock extends BlockSource {
  /** Set where it is nothing but code that is not over yet. */
  code: { text: string; language: string } | null;
}

export interface Parts {
  /** What does not change any more; the same array for as long as no block is added. */
  finished: readonly BlockSource[];
  last: LastBlock | null;
}

const FENCE = /^ {0,12}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;

/** Cuts a growing text into blocks. Each line is looked at once, when it is complete. */
export class Splitter {
  private done: readonly BlockSource[] = [];
  /** Depths of the headings so far, and of those above the last block. */
  private above: number[] = [];
  private outer: readonly number[] = [];
  private source = '';
  /** Where the last block begins, and up to where lines were looked at. */
  private start = 0;
  private at = 0;
  private fence = '';
  /** Where the code begins, if the last block begins with it. */
  private codeAt = -1;
  private isList = false;
  private blank = false;

  /** The blocks of a text that begins with the one given before. */
  read(source: string): Parts {
    if (source.length < this.at || !source.startsWith(this.source)) this.reset();
    this.source = source;
    for (let end = source.indexOf('\n', this.at); end >= 0; end = source.indexOf('\n', this.at)) {
      this.line(source.slice(this.at, end), this.at);
      this.at = end + 1;
    }
    // A line need not be complete to show that it belongs to nothing before it.
    const begun = source[this.at] ?? ' ';
    if (this.blank && !this.fence && !/[\s\d*+-]/.test(begun)) {
      this.cut(this.at);
      this.blank = false;
    }
    const last = source.slice(this.start);
    if (!last.trim()) return { finished: this.done, last: null };
    return { finished: this.done, last: { source: last, above: this.outer, code: this.code() } };
  }

  private code(): LastBlock['code'] {
    if (!this.fence || this.codeAt < 0) return null;
    const language = languageIn(this.source.slice(this.start, this.codeAt).trim().slice(this.fence.length));
    // What may become the end of it is not shown as code before that is known.
    const line = this.source.slice(this.at).trim();
    const ends = line !== '' && this.fence.startsWith(line.slice(0, this.fence.length));
    return { text: this.source.slice(this.codeAt, ends ? this.at : undefined), language };
  }

  private reset(): void {
    this.done = [];
    this.above = [];
    this.outer = [];
    this.codeAt = -1;
    this.start = this.at = 0;
    this.fence = '';
    this.isList = this.blank = false;
  }

  private line(line: string, at: number): void {
    if (this.fence) {
      if (closes(line, this.fence)) this.fence = '';
      return;
    }
    if (line.trim() === '') {
      this.blank = true;
      return;
    }
    // What is indented after a blank line, and the next item of a list, still belong to what stands before.
    const goesOn = INDENTED.test(line) || (this.isList && LIST.test(line));
    if (this.blank && !goesOn) this.cut(at);
    this.blank = false;
    const isFirst = this.source.slice(this.start, at).trim() === '';
    if (isFirst) this.isList = LIST.test(line);
    this.fence = fenceOf(line);
    // Code that is indented loses that much of each of its lines, which is the parser's business.
    this.codeAt = isFirst && this.fence && line.startsWith(this.fence) ? at + line.length + 1 : -1;
    const heading = HEADING.exec(line)?.[1];
    if (heading) this.enter(heading.length);
  }

  private cut(at: number): void {
    const source = this.source.slice(this.start, at);
    if (source.trim()) this.done = [...this.done, { source, above: this.outer }];
    this.outer = [...this.above];
    this.start = at;
  }

  private enter(depth: number): void {
    while ((this.above.at(-1) ?? 0) >= depth) this.above.pop();
    this.above.push(depth);
  }
}

function fenceOf(line: string): string {
  const match = FENCE.exec(line);
  // Backticks after backticks are code within a line.
  return match?.[1] && !(match[1].startsWith('`') && match[2]?.includes('`')) ? match[1] : '';
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim();
  return mark.length >= fence.length && mark === (fence[0] ?? '').repeat(mark.length);
}
