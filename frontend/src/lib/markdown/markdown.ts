import { Marked, type RendererObject, type Token, type Tokens, type TokensList } from 'marked';
import { linkOf } from '../links';
import { text } from '../text';
import { visible, visibleProse } from '../visible';
import { CarefulTokenizer } from './careful';
import { escapeHtml } from './escape';
import { languageClass } from './colours';
import { languageIn } from './languages';
import { htmlOf, nodesOf } from './nodes';
import { sanitize, sanitized } from './sanitize';

// Longer texts are shown as they are: nobody reads them as prose, and parsing would hold the window up.
export const MAX_MARKDOWN = 100_000;

const renderer: RendererObject = {
  // Raw HTML is text that happens to have angle brackets.
  html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),

  code({ text: code, lang }: Tokens.Code) {
    const language = languageIn(lang ?? '');
    const known = language ? ` class="${escapeHtml(languageClass(language))}"` : '';
    const label = language ? `<span class="code-language">${escapeHtml(language)}</span>` : '';
    return `<pre tabindex="0" role="group" aria-label="${escapeHtml(text.transcript.code(language))}">${label}<span class="copy-code" role="button" tabindex="0" aria-label="${text.transcript.copyCode}" title="${text.transcript.copyCode}"></span><code${known}>${escapeHtml(visible(code))}</code></pre>`;
  },

  codespan: ({ text: code }: Tokens.Codespan) => `<code>${escapeHtml(visible(code))}</code>`,

  link({ href, tokens }: Tokens.Link) {
    const label = this.parser.parseInline(tokens);
    const link = linkOf(href);
    if (!link) return label;
    // No href: nothing but the app's own question can open it, whatever button the pointer has.
    const url = escapeHtml(link.url);
    const shown = label.replace(/<[^>]*>/g, '').trim();
    const said = shown === escapeHtml(href) || shown === url || shown === escapeHtml(link.place);
    const place = said ? '' : `<span class="link-place">${escapeHtml(link.place)}</span>`;
    return `<span class="link" role="link" tabindex="0" data-url="${url}" title="${escapeHtml(visible(link.url))}">${label}${place}</span>`;
  },

  // Loading an image tells its host who reads the conversation, and when.
  image({ href, text: alt }: Tokens.Image) {
    const label = escapeHtml(visible(alt || text.transcript.image));
    const link = linkOf(href);
    const where = escapeHtml(visible(link ? link.url : href.slice(0, 200)));
    const chip = `<span class="image-alt">${label}</span> <span class="image-url">${where}</span>`;
    return link
      ? `<span class="image-chip link" role="link" tabindex="0" data-url="${escapeHtml(link.url)}">${chip}</span>`
      : `<span class="image-chip">${chip}</span>`;
  },

  // A task is read, not ticked.
  checkbox: ({ checked }: Tokens.Checkbox) =>
    `<span class="task" role="img" aria-label="${checked ? text.transcript.taskDone : text.transcript.taskOpen}">${checked ? '☑' : '☐'}</span>`,

  heading({ tokens, depth }: Tokens.Heading) {
    return `<h${depth}>${this.parser.parseInline(tokens)}</h${depth}>`;
  },

  table(token: Tokens.Table) {
    const cell = (tag: string, content: Tokens.TableCell, align: string | null) =>
      `<${tag}${align ? ` class="align-${align}"` : ''}>${this.parser.parseInline(content.tokens)}</${tag}>`;
    const head = token.header
      .map((content, i) => cell(content.text ? 'th' : 'td', content, token.align[i] ?? null))
      .join('');
    const rows = token.rows
      .map((row) => `<tr>${row.map((content, i) => cell('td', content, token.align[i] ?? null)).join('')}</tr>`)
      .join('');
    return `<div class="table" tabindex="0" role="group" aria-label="${text.transcript.table}"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
  },
};

// Where it is a part of a message that is parsed: the headings that stand above it.
let outer: readonly number[] = [];

/** Headings of a message stand below those of the page, and no level is left out on the way down. */
function nestHeadings(tokens: Token[] | TokensList): Token[] | TokensList {
  const above = [...outer];
  marked.walkTokens(tokens, (token) => {
    if (token.type !== 'heading') return;
    const heading = token as Tokens.Heading;
    while ((above.at(-1) ?? 0) >= heading.depth) above.pop();
    above.push(heading.depth);
    heading.depth = Math.min(6, above.length + 2);
  });
  return tokens;
}

const tokenizer = new CarefulTokenizer();
const marked = new Marked({
  hooks: { processAllTokens: nestHeadings },
  gfm: true,
  breaks: false,
  async: false,
  renderer,
});
// Given to the constructor it would be taken for a set of functions, and lose what it remembers.
marked.setOptions({ tokenizer });

// More elements than this take longer to be laid out than anyone waits, and no text for people has them.
const MOST_TAGS = 10_000;
const MOST_LINES = 4000;

/** Whether a text is of a size to be read as prose; others are shown as they are, in parts. */
export function isReadable(source: string): boolean {
  if (source.length > MAX_MARKDOWN || source.split('\n', MOST_LINES + 1).length > MOST_LINES) return false;
  return visibleProse(source).length <= MAX_MARKDOWN;
}

/** The blocks of code in a text, in the order in which they are shown. */
export function codeBlocks(source: string): string[] {
  const blocks: string[] = [];
  tokenizer.begin();
  marked.walkTokens(marked.lexer(source), (token) => {
    if (token.type === 'code') blocks.push((token as Tokens.Code).text);
  });
  return blocks;
}

function plain(source: string): string {
  return `<p class="plain">${escapeHtml(visible(source))}</p>`;
}

function rendered(source: string): string {
  if (source.split('\n', MOST_LINES + 1).length > MOST_LINES) return plain(source);
  tokenizer.begin();
  try {
    const html = marked.parse(visibleProse(source)) as string;
    return html.split('<', MOST_TAGS + 1).length > MOST_TAGS ? plain(source) : html;
  } catch {
    return plain(source);
  }
}

/** HTML with raw HTML escaped, before the sanitiser. */
function parse(source: string): string {
  // The record of a long text offers all of it; this is what stands here until there is one.
  if (source.length > MAX_MARKDOWN) return `${plain(source.slice(0, MAX_MARKDOWN))}<p>…</p>`;
  return rendered(source);
}

/** The sanitiser reads a document of its own for each text: only what is not as the renderer writes it is left to that. */
function safe(html: string): string {
  return htmlOf(html) ?? sanitize(html);
}

/**
 * Markdown as HTML that is safe to show: raw HTML escaped, and what results made of the nodes of a closed list, or passed
 * through the sanitiser. Code has its colours from lib/markdown/colours once it is in the page.
 */
export function renderMarkdown(source: string, made = safe): string {
  return made(parse(source));
}

/** A part of a message, and the depths of the headings it stands under. */
export interface BlockSource {
  source: string;
  above: readonly number[];
}

/** The nodes of parts of a message, as they are shown within the whole. */
export function renderBlocks(blocks: readonly BlockSource[]): ChildNode[][] {
  return blocks.map((block) => {
    const html = parseBlock(block);
    return [...(nodesOf(html) ?? sanitized(html)).childNodes];
  });
}

/** A part of a message as it is shown within the whole, as safe HTML. */
export function renderBlock(block: BlockSource): string {
  return safe(parseBlock(block));
}

function parseBlock({ source, above }: BlockSource): string {
  outer = above;
  try {
    return parse(source);
  } finally {
    outer = [];
  }
}

// Rows come and go while scrolling; what was parsed stays for a while.
const cache = new Map<string, string>();
const MAX_CACHED = 400;

export function markdown(source: string): string {
  const html = cache.get(source) ?? renderMarkdown(source);
  keep(source, html);
  return html;
}

/** Whether a text was rendered and is still known. */
export function isKnown(source: string): boolean {
  return cache.has(source);
}

/** Remembers what a text was rendered to, as the one used last. */
export function keep(source: string, html: string): void {
  cache.delete(source);
  cache.set(source, html);
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value ?? source);
}
