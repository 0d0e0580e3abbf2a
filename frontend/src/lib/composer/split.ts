// An answer grows at its end: what stands before its last block of markdown does not change any more, so it is
// rendered once. Where this cuts and where the parser does may differ in rare cases; once the answer is complete,
// the record is rendered whole.

/** A block of markdown, and the depths of the headings it stands under: they decide the level of its own. */
export interface Block {
  source: string;
  above: readonly number[];
}

const FENCE = /^ {0,12}(`{3,}|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s|$)/;
const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;

/** Cuts a growing text into blocks. Each line is looked at once, when it is complete. */
export class Splitter {
  private done: Block[] = [];
  /** Depths of the headings so far, and of those above the last block. */
  private above: number[] = [];
  private outer: readonly number[] = [];
  private source = '';
  /** Where the last block begins, and up to where lines were looked at. */
  private start = 0;
  private at = 0;
  private fence = '';
  private isList = false;
  private blank = false;

  /** The blocks of a text that begins with the one given before; all but the last are final. */
  read(source: string): Block[] {
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
    return last.trim() ? [...this.done, { source: last, above: this.outer }] : [...this.done];
  }

  private reset(): void {
    this.done = [];
    this.above = [];
    this.outer = [];
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
    if (this.source.slice(this.start, at).trim() === '') this.isList = LIST.test(line);
    this.fence = fenceOf(line);
    const heading = HEADING.exec(line)?.[1];
    if (heading) this.enter(heading.length);
  }

  private cut(at: number): void {
    const source = this.source.slice(this.start, at);
    if (source.trim()) this.done.push({ source, above: this.outer });
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
