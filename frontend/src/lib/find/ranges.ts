import type { Pattern } from './pattern';

// Words do not go on from one block to the next. Phrases do, within one text.
const BLOCKS = 'p, li, pre, td, th, h1, h2, h3, h4, h5, h6, blockquote, button, div, section, dt, dd, pre > span';
// Beyond this nobody tells one mark from another.
const MOST = 2000;
const LONGEST = 3_000_000;
// Blanks right in these stand between blocks, which BREAK does.
const AROUND = '.prose, .prose :is(ul, ol, table, thead, tbody, tr, blockquote)';

interface Piece {
  node: Text;
  start: number;
}

// What stands between two blocks of a text.
const BREAK = '\n';
const SIGNS = /\S/;

function isOneText(block: Element, next: Element): boolean {
  const textOf = (element: Element) => element.closest('.prose') ?? element.closest('pre');
  const own = textOf(block);
  return own !== null && own === textOf(next);
}

/** Where a text stands in what is on the screen, also where it goes over the borders of elements. */
export function rangesIn(root: Element, pattern: Pattern, skip: (element: Element) => boolean = () => false): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    if (node.matches('.unseen, [data-find="off"]') || skip(node)) return NodeFilter.FILTER_REJECT;
    return NodeFilter.FILTER_SKIP;
  });
  let block: Element | null = null;
  let pieces: Piece[] = [];
  let length = 0;
  let seen = 0;
  // Where a link goes stands within the text, which goes on behind it.
  const places: Text[] = [];
  const links = new Set<HTMLElement>();
  const flush = () => {
    if (pieces.length > 0) mark(pieces, pattern, ranges);
    pieces = [];
    length = 0;
  };
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node as Text;
    const link = text.parentElement?.closest<HTMLElement>('.link');
    if (link) links.add(link);
    if (text.parentElement?.matches('.link-place')) {
      places.push(text);
      continue;
    }
    if (!SIGNS.test(text.data) && text.parentElement?.matches(AROUND)) continue;
    const own = text.parentElement?.closest(BLOCKS) ?? root;
    if (own !== block && block && isOneText(block, own)) length += BREAK.length;
    else if (own !== block) flush();
    block = own;
    pieces.push({ node: text, start: length });
    length += text.length;
    seen += text.length;
    if (ranges.length >= MOST || seen > LONGEST) break;
  }
  flush();
  for (const node of places) mark([{ node, start: 0 }], pattern, ranges);
  const whole = linksTo(links, pattern, ranges);
  if (places.length + whole.length === 0) return ranges;
  return [...ranges, ...whole].sort((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b));
}

/** Links of whose address the text is a part that does not show: to be marked as a whole. */
function linksTo(links: Iterable<HTMLElement>, pattern: Pattern, marked: readonly Range[]): Range[] {
  const linkOf = (node: Node) => node.parentElement?.closest('.link');
  const shown = new Set(
    marked.flatMap(({ startContainer, endContainer }) => [linkOf(startContainer), linkOf(endContainer)]),
  );
  return [...links]
    .filter((link) => !shown.has(link) && pattern.firstIn(link.dataset.url ?? '') >= 0)
    .map((link) => {
      const range = document.createRange();
      range.selectNodeContents(link);
      return range;
    });
}

function mark(pieces: Piece[], pattern: Pattern, ranges: Range[]): void {
  let end = 0;
  const parts = pieces.map(({ node, start }) => {
    const part = (start > end ? BREAK : '') + node.data;
    end = start + node.length;
    return part;
  });
  const whole = parts.join('');
  let at = 0;
  const place = (offset: number, isEnd: boolean): [Text, number] | null => {
    for (; at < pieces.length; at++) {
      const piece = pieces[at];
      if (!piece) return null;
      const end = piece.start + piece.node.length;
      if (isEnd ? offset <= end : offset < end) return [piece.node, Math.max(0, offset - piece.start)];
    }
    return null;
  };
  for (const { start, end } of pattern.placesIn(whole)) {
    if (ranges.length >= MOST) return;
    const from = place(start, false);
    const to = place(end, true);
    if (!from || !to) return;
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(...to);
    if (SIGNS.test(whole.slice(start, end)) || isSeen(range)) ranges.push(range);
  }
}

/** Whether blanks are on the screen: those between elements often are not, and to go there leads nowhere. */
const isSeen = (blanks: Range) => /^\s+$/.test(String(blanks)) && blanks.getClientRects().length > 0;
