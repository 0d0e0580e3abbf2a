const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
// Kinds of HTML that would go on to the end of the document.
const RAW_HTML = /^( {0,3})<(?=[!?]|(?:script|pre|style|textarea)\b)/i;

/** Markdown of which nothing reaches beyond it: an open fence is closed, and HTML that would swallow what follows is text. */
export function contained(markdown: string): string {
  let open = '';
  const lines = markdown.split('\n').map((line) => {
    const [, fence = '', rest = ''] = FENCE.exec(line) ?? [];
    if (open) {
      if (fence.startsWith(open) && rest.trim() === '') open = '';
      return line;
    }
    if (fence.startsWith('~') || !rest.includes('`')) open = fence;
    return line.replace(RAW_HTML, '$1&lt;');
  });
  return open ? `${lines.join('\n').replace(/\n$/, '')}\n${open}` : lines.join('\n');
}

/** A name that is to mean nothing but itself. */
export function escaped(name: string): string {
  return name.replace(/[\\`*_[\]<>&|~]/g, '\\$&');
}
