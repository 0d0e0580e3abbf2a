import { count, plural } from '../format';

const conversations = (n: number) => plural(n, 'conversation', 'conversations');

export const forget = {
  title: (n: number) => (n === 1 ? 'Forget this conversation?' : `Forget ${conversations(n)}?`),
  lost: (n: number) =>
    n === 1
      ? 'Its files are gone. What was said in it is left in the index alone, and goes for good: it will be in no list, found by no search and counted nowhere.'
      : 'Their files are gone. What was said in them is left in the index alone, and goes for good: they will be in no list, found by no search and counted nowhere.',
  back: 'Should the files come back, they are read as any others.',
  more: (n: number) => `and ${count(n)} more`,
  act: 'Forget for good',
  acting: 'Forgetting…',
  cancel: 'Cancel',
  done: (n: number) => `${conversations(n)} ${n === 1 ? 'is' : 'are'} forgotten`,
  notDone: (n: number, why: string) => `${conversations(n)} could not be forgotten: ${why}`,
} as const;
