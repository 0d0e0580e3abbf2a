/** What can be written at the caret, and where it goes. */
export interface Hint {
  /** What stands on it. */
  label: string;
  /** The text and the caret once it is taken. */
  text: string;
  caret: number;
}

/** What the values of filters can be, as far as they are known here. */
interface Values {
  agents: readonly string[];
  projects: readonly string[];
  models: readonly string[];
}

const FILTERS = [
  ...['agent', 'project', 'in', 'is', 'after', 'before', 'on', 'tool', 'scope', 'model', 'compactions', 'name', 'id'],
] as const;

const WORDS: Record<string, readonly string[]> = {
  in: ['context', 'summary', 'dropped'],
  is: ['compacted', 'archived', 'gone', 'foreign', 'damaged', 'imported'],
  scope: ['user', 'assistant', 'thinking', 'call', 'output', 'summary', 'name', 'injected'],
  after: ['today', 'yesterday', '7d', '4w'],
  before: ['today', '7d', '4w', '12w'],
  on: ['today', 'yesterday'],
  tool: ['bash', 'read', 'edit', 'write', 'grep'],
  compactions: ['>=1', '>=2', '>=5'],
};

// Of which the value may be several, with commas between them.
const SEVERAL = ['agent', 'project', 'in', 'is', 'tool', 'scope', 'model'];

const MOST = 12;
// Written with quotes, or else the value would end at the blank.
const SPACE = /\s/;

/** What could be meant at the caret: names of filters, values of the one that stands there; all names where that is whole, or none is. */
export function hintsAt(text: string, caret: number, values: Values): Hint[] {
  const before = text.slice(0, caret);
  const [word = ''] = /\S*$/.exec(before) ?? [];
  const sign = word.startsWith('-') ? '-' : '';
  const typed = word.slice(sign.length).toLowerCase();
  const start = caret - word.length;
  const rest = text.slice(caret).replace(/^\S*/, '');
  const put = (label: string, written: string, closed: boolean): Hint => {
    const end = closed && rest === '' ? ' ' : '';
    return {
      label,
      text: `${text.slice(0, start)}${sign}${written}${end}${rest}`,
      caret: start + sign.length + written.length + end.length,
    };
  };
  const colon = typed.indexOf(':');
  const name = colon < 0 ? '' : typed.slice(0, colon);
  if (FILTERS.some((one) => one === name)) {
    const quoted = typed[colon + 1] === '"';
    const value = typed.slice(colon + 1 + Number(quoted));
    // Within quotes what stands before the comma would have to be taken with them.
    const comma = SEVERAL.includes(name) && !quoted ? value.lastIndexOf(',') + 1 : 0;
    const others = word.slice(sign.length + colon + 1).slice(0, comma);
    const last = value.slice(comma);
    const there = value.split(',');
    const all = known(name, values).filter(
      (one) => one.toLowerCase().includes(last) && !there.includes(one.toLowerCase()) && !(comma && SPACE.test(one)),
    );
    if (all.length > 0)
      return all.slice(0, MOST).map((one) => put(one, `${name}:${others}${SPACE.test(one) ? `"${one}"` : one}`, true));
    // A value is still to be written, or its other quote.
    return value === '' || value.endsWith(',') || (quoted && !value.endsWith('"')) ? [] : behind(text);
  }
  const names = FILTERS.filter((one) => one.startsWith(typed));
  return names.length > 0 ? names.map((one) => put(`${one}:`, `${one}:`, false)) : behind(text);
}

/** Every name, behind what stands there. */
function behind(text: string): Hint[] {
  const at = `${text.trimEnd()} `;
  return FILTERS.map((one) => ({ label: `${one}:`, text: `${at}${one}:`, caret: at.length + one.length + 1 }));
}

// What times and numbers look like once they are written.
const WHOLE = /^(?:\d{4}(?:-\d\d){0,2}|\d+[dw])$/;
const BOUND = /^[<>=]*\d+$/;

/** Whether somebody is in the middle of writing a filter: what it says so far means something else. */
export function isUnfinished(text: string): boolean {
  const [, name = '', value = ''] = /(?:^|\s)-?([a-z]+):([^\s:]*)$/.exec(text) ?? [];
  if (!FILTERS.some((one) => one === name)) return false;
  if (value === '' || (SEVERAL.includes(name) && value.endsWith(','))) return true;
  const [last = ''] = value.split(',').slice(-1);
  return (
    name !== 'tool' &&
    name in WORDS &&
    !WORDS[name]?.includes(last) &&
    !(name === 'compactions' ? BOUND : WHOLE).test(value)
  );
}

function known(name: string, { agents, projects, models }: Values): readonly string[] {
  const here: Record<string, readonly string[]> = { agent: agents, project: projects, model: models };
  return here[name] ?? WORDS[name] ?? [];
}
