import { plural } from '../format';

export const undo = {
  menu: 'Undo files since here…',
  title: 'Undo files',
  since: (seq: number) =>
    `What tools changed in files ${seq > 0 ? `since message ${seq} ` : ''}is taken back: each file that still is as they left it.`,
  that: (seq: number) => `The undo of message ${seq} is taken back: each file that still is as it left it.`,
  failed: 'The files could not be looked at',
  nothing: 'There is nothing to take back',
  commands: (n: number) =>
    `${plural(n, 'command was', 'commands were')} run by a shell since then. What ${n === 1 ? 'it' : 'they'} changed is not taken back.`,
  blocked: (why: string) => `Stays as it is: ${why}`,
  none: 'None of these files can be taken back.',
  some: (n: number, all: number) => `${n} of ${plural(all, 'file', 'files')} can be taken back.`,
  more: (n: number) => plural(n, 'more file', 'more files'),
  afterTurn: 'Files can be taken back when the turn has ended.',
  act: 'Undo files',
  acting: 'Undoing…',
  cancel: 'Cancel',
  done: (n: number) => `${plural(n, 'file is', 'files are')} as before`,
  again: (n: number) => `${plural(n, 'file is', 'files are')} as the tools left them`,
  event: (n: number) => `Took back changes in ${plural(n, 'file', 'files')}`,
  eventFailed: (n: number) => `${plural(n, 'file', 'files')} of these could not be taken back`,
  eventUndo: 'Undo this…',
} as const;
