import { plural } from '../format';

/** What is said of it elsewhere than on its page. */
export const retention = {
  keepACopyAgain: 'Keep a copy again',
  kept: (n: number) => `${plural(n, 'conversation is', 'conversations are')} kept`,
  notKept: (n: number, why: string) => `${plural(n, 'conversation', 'conversations')} could not be kept: ${why}`,
  dropped: (n: number) => `${plural(n, 'copy is', 'copies are')} removed`,
  cleaned: (n: number) => `${plural(n, 'conversation is', 'conversations are')} in the trash`,
  notCleaned: (n: number, why: string) => `${plural(n, 'conversation', 'conversations')} could not be moved: ${why}`,
  note: (n: number) => `${plural(n, 'conversation', 'conversations')} will be deleted within a week`,
  noteAct: 'Keep…',
  noteHide: 'Not now',
};
