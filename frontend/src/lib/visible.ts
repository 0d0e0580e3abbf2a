// Text that decides what someone believes they are looking at (a command, a path, a name) must look like what
// it is. Characters that reorder, hide or forge text are replaced by a visible name for them.

const NAMES: Record<number, string> = {
  0x00ad: 'SHY',
  0x061c: 'ALM',
  0x180e: 'MVS',
  0x200b: 'ZWSP',
  0x200c: 'ZWNJ',
  0x200d: 'ZWJ',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x2028: 'LS',
  0x2029: 'PS',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
};

// C0 without tab and line feed, DEL and C1, soft hyphen, marks and joiners, separators, embeddings and
// isolates, invisible operators, interlinear marks, tags. A carriage return hides what stands before it.
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const JOINED_EMOJI = /^\p{Extended_Pictographic}/u;
const ENDS_IN_EMOJI = /(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})$/u;
const USES_JOINERS =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

function belongs(code: number, before: string, after: string): boolean {
  if (code === 0x200d && ENDS_IN_EMOJI.test(before) && JOINED_EMOJI.test(after)) return true;
  if (code !== 0x200c && code !== 0x200d) return false;
  return USES_JOINERS.test(before.slice(-1)) && USES_JOINERS.test(after);
}

function nameOf(code: number): string {
  // The pictures of control characters are one sign each and known to whoever meets them.
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  const name = NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `⟨${name}⟩`;
}

/** The same text with hidden characters shown; lines and tabs stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char: string, offset: number, whole: string) => {
    const code = char.codePointAt(0) ?? 0;
    if (code === 0x0d && whole[offset + 1] === '\n') return '';
    if (belongs(code, whole.slice(Math.max(0, offset - 2), offset), whole.slice(offset + 1, offset + 3))) return char;
    return nameOf(code);
  });
}

// In prose, marks and isolates do honest work; overrides, embeddings, tags and control characters do none.
// eslint-disable-next-line no-control-regex
const HIDDEN_IN_PROSE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u{e0000}-\u{e007f}]/gu;

/** Prose with only those hidden characters shown that never belong in any. */
export function visibleProse(text: string): string {
  return text.replace(HIDDEN_IN_PROSE, (char) => nameOf(char.codePointAt(0) ?? 0));
}

/** On one line: for names, summaries and anything else that has no lines of its own. */
export function visibleLine(text: string, limit = 300): string {
  const line = visible(text.slice(0, limit * 4).replace(/[\t\n\r ]+/g, ' ')).trim();
  const points = [...line];
  return points.length > limit ? `${points.slice(0, limit).join('')}…` : line;
}
