import { count, plural } from '../format';

export const damage = {
  torn: 'A write broke off here',
  corrupt: 'This line cannot be read',
  gap: 'Numbers are missing before this record',
  order: 'The number of this record is out of order',
  where: (line: number, offset: number) => `line ${count(line)}, byte ${count(offset)}`,
  nothingElse: 'The other lines are read as usual.',
  used: 'the record is used all the same',
  unshown: 'This record could not be shown',
  count: (n: number) => plural(n, 'damaged place', 'damaged places'),
  first: 'Go to the first',
} as const;
