import { count, plural } from '../format';

export const gone = {
  notInCopy: (seq: number) => `Only search has record ${seq}: this copy is older`,
  title: 'The files of this conversation are gone',
  why: (agent: string) =>
    `They are not where ${agent || 'its agent'} kept them any more; Palimpsest deletes nothing of other agents. It can’t be opened without them. What was read of it before is still in the index, and can be looked through here.`,
  hidden: 'The files of this conversation can’t be reached',
  whyHidden:
    'It can’t be told whether they are still there, and without them the conversation can’t be opened. What was read of it before is still in the index, and can be looked through here.',
  agent: 'Agent',
  last: 'Last message',
  folder: 'Folder',
  messages: 'It had',
  was: 'It was at',
  counted: (messages: number, compactions: number) =>
    [
      plural(messages, 'message', 'messages'),
      ...(compactions > 0 ? [plural(compactions, 'compaction', 'compactions')] : []),
    ].join(', '),
  keepOthers: 'Keep others before they go…',
  home: 'Start screen',
  remains: 'What is left of it',
  look: 'Look for what was said in it',
  found: (n: number) => `Found in ${plural(n, 'place', 'places')}`,
  asked: (n: number) => `How ${plural(n, 'message', 'messages')} of yours began`,
  more: (n: number) => `${count(n)} more; look for a word of them`,
  notYet: 'The index has not been read yet; what is left of it appears here by itself.',
  failed: 'The index could not be asked',
} as const;
