/**
 * How code is coloured, without the code: in the order of the text, the length of a piece, the classes of a span that
 * begins, 0 where one ends. Whatever made it, it can't change what stands there.
 */
export type Colouring = readonly (string | number)[];

// Beyond this, colour helps nobody. The rules of some languages read a long line, or a long stretch of white space, again
// from each of its characters.
const MAX_CHARS = 50 * 1024;
const MAX_LINES = 800;
const MAX_LINE = 1000;
const MANY_BLANKS = /\s{200}/;

/** Whether a text is small enough to be coloured. */
export function isColourable(code: string): boolean {
  if (code.length > MAX_CHARS || MANY_BLANKS.test(code)) return false;
  const lines = code.split('\n');
  return lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_LINE);
}

/** The code with its colours; null where they belong to another text. */
export function coloured(code: string, colouring: Colouring): DocumentFragment | null {
  const root = document.createDocumentFragment();
  const open: Node[] = [root];
  let at = 0;
  for (const token of colouring) {
    const inner = open.at(-1) ?? root;
    if (typeof token === 'string') {
      const span = document.createElement('span');
      span.className = token;
      inner.appendChild(span);
      open.push(span);
    } else if (token === 0) {
      if (open.length > 1) open.pop();
    } else {
      inner.appendChild(document.createTextNode(code.slice(at, at + token)));
      at += token;
    }
  }
  return at === code.length ? root : null;
}
