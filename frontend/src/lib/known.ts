/** What a table says about a word from outside: only its own words count, not those that every object inherits. */
export function known<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
