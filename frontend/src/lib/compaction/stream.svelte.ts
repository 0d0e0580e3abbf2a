import { Frames } from '../composer/frames';

const BLOCK = 4000;
// About how many tokens make a step.
const STEP = 100;

/**
 * A text that grows. What came is gathered for a frame, and what is complete is never touched again: it stands in
 * blocks that end with a line unless it is very long, and only the rest after them changes.
 */
export class StreamText {
  blocks = $state.raw<readonly string[]>([]);
  rest = $state('');
  /** Of all of it, about. */
  tokens = $state(0);
  /** Rises each time that a little more has come, for who need not know of each word. */
  readonly step = $derived(Math.floor(this.tokens / STEP));
  private pending = '';
  private readonly frames = new Frames(() => this.flush());

  add(text: string): void {
    this.pending += text;
    this.frames.ask();
  }

  set(text: string): void {
    this.blocks = [];
    this.rest = '';
    this.tokens = 0;
    this.pending = '';
    if (text) this.add(text);
  }

  get whole(): string {
    return this.blocks.join('') + this.rest;
  }

  get empty(): boolean {
    return this.blocks.length === 0 && this.rest === '';
  }

  private flush(): number {
    const came = this.pending.length;
    this.tokens += came / 4;
    let rest = this.rest + this.pending;
    this.pending = '';
    const done: string[] = [];
    while (rest.length > 2 * BLOCK) {
      const line = rest.indexOf('\n', BLOCK);
      // A line without an end must not be laid out again with every word.
      const end = line < 0 || line > 2 * BLOCK ? BLOCK : line + 1;
      done.push(rest.slice(0, end));
      rest = rest.slice(end);
    }
    if (done.length > 0) this.blocks = [...this.blocks, ...done];
    this.rest = rest;
    return came;
  }
}
