import { Frames } from '../composer/frames';

const BLOCK = 4000;

/**
 * A text that grows. What came is gathered for a frame, and what is complete is never touched again: it stands in
 * blocks that end with a line, and only the rest after them changes.
 */
export class StreamText {
  blocks = $state.raw<readonly string[]>([]);
  rest = $state('');
  /** Of all of it, about. */
  tokens = $state(0);
  private pending = '';
  private readonly frames = new Frames(() => {
    this.flush();
  });

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

  get empty(): boolean {
    return this.blocks.length === 0 && this.rest === '';
  }

  private flush(): void {
    this.tokens += this.pending.length / 4;
    let rest = this.rest + this.pending;
    this.pending = '';
    const done: string[] = [];
    while (rest.length > 2 * BLOCK) {
      const line = rest.indexOf('\n', BLOCK);
      if (line < 0) break;
      done.push(rest.slice(0, line + 1));
      rest = rest.slice(line + 1);
    }
    if (done.length > 0) this.blocks = [...this.blocks, ...done];
    this.rest = rest;
  }
}
