import { ATTRIBUTES, mayBe, TAGS } from './allowed';

const ELEMENTS = new Set(TAGS);
const EMPTY = new Set(['br', 'hr']);
const ALLOWED = new Set(ATTRIBUTES);

const TAG = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+="[^"<>]*")*)>/g;
const ATTRIBUTE = / ([a-z-]+)="([^"]*)"/g;

// What the renderer escapes with. Any other entity is for a reader of HTML to know.
const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const ENTITY = /&(?:(amp|lt|gt|quot|#39);)?/g;

/** What is not as the renderer writes it. */
class Strange extends Error {}

/**
 * The nodes of HTML that is as the renderer writes it: elements and attributes that it makes, closed in their order,
 * with values that they may have; null for any other, which is for the sanitiser. An answer that grows is read several
 * times a second, and the sanitiser takes many times as long.
 *
 * It is safe whatever it is given: nothing here is read as HTML. There is no element but one of the list, made by its
 * name; all else becomes text, or the value of an attribute that can neither run nor load anything.
 */
export function nodesOf(html: string): DocumentFragment | null {
  try {
    return read(html);
  } catch (cause) {
    if (cause instanceof Strange) return null;
    throw cause;
  }
}

/** The same, written out again: what is shown later is read from what those nodes are, not from what was given. */
export function htmlOf(html: string): string | null {
  const nodes = nodesOf(html);
  if (!nodes) return null;
  const root = document.createElement('div');
  root.append(nodes);
  return root.innerHTML;
}

function read(html: string): DocumentFragment {
  const root = document.createDocumentFragment();
  const open: Element[] = [];
  let inner: Node = root;
  let at = 0;
  for (const tag of html.matchAll(TAG)) {
    const [all, close = '', name = '', attributes = ''] = tag;
    if (tag.index > at) inner.appendChild(document.createTextNode(plain(html.slice(at, tag.index))));
    at = tag.index + all.length;
    if (close) {
      if (open.pop()?.localName !== name || attributes) throw new Strange();
      inner = open.at(-1) ?? root;
      continue;
    }
    const element = elementOf(name, attributes);
    inner.appendChild(element);
    if (EMPTY.has(name)) continue;
    open.push(element);
    inner = element;
  }
  if (open.length > 0) throw new Strange();
  if (at < html.length) root.appendChild(document.createTextNode(plain(html.slice(at))));
  return root;
}

function elementOf(name: string, attributes: string): Element {
  if (!ELEMENTS.has(name)) throw new Strange();
  const element = document.createElement(name);
  if (!attributes) return element;
  for (const [, attribute = '', escaped = ''] of attributes.matchAll(ATTRIBUTE)) {
    const value = plain(escaped);
    if (!ALLOWED.has(attribute) || !mayBe(attribute, value, element)) throw new Strange();
    element.setAttribute(attribute, value);
  }
  return element;
}

function plain(escaped: string): string {
  if (/[<>]/.test(escaped)) throw new Strange();
  if (!escaped.includes('&')) return escaped;
  return escaped.replace(ENTITY, (_, name?: string) => {
    if (name === undefined) throw new Strange();
    return CHARACTERS[name] ?? '';
  });
}
