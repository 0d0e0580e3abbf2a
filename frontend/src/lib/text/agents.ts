import { known } from '../known';

export const agents = {
  title: 'Other agents',
  about:
    'Conversations that other agents left on this machine are read where they are, and never changed. Archived ones and those of sub-agents count, too.',
  none: 'This program was opened without other agents.',
  caption: 'What is read of each agent',
  what: 'What',
  /** A thing that is read, for people where its word is one of programmers. */
  named: (what: string) =>
    known({ cwd: 'folder', parent: 'parent session', injected: 'context it adds' }, what) ?? what,
  hows: { shown: 'Shown', inferred: 'Worked out', missing: 'Not in its files' },
  count: (n: number) => (n === 1 ? '1 conversation' : `${n.toLocaleString('en')} conversations`),
  cell: (what: string, how: string) => `${what}: ${how}`,
  places: 'Looked for in',
  notes: (agent: string) => `What is read of ${agent}`,
};
