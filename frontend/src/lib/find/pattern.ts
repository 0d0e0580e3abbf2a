/** The text that is looked for, as it is, wherever it stands; null if there is none. */
export function patternOf(query: string, matchCase: boolean): RegExp | null {
  if (query === '') return null;
  const literal = query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(literal, matchCase ? 'gu' : 'giu');
}

export function holds(pattern: RegExp | null, text: string): boolean {
  return firstIn(pattern, text) >= 0;
}

/** Where it stands first; -1 if nowhere. */
export function firstIn(pattern: RegExp | null, text: string): number {
  return pattern ? text.search(pattern) : -1;
}

/** Whether any text in a record holds it, however deep. */
export function holdsAnywhere(pattern: RegExp | null, value: unknown): boolean {
  if (typeof value === 'string') return holds(pattern, value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((part) => holdsAnywhere(pattern, part));
}
