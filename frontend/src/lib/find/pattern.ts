/** The text that is looked for, as it is, wherever it stands; null if there is none. */
export function patternOf(query: string, matchCase: boolean): RegExp | null {
  if (query === '') return null;
  const literal = query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(literal, matchCase ? 'gu' : 'giu');
}

export function holds(pattern: RegExp | null, text: string): boolean {
  if (!pattern) return false;
  pattern.lastIndex = 0;
  return pattern.test(text);
}

/** Where it stands first; -1 if nowhere. */
export function firstIn(pattern: RegExp | null, text: string): number {
  if (!pattern) return -1;
  pattern.lastIndex = 0;
  return pattern.exec(text)?.index ?? -1;
}

/** Whether any text in a record holds it, however deep. */
export function holdsAnywhere(pattern: RegExp | null, value: unknown): boolean {
  if (typeof value === 'string') return holds(pattern, value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => holdsAnywhere(pattern, part));
}
