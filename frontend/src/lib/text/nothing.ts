/** Where a search found nothing. */
export const nothing = {
  hints: {
    scanning: 'Not every session has been read yet: what is found later appears by itself.',
    skipped: 'Some sessions were not looked through, or not wholly: see below.',
    filters: 'Only what the filters let through was looked in: it may stand elsewhere.',
    filterAlone: 'No session is as the filter says.',
    filtersAlone: 'No session is as all of the filters say: each of them has to hold.',
    scopes: 'Only what is chosen above was looked in: it may stand elsewhere.',
    words: 'All words have to be in the same message. Try fewer of them, or a part of one.',
    expression: 'A regular expression has to match within one message. Try a part of it.',
    other: 'Check the spelling, or try a part of the word.',
    letters:
      'Upper and lower case are the same, other letters are not: e does not find é, ss not ß, i neither İ nor ı.',
  },
  ignoreCase: 'Ignore upper and lower case',
  plainText: 'Look for it as text',
  everywhere: 'Look in everything',
  withoutFilters: 'Look without filters',
  without: (filter: string) => `Look without ${filter}`,
  only: (word: string) => `Look for “${word}” alone`,
  examplesInstead: 'Show examples',
} as const;
