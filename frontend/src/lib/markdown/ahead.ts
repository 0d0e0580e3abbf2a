import { Splitter } from '../composer/split';
import type { RawRecord } from '../backend';
import { blocksOf } from '../transcript/record';
import { isKnown, isReadable, keep, renderBlock } from './markdown';

// What is shorter is rendered within a frame when it comes into view.
const LONG = 6000;
// How long a slice may take, in milliseconds: a frame has room for it.
const SLICE = 6;
// Reference definitions may stand anywhere: a text that has one is rendered whole.
const REFERENCES = /^ {0,3}\[[^\]\n]+\]:/m;

/**
 * Renders long messages before they come into view, block by block and a slice at a time, so that scrolling to one
 * does not wait for all of it at once.
 */
export class Ahead {
  private waiting: string[] = [];
  private parts: { source: string; blocks: { source: string; above: readonly number[] }[]; html: string } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Prepares what a record will show as prose. */
  prepare(record: RawRecord): void {
    for (const block of blocksOf(record)) {
      if (block.type === 'text') this.add(block.text);
    }
  }

  /** What was not begun yet is not wanted any more. */
  stop(): void {
    this.waiting = [];
    this.parts = null;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private add(source: string): void {
    if (source.length < LONG || isKnown(source) || REFERENCES.test(source) || !isReadable(source)) return;
    if (this.waiting.includes(source) || this.parts?.source === source) return;
    // What was asked for last is what is scrolled to.
    this.waiting.push(source);
    this.timer ??= setTimeout(this.work);
  }

  private readonly work = (): void => {
    this.timer = undefined;
    const until = performance.now() + SLICE;
    while (performance.now() < until) {
      this.parts ??= this.begin();
      if (!this.parts) return;
      const block = this.parts.blocks.shift();
      if (block) this.parts.html += renderBlock(block);
      else {
        keep(this.parts.source, this.parts.html);
        this.parts = null;
      }
    }
    // A frame may come in between.
    this.timer = setTimeout(this.work, SLICE);
  };

  private begin() {
    const source = this.waiting.pop();
    if (source === undefined) return null;
    const { finished, last } = new Splitter().read(source);
    return { source, blocks: last ? [...finished, last] : [...finished], html: '' };
  }
}
