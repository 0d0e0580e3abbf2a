import { plural } from '../format';

export const palette = {
  title: 'Find a session or command',
  placeholder: 'Sessions and commands',
  results: 'Sessions and commands',
  commands: 'Commands',
  sessions: 'Sessions',
  recent: 'Recent sessions',
  none: 'Nothing matches',
  found: (n: number) => plural(n, 'result', 'results'),
  goTo: 'Go to record',
  goToField: 'Number of the record',
  goToHint: (last: number) => `1 to ${last}`,
  go: 'Go',
} as const;
