export const banner = {
  offline: 'Palimpsest does not answer.',
  offlineHint: 'What is shown may be out of date. It is asked again by itself; nothing that was saved is lost.',
  now: 'Try now',
  readOnly: 'Nothing can be changed here.',
  readOnlyHint: (home: string) => `${home} can’t be written to. Reading, searching and copying work.`,
} as const;
