import createDOMPurify from 'dompurify';

const purify = createDOMPurify(window);

// What the renderer makes, and nothing else: no address of any kind among the attributes.
const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'span', 'div', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li'],
  ...['h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ALLOWED_ATTR = ['class', 'title', 'start', 'role', 'tabindex', 'aria-label', 'data-url'];

const OPTIONS = { ALLOWED_TAGS, ALLOWED_ATTR, ALLOW_DATA_ATTR: false, ALLOW_ARIA_ATTR: false };

export function sanitize(html: string): string {
  return purify.sanitize(html, OPTIONS);
}

/** The same as nodes, which need not be parsed once more. */
export function sanitized(html: string): DocumentFragment {
  return purify.sanitize(html, { ...OPTIONS, RETURN_DOM_FRAGMENT: true });
}
