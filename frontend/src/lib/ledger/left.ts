import type { LedgerEntry } from '../backend';

/** A row that was left for what it leads to, and how far below the top of the rows it stood: noted with the address. */
export interface Left {
  row: string;
  below: number;
}

/** What a row is known by. */
export const rowKey = ({ id, index }: LedgerEntry): string => `${id}/${index}`;

/** The row that is noted with an address, if one is: others note there, too. */
export function leftOf(noted: unknown): Left | null {
  const { row, below } = (noted ?? {}) as Partial<Left>;
  return typeof row === 'string' && typeof below === 'number' ? { row, below } : null;
}
