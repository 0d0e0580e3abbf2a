import { tokensOf } from './tokens';

// Longer ones would hold the window up, and nobody reads them through.
const LONGEST = 1_000_000;
// Each level is two blanks more on every line in it: a few thousand would be gigabytes.
const DEEPEST = 64;

/** A text that is JSON, set out to be read; null if it is none, is too deep for it, or stands as it would be set out. */
export function jsonOf(content: string): string | null {
  const start = content.trimStart()[0];
  if ((start !== '{' && start !== '[') || content.length > LONGEST) return null;
  try {
    JSON.parse(content);
  } catch {
    return null;
  }
  const pretty = setOut(content);
  return pretty === content.trim() ? null : pretty;
}

/** JSON set out to be read, or as it is where it is too long or too deep for that. */
export function laidOut(json: string): string {
  return json.length > LONGEST ? json : (setOut(json) ?? json);
}

/** Token by token: a value of JavaScript's has other numbers, each member once, and an order of its own. */
function setOut(json: string): string | null {
  let out = '';
  let depth = 0;
  let before = '';
  for (const token of tokensOf(json)) {
    const closes = token === '}' || token === ']';
    const opened = before === '{' || before === '[';
    if (closes) depth--;
    if (closes ? !opened : opened || before === ',') out += `\n${'  '.repeat(depth)}`;
    else if (before === ':') out += ' ';
    out += plain(token);
    if ((token === '{' || token === '[') && ++depth > DEEPEST) return null;
    before = token;
  }
  return out;
}

/** A string without what need not be escaped in it. */
function plain(token: string): string {
  return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
}

/** Whether a value, written as JSON, is what a text says, but for blanks and for what need not be escaped. */
export function isWritten(json: string, value: unknown): boolean {
  let written: string | undefined;
  try {
    written = JSON.stringify(value);
  } catch {
    return false;
  }
  if (written === json || json.length > LONGEST) return written === json;
  let at = 0;
  for (const token of tokensOf(json)) {
    const said = plain(token);
    if (!written.startsWith(said, at)) return false;
    at += said.length;
  }
  return at === written.length;
}
