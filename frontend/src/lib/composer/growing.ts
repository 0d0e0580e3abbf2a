import { renderBlocks, type BlockSource } from '../markdown/markdown';
import { text } from '../text';
import { GrowingCode } from './growing-code';
import { Passed } from './passed';
import { Splitter, type LastBlock } from './split';
import { finish } from './unfinished';

/**
 * Shows markdown that is still being written: what is finished stays as it is, only its last block is rendered again.
 * This is done by hand, because the guard in front of what is shown costs more by the call than by the block.
 */
export class GrowingMarkdown {
  private readonly splitter = new Splitter();
  private finished: readonly BlockSource[] = [];
  private tail: ChildNode[] = [];
  private code: GrowingCode | null = null;
  private readonly caret = document.createElement('span');
  private readonly passed: Passed;

  /** `isFollowed` says whether who looks on looks at the end. */
  constructor(
    private readonly element: Element,
    private readonly isFollowed: () => boolean,
  ) {
    this.passed = new Passed(element);
    this.caret.className = 'caret';
  }

  /** Shows a text; `open` as long as more is to come. Returns whether blocks were finished. */
  show(source: string, open: boolean): boolean {
    const parts = this.splitter.read(source);
    const finished = open || !parts.last ? parts.finished : [...parts.finished, parts.last];
    const last = open ? parts.last : null;
    if (this.finished[0] !== undefined && this.finished[0] !== finished[0]) this.clear();
    const blocks = finished.slice(this.finished.length);
    this.finished = finished;
    if (blocks.length === 0 && this.code && last?.code) {
      this.code.show(last.code.text);
      this.point(open);
      return false;
    }
    const live = last && !last.code ? [{ ...last, source: finish(last.source) }] : [];
    const rendered = renderBlocks([...blocks, ...live]);
    for (const node of this.tail) node.remove();
    this.code = null;
    const passed = this.isFollowed() ? this.passed.take(blocks, rendered) : 0;
    for (const nodes of rendered.slice(passed, blocks.length)) this.element.append(...nodes);
    this.tail = last?.code ? [this.begin(last.code)] : (rendered[blocks.length] ?? []);
    this.element.append(...this.tail);
    this.point(open);
    return blocks.length > 0;
  }

  /** Whoever goes back finds all of it laid out; returns by how much what is below that has moved down. */
  layOut(): number {
    return this.passed.layOut();
  }

  /** Puts the caret where the next word will stand. A class on all of the text would have all of it laid out anew. */
  private point(open: boolean): void {
    const last = open ? this.element.lastElementChild : null;
    const inside = last?.matches('.growing') ? 'code > span:last-child' : ':scope > li:last-child, :scope > code';
    const place = last?.matches('p, h3, h4, h5, h6') ? last : last?.querySelector(inside);
    if (place) place.append(this.caret);
    else this.caret.remove();
  }

  private begin({ text: source, language }: NonNullable<LastBlock['code']>): ChildNode {
    const element = document.createElement('pre');
    element.className = 'growing';
    element.tabIndex = 0;
    element.role = 'group';
    element.ariaLabel = text.transcript.code(language);
    if (language) {
      const label = document.createElement('span');
      label.className = 'code-language';
      label.textContent = language;
      element.append(label);
    }
    const code = element.appendChild(document.createElement('code'));
    this.code = new GrowingCode(code);
    this.code.show(source);
    return element;
  }

  private clear(): void {
    this.element.replaceChildren();
    this.finished = [];
    this.tail = [];
    this.code = null;
  }
}
