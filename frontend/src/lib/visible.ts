// Text that decides what someone believes they are looking at (a command, a path, a name) must look like what
// it is. Characters that reorder, hide or forge text are replaced by a visible name for them.

const NAMES: Record<number, string> = {
  0x007f: 'DEL',
  0x00a0: 'NBSP',
  0x00ad: 'SHY',
  0x034f: 'CGJ',
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
  0x202f: 'NNBSP',
  0x2060: 'WJ',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfe0e: 'VS15',
  0xfe0f: 'VS16',
  0xfeff: 'BOM',
};

const CONTROLS = (
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI ' +
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'
).split(' ');

// Whatever Unicode says has no shape: marks, joiners, fillers, isolates, selectors, tags. Then controls without tab
// and line feed (a carriage return hides what stands before it), separators, halves of characters, spaces that only
// look like one, and marks beyond those that any script puts on one letter: they paint over the lines around them.
const HIDDEN =
  /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}\p{Noncharacter_Code_Point}\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\ufff9-\ufffb]|[^\P{Cc}\t\n]|(?<=\p{M}{5})\p{M}+/gu;

// Most text has nothing but signs that are what they look like; to know that takes a fraction of what it takes to look for
// the others.
const ODD =
  /[^\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2100-\u27ff\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/;

const PICTURE = /\p{Extended_Pictographic}$/u;
const JOINED_EMOJI = /^\p{Extended_Pictographic}/u;
const ENDS_IN_EMOJI = /(?:\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})$/u;
const HAN = /\p{Script=Han}$/u;
const USES_JOINERS =
  /^[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Sinhala}]/u;

function belongs(code: number, before: string, after: string): boolean {
  if (code === 0x200d && ENDS_IN_EMOJI.test(before) && JOINED_EMOJI.test(after)) return true;
  if (code === 0x200c || code === 0x200d) return USES_JOINERS.test(before.slice(-1)) && USES_JOINERS.test(after);
  // A selector chooses between two shapes of the sign before it, once.
  if (code === 0xfe0e || code === 0xfe0f)
    return PICTURE.test(before) || (/[0-9#*]$/.test(before) && after[0] === '\u20e3');
  return code >= 0xe0100 && code <= 0xe01ef && HAN.test(before);
}

function nameOf(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  const more = [...found].length;
  if (more > 1) return `⟨${more} marks⟩`;
  // By name, not by its picture (U+2400 on): few systems have a font for those.
  return `⟨${CONTROLS[code] ?? NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}⟩`;
}

function reveal(text: string, honest: (found: string) => boolean, name = nameOf): string {
  if (!ODD.test(text)) return text;
  return text.replace(HIDDEN, (found: string, offset: number) => {
    const end = offset + found.length;
    if (found === '\r' && text[end] === '\n') return '';
    if (honest(found)) return found;
    const code = found.codePointAt(0) ?? 0;
    return belongs(code, text.slice(Math.max(0, offset - 2), offset), text.slice(end, end + 2)) ? found : name(found);
  });
}

/** The same text with hidden characters shown; lines and tabs stay. */
export function visible(text: string): string {
  return reveal(text, () => false);
}

/** The names of what is hidden in a text that has to be shown as it is. */
export function hiddenNames(text: string): string[] {
  const names = new Set<string>();
  reveal(
    text,
    () => false,
    (found) => {
      names.add(nameOf(found));
      return found;
    },
  );
  return [...names];
}

// In prose, marks, joiners, odd spaces and isolates do honest work.
const HONEST = /^[\u00a0\u00ad\u061c\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]$/;
const ISOLATES = /[\u2066-\u2069]/;

/** Prose with only those hidden characters shown that never belong in any. */
export function visibleProse(text: string): string {
  const shown = reveal(text, (found) => HONEST.test(found) || ISOLATES.test(found));
  if (!ISOLATES.test(shown)) return shown;
  // An isolate that its line does not end would reach into what stands beside it.
  const lines = shown.split('\n').map((line) => (isBalanced(line) ? line : line.replace(/[\u2066-\u2069]/g, nameOf)));
  return lines.join('\n');
}

function isBalanced(line: string): boolean {
  let open = 0;
  for (const [isolate] of line.matchAll(/[\u2066-\u2069]/g)) {
    open += isolate === '\u2069' ? -1 : 1;
    if (open < 0) return false;
  }
  return open === 0;
}

/** On one line: for names, summaries and anything else that has no lines of its own. What is left out shows as …. */
export function visibleLine(text: string, limit = 300): string {
  const begin = text.slice(0, limit * 4).replace(/[\ud800-\udbff]$/, '');
  const line = visible(begin.replace(/[\t\n\r ]+/g, ' ')).trim();
  const points = [...line];
  return points.length > limit || begin.length < text.trimEnd().length ? `${points.slice(0, limit).join('')}…` : line;
}

// Blanks that a line would lose, or that nobody would see in it.
const LOST_BLANKS = /[\t\n\r]|^ +| +$|(?<= ) +/g;

/** On one line, and not to be taken for another: with the blanks in it, before it and after it. For paths and rules. */
export function visibleExactly(text: string, limit?: number): string {
  const named = text.replace(LOST_BLANKS, (blanks) => {
    if (!blanks.startsWith(' ')) return nameOf(blanks);
    return blanks.length > 1 ? `⟨${blanks.length} SP⟩` : '⟨SP⟩';
  });
  return visibleLine(named, limit);
}

/** A name on one line: one that is nothing but blanks shows those, rather than as none. */
export function visibleName(name: string, limit?: number): string {
  return visibleLine(name, limit) || visibleExactly(name.replace(/\u3000/g, nameOf), limit);
}
