import { count, plural } from '../format';

export const damage = {
  torn: 'A write broke off here',
  corrupt: 'This line can’t be read',
  gap: 'Records are missing here',
  order: 'This record is out of order',
  /** Another agent’s files have other lines than the reading of them; before that is made there is no line. */
  where: (line: number | undefined, offset: number, foreign: boolean) =>
    line ? `line ${count(line)}, byte ${count(offset)}${foreign ? ' of the reading' : ''}` : '',
  /** As the program says it, which calls a record by its number a seq. */
  why: (reason: string) => reason.replace(/\bseq(s?) (?=\d)/g, 'record$1 '),
  /** What that means for what is there. */
  safe: {
    torn: 'The other lines are read as usual.',
    corrupt: 'The other lines are read as usual.',
    gap: 'What is there is read as usual.',
    order: 'It is used all the same.',
  },
  unshown: 'This record can’t be shown',
  unshownSafe: 'The rest of the conversation is shown as usual.',
  count: (n: number) => plural(n, 'damaged place', 'damaged places'),
  first: 'Go to the first',
} as const;
