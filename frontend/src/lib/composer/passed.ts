import type { BlockSource } from '../markdown/markdown';

// About what a line of it holds, and how high it and the room between two blocks are, in pixels. Only what nobody has
// looked at is taken to be as high as that.
const CHARACTERS = 95;
const LINE = 19;
const BETWEEN = 9;
// As much as is laid out at once where it comes near the view.
const PART = 1000;
// So many views at the end are laid out as they come.
const VIEWS = 2;
// So many parts, about 60 KB, are laid out within 30 ms by who goes there; of a longer answer the first ones are before.
const MOST = 12;

/**
 * Of an answer that goes past in leaps, what was above the view before anybody saw it: it stands in parts that are not
 * laid out unless they come near the view, until somebody goes there.
 */
export class Passed {
  private parts: HTMLElement[] = [];

  constructor(private readonly element: Element) {}

  /** Puts the first of these blocks away, as they were rendered; returns how many. */
  take(blocks: readonly BlockSource[], rendered: readonly ChildNode[][]): number {
    // What is around the first and the last of all goes by where they stand.
    if (!this.element.hasChildNodes()) return 0;
    let end = blocks.length;
    for (let room = innerHeight * VIEWS; end > 0 && room > 0; end--) room -= heightOf(blocks[end - 1]);
    let nodes: ChildNode[] = [];
    let height = 0;
    let taken = 0;
    for (let i = 0; i < end; i++) {
      nodes.push(...(rendered[i] ?? []));
      height += heightOf(blocks[i]);
      if (height < PART) continue;
      this.add(nodes, height);
      nodes = [];
      height = 0;
      taken = i + 1;
    }
    return taken;
  }

  /** Lays all of it out; returns by how much what stands below it has moved down. */
  layOut(): number {
    if (this.parts.length === 0) return 0;
    const before = this.element.getBoundingClientRect().bottom;
    for (const part of this.parts) part.removeAttribute('class');
    this.parts = [];
    return this.element.getBoundingClientRect().bottom - before;
  }

  private add(nodes: readonly ChildNode[], height: number): void {
    const part = document.createElement('div');
    part.className = 'passed';
    part.style.setProperty('--height', `${height}px`);
    part.append(...nodes);
    this.element.append(part);
    this.parts.push(part);
    while (this.parts.length > MOST) this.parts.shift()?.removeAttribute('class');
  }
}

function heightOf({ source }: BlockSource = { source: '', above: [] }): number {
  const lines = source.trim().split('\n');
  return lines.reduce((height, { length }) => height + Math.ceil(length / CHARACTERS) * LINE, BETWEEN);
}
