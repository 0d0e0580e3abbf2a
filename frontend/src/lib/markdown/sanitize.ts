import createDOMPurify from 'dompurify';
import { linkOf } from '../links';

// Two, each with options of its own for good: to read them takes longer than to sanitise a paragraph.
const toText = createDOMPurify(window);
const toNodes = createDOMPurify(window);

// What the renderer makes, and nothing else: no address of any kind among the attributes.
const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'span', 'div', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li'],
  ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ALLOWED_ATTR = ['class', 'title', 'start', 'role', 'tabindex', 'aria-label', 'data-url'];

// The window's own classes, taken by a text, would make it look like a part of the window.
const OWN_CLASSES = new Set([
  ...[
    'link',
    'link-place',
    'image-chip',
    'image-alt',
    'image-url',
    'task',
    'table',
    'plain',
    'code-language',
    'copy-code',
  ],
  ...['align-left', 'align-center', 'align-right'],
]);
const CODE_CLASS = /^(?:(?:hljs|language)-[\w-]+|[a-z]+_{1,2})$/;
const ROLES = new Set(['group', 'img', 'link']);

const VALUES: Record<string, (value: string, element: Element) => boolean> = {
  class: (value) => value.split(' ').every((name) => OWN_CLASSES.has(name) || CODE_CLASS.test(name)),
  // A button there is one only: the renderer makes it, and it copies what it stands on.
  role: (value, element) => ROLES.has(value) || (value === 'button' && element.className === 'copy-code'),
  tabindex: (value) => value === '0',
  start: (value) => /^\d{1,9}$/.test(value),
  'data-url': (value) => linkOf(value)?.url === value,
};

const OPTIONS = { ALLOWED_TAGS, ALLOWED_ATTR, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false };

for (const purify of [toText, toNodes]) {
  purify.addHook('uponSanitizeAttribute', (element, data) => {
    const holds = VALUES[data.attrName];
    if (holds && !holds(data.attrValue, element)) data.keepAttr = false;
  });
}
toText.setConfig(OPTIONS);
toNodes.setConfig({ ...OPTIONS, RETURN_DOM_FRAGMENT: true });

export function sanitize(html: string): string {
  return toText.sanitize(html);
}

/** The same as nodes, which need not be parsed once more. */
export function sanitized(html: string): DocumentFragment {
  return toNodes.sanitize(html) as unknown as DocumentFragment;
}
