import type { Home } from './home';

/** What is looked at of a record. */
export interface Recorded {
  recordType: string;
  role?: string;
  stopReason?: string;
  content?: { type: string; text?: string }[];
}

/** The records of a log. */
export function records(home: Home, id: string): Recorded[] {
  const lines = home.log(id).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Recorded);
}

/** The first text of a message. */
export const textOf = (record: Recorded | undefined) => record?.content?.find(({ type }) => type === 'text')?.text;
