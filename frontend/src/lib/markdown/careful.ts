import { Tokenizer, type Tokens } from 'marked';

/** Text that would take too long to be read as markdown, or be of no use as that. */
class TooMuch extends Error {}

// What no writing for people reaches. Beyond a depth signs stand for themselves; beyond the rest, all of it is plain.
const DEEPEST = 16;
const MOST_TOKENS = 15_000;
const MOST_READ = 400_000;
// An address is looked for to the end of its word, and a link to that of its paragraph, from each sign that could begin one.
const MOST_SOUGHT = 5_000_000;
// Words in brackets, and no address behind them.
const BRACKETED = /^!?\[[^[\]\\`]*\](?!\()/;
// The bounds above keep this far away, on slow machines too: it is for what nobody thought of. In milliseconds.
const LONGEST = 1500;
// A piece of text is read again from each sign in it.
const PIECE = 1000;

/** Reads markdown with bounds on how deep it nests, how much it consists of, and how often it is read again. */
export class CarefulTokenizer extends Tokenizer {
  private depth = 0;
  private tokens = 0;
  private read = 0;
  private sought = 0;
  private end = Infinity;

  begin(): void {
    this.depth = this.tokens = this.read = this.sought = 0;
    this.end = performance.now() + LONGEST;
  }

  // These two are asked first for every block, and for every piece of a line.
  override space(src: string): Tokens.Space | undefined {
    this.count();
    return super.space(src);
  }
  override escape(src: string): Tokens.Escape | undefined {
    this.count();
    return super.escape(src);
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return /^ {0,3}>/.test(src) ? this.nested(() => super.blockquote(src)) : undefined;
  }
  override list(src: string): Tokens.List | undefined {
    return this.nested(() => super.list(src));
  }
  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    if (this.sought > MOST_SOUGHT || !/^!?\[/.test(src) || BRACKETED.test(src)) return undefined;
    const token = this.nested(() => super.link(src));
    this.sought += token ? token.raw.length : src.length;
    return token;
  }

  // A sign that closes nothing is looked for to the end of its paragraph, from each that could open it.
  override emStrong(src: string, masked: string, before = ''): Tokens.Em | Tokens.Strong | undefined {
    if (!/^[*_]/.test(src)) return undefined;
    return this.paid(src, () => super.emStrong(src, masked, before));
  }
  override del(src: string, masked: string, before = ''): Tokens.Del | undefined {
    return src.startsWith('~') ? this.paid(src, () => super.del(src, masked, before)) : undefined;
  }

  // An address of mail has at most this many characters before its sign; more need not be read from each of them.
  override url(src: string): Tokens.Link | undefined {
    if (this.sought > MOST_SOUGHT || !/^(?:https?:\/\/|ftp:\/\/|www\.|[\w.+-]{1,64}@)/i.test(src)) return undefined;
    const end = src.search(/[\s<]/);
    this.sought += end < 0 ? src.length : end;
    return super.url(src);
  }

  override inlineText(src: string): Tokens.Text | undefined {
    if (src.length <= PIECE) return super.inlineText(src);
    const space = src.lastIndexOf(' ', PIECE);
    return super.inlineText(src.slice(0, space > 0 ? space : PIECE));
  }

  private count(): void {
    if (++this.tokens > MOST_TOKENS || performance.now() > this.end) throw new TooMuch();
  }

  private nested<T>(read: () => T | undefined): T | undefined {
    if (this.depth >= DEEPEST) return undefined;
    this.depth++;
    try {
      return read();
    } finally {
      this.depth--;
    }
  }

  private paid<T extends { raw: string }>(src: string, read: () => T | undefined): T | undefined {
    if (this.read > MOST_READ) return undefined;
    const token = this.nested(read);
    this.read += token ? token.raw.length : src.length;
    return token;
  }
}
