import { count, plural } from '../format';

const messages = (n: number) => plural(n, 'message', 'messages');

export const find = {
  title: 'Find in conversation',
  open: 'Find in this conversation',
  looking: (share: number, found: number) =>
    `looking… ${Math.floor(share * 100)} %${found > 0 ? ` · ${messages(found)}` : ''}`,
  none: 'not found',
  count: (at: number | null, all: number) => (at === null ? messages(all) : `${count(at)} of ${messages(all)}`),
  here: (at: number, all: number) => `${count(at)}/${count(all)} here`,
  unmarked: 'It can’t be marked here: what is shown is not as it is written, or too long.',
  tooLong: (most: number) => `What is looked for may be at most ${count(most)} bytes long.`,
  matchCase: 'Mind upper and lower case',
  previous: 'Previous (Shift Enter)',
  next: 'Next (Enter)',
  close: 'Close (Esc)',
} as const;
