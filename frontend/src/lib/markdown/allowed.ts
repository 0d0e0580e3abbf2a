import { linkOf } from '../links';

// What the renderer makes, and nothing else: no address of any kind among the attributes.
export const TAGS = [
  ...['p', 'br', 'hr', 'span', 'div', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li'],
  ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
export const ATTRIBUTES = ['class', 'title', 'start', 'role', 'tabindex', 'aria-label', 'data-url'];

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

/** Whether an attribute that elements may have may have this value, on this one. */
export function mayBe(attribute: string, value: string, element: Element): boolean {
  return VALUES[attribute]?.(value, element) ?? true;
}
