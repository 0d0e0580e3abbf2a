const LINES = 20;
const CHARS = 3000;
const PART = 50_000;
const PART_LINES = 500;
// About as many stand in a line of the page.
const LINE = 110;

/** The beginning of a text; all of it if little more is left. */
export function clamp(text: string): string {
  if (text.length <= CHARS * 1.2 && text.split('\n', LINES * 1.4).length < LINES * 1.4) return text;
  let end = 0;
  for (let line = 0; line < LINES; line++) {
    const next = text.indexOf('\n', end);
    if (next < 0) {
      end = text.length;
      break;
    }
    end = next + 1;
  }
  return text.slice(0, safeEnd(text, Math.min(end, CHARS))).replace(/\n$/, '');
}

/** The end of a text, where it says what went wrong; all of it if little more is before. */
export function clampEnd(text: string): string {
  if (clamp(text).length === text.length) return text;
  const lines = text.slice(-CHARS).trimEnd().split('\n').slice(-LINES);
  const tail = lines.join('\n');
  return /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail;
}

/** The beginning of a long message; all of it if little more is left. */
export function clampProse(text: string, lines: number): string {
  const chars = lines * 80;
  if (text.length <= chars * 1.5 && text.split('\n', lines * 1.5).length < lines * 1.5) return text;
  const end = text.split('\n', lines).join('\n').length;
  return text.slice(0, safeEnd(text, Math.min(end, chars))).trimEnd();
}

/** A piece of a text that is laid out by itself, once it comes near the view. */
export interface Part {
  text: string;
  start: number;
  /** About how many lines it takes in the page: until it is laid out, there is room for so many. */
  lines: number;
}

export function partOf(text: string, start: number): Part {
  return { text, start, lines: Math.max(lineCount(text), Math.ceil(text.length / LINE)) };
}

/** A text in parts that end with a line where they can. */
export function partsUpTo(text: string, limit: number): Part[] {
  const end = Math.min(limit, text.length);
  const parts: Part[] = [];
  for (let at = 0; at < end;) {
    const stop = endOfPart(text, at, end);
    parts.push(partOf(text.slice(at, stop).replace(/\n$/, ''), at));
    at = stop;
  }
  return parts;
}

/** However long its lines are or how many: neither may take long to be laid out. */
function endOfPart(text: string, start: number, end: number): number {
  const most = text.slice(start, Math.min(start + PART, end));
  let line = 0;
  for (let n = 0; n < PART_LINES; n++) {
    const next = most.indexOf('\n', line) + 1;
    if (next === 0 && start + most.length === end) return end;
    if (next === 0) break;
    line = next;
  }
  return start + (line || safeEnd(most, most.length));
}

/** How many lines a text has; one that ends with a line break has no further one. */
export function lineCount(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** How many bytes it is as a file. */
export function byteLength(text: string): number {
  return new Blob([text]).size;
}

/** Not between the two halves of a character. */
function safeEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
