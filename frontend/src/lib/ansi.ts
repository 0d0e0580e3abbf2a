// A terminal's colours, as far as they are text: what is bold, faint, underlined or coloured. Grounds are left out, for
// what stands on them could not be read here. Everything else that a terminal would do stays as it is, to be made visible.

export interface Run {
  start: number;
  end: number;
  /** Classes of its style. */
  style: string;
}

interface Styled {
  text: string;
  runs: Run[];
}

// eslint-disable-next-line no-control-regex -- an escape begins with one
const STYLE = /\u001b\[([0-9;:]*)m/g;
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const MARKS: Record<number, string> = { 1: 'bold', 2: 'faint', 3: 'italic', 4: 'underline', 9: 'strike' };
const ENDS: Record<number, string[]> = { 22: ['bold', 'faint'], 23: ['italic'], 24: ['underline'], 29: ['strike'] };
// Beyond this there are too many pieces to be worth their colours.
const MOST = 20_000;

export function hasStyles(output: string): boolean {
  return output.includes('\u001b[') && output.search(STYLE) >= 0;
}

/** The text without the signs of its styles, and where each style holds. */
export function styledOf(output: string): Styled {
  const runs: Run[] = [];
  const marks = new Set<string>();
  let colour = '';
  let text = '';
  let from = 0;
  const flush = (to: number) => {
    const piece = output.slice(from, to);
    const style = [colour, ...marks].filter(Boolean).join(' ');
    if (piece && style && runs.length < MOST) runs.push({ start: text.length, end: text.length + piece.length, style });
    text += piece;
  };
  for (const match of output.matchAll(STYLE)) {
    flush(match.index);
    from = match.index + match[0].length;
    colour = apply((match[1] ?? '').split(/[;:]/).map(Number), marks, colour);
  }
  flush(output.length);
  return { text, runs };
}

function apply(codes: number[], marks: Set<string>, before: string): string {
  let colour = before;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) {
      marks.clear();
      colour = '';
    } else if (MARKS[code]) marks.add(MARKS[code]);
    else if (ENDS[code]) for (const mark of ENDS[code]) marks.delete(mark);
    else if (code >= 30 && code <= 37) colour = COLOURS[code - 30] ?? '';
    else if (code >= 90 && code <= 97) colour = COLOURS[code - 90] ?? '';
    else if (code === 39) colour = '';
    else if (code === 38 || code === 48) {
      // A colour of a larger palette: the first of it are the eight that have names.
      const isPalette = codes[i + 1] === 5;
      const n = codes[i + 2] ?? 0;
      if (code === 38) colour = isPalette && n < 16 ? (COLOURS[n % 8] ?? '') : '';
      i += isPalette ? 2 : 4;
    }
  }
  return colour;
}

/** A stretch of the text in pieces of one style each. */
export function piecesOf(text: string, start: number, runs: Run[]): { text: string; style: string }[] {
  const end = start + text.length;
  const pieces: { text: string; style: string }[] = [];
  let at = start;
  for (const run of runs) {
    if (run.end <= at) continue;
    if (run.start >= end) break;
    const from = Math.max(run.start, at);
    if (from > at) pieces.push({ text: text.slice(at - start, from - start), style: '' });
    const to = Math.min(run.end, end);
    pieces.push({ text: text.slice(from - start, to - start), style: run.style });
    at = to;
  }
  if (at < end || pieces.length === 0) pieces.push({ text: text.slice(at - start), style: '' });
  return pieces;
}
