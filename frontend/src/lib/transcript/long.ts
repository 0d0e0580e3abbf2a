const LINES = 20;
const CHARS = 3000;
const PART = 50_000;

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

/** A text in parts that end with a line where they can, so that each can be laid out by itself. */
export function partsUpTo(text: string, limit: number): { text: string; start: number }[] {
  const end = Math.min(limit, text.length);
  const parts: { text: string; start: number }[] = [];
  let at = 0;
  while (at < end) {
    let stop = Math.min(at + PART, end);
    if (stop < end) {
      const line = text.lastIndexOf('\n', stop);
      stop = line > at ? line + 1 : safeEnd(text, stop);
    }
    parts.push({ text: text.slice(at, stop).replace(/\n$/, ''), start: at });
    at = stop;
  }
  return parts;
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
