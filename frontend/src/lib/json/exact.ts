import { isWritten } from './layout';
import { endOfToken, startOfToken } from './tokens';

// A value of JavaScript's is not all that its JSON said: 3.10 is 3.1 in it, of a long number the last digits are others,
// of two members of one name there is one. What a tool was called with must be shown as it was written, so the text of
// such arguments is kept beside their value.

const texts = new WeakMap<object, string>();

/** The JSON that a value was read from, where that says more than the value does. */
export function exactOf(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? texts.get(value) : undefined;
}

export function withText<T extends object>(value: T, json: string): T {
  if (!isWritten(json, value)) texts.set(value, json);
  return value;
}

interface Open {
  value: unknown;
  start: number;
  /** The member at hand; that of a list is a number. */
  key: string | number;
}

/** What `JSON.parse` gives, with the text kept of every list and object in it that is named `arguments`. */
export function parseExactly(json: string): unknown {
  const root: unknown = JSON.parse(json);
  if (!json.includes('"arguments"')) return root;
  const open: Open[] = [];
  let isKey = false;
  for (let at = startOfToken(json, 0); at < json.length;) {
    const end = endOfToken(json, at);
    const sign = json[at];
    const top = open.at(-1);
    if (sign === '{' || sign === '[') {
      open.push({ value: top ? memberOf(top) : root, start: at, key: sign === '[' ? 0 : '' });
      isKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      open.pop();
      if (open.at(-1)?.key === 'arguments' && typeof top?.value === 'object' && top.value !== null)
        withText(top.value, json.slice(top.start, end));
      isKey = false;
    } else if (sign === ',') {
      if (typeof top?.key === 'number') top.key++;
      else isKey = true;
    } else if (isKey && top) {
      top.key = nameIn(json.slice(at, end));
      isKey = false;
    }
    at = startOfToken(json, end);
  }
  return root;
}

// Where a name stands twice, the value is that of the last: in it the members of the first may not be there.
function memberOf({ value, key }: Open): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string | number, unknown>)[key];
}

function nameIn(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
}

/** The members of an object as they are written, in their order, however often a name stands there. */
export function* membersOf(json: string): Generator<{ name: string; value: string }> {
  let depth = 0;
  let name: string | null = null;
  let start = -1;
  for (let at = startOfToken(json, 0); at < json.length;) {
    const end = endOfToken(json, at);
    const sign = json[at] ?? '';
    if (depth === 1 && (sign === ',' || sign === '}')) {
      if (name !== null) yield { name, value: json.slice(start, at).trimEnd() };
      name = null;
    } else if (depth === 1 && name === null) {
      name = nameIn(json.slice(at, end));
      start = startOfToken(json, startOfToken(json, end) + 1);
    }
    if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    at = startOfToken(json, end);
  }
}
