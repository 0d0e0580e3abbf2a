// JSON as text. By hand: a pattern that takes a string of megabytes whole runs out of stack.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SIGNS = new Set(['{', '}', '[', ']', ',', ':'].map((sign) => sign.charCodeAt(0)));
const isBlank = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** Where the next token begins, from a place on. */
export function startOfToken(json: string, at: number): number {
  while (isBlank(json.charCodeAt(at))) at++;
  return at;
}

/** Where the token ends that begins at a place: a sign, a string, a number or a word. */
export function endOfToken(json: string, at: number): number {
  const code = json.charCodeAt(at);
  if (code === QUOTE) return endOfString(json, at);
  if (SIGNS.has(code)) return at + 1;
  for (let end = at + 1; end < json.length; end++) {
    const next = json.charCodeAt(end);
    if (next === QUOTE || SIGNS.has(next) || isBlank(next)) return end;
  }
  return json.length;
}

function endOfString(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return json.length;
}

export function* tokensOf(json: string): Generator<string> {
  for (let at = startOfToken(json, 0); at < json.length;) {
    const end = endOfToken(json, at);
    yield json.slice(at, end);
    at = startOfToken(json, end);
  }
}
