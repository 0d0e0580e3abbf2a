import type { Session } from './types';

// What a row of a list leaves out is as in most of them.
const USUAL = {
  name: null,
  model: '',
  messageCount: null,
  compactions: null,
  source: 'interactive',
  cwd: null,
  key: null,
  agent: null,
  createdBy: null,
  archivedAt: null,
  firstMessage: null,
  foreign: false,
  parent: null,
  relation: null,
  children: 0,
  keptAt: null,
  fromCopy: false,
  problem: null,
  gone: false,
} satisfies Partial<Session>;

/** A session of which a list tells what a row shows, without what only one that is open tells: when it was made, what it took, where it is. */
export const sessionOfRow = (row: unknown): Session => ({
  ...USUAL,
  ...(row as Pick<Session, 'id' | 'lastMessageAt'>),
});

/** What is told of a session that is asked for by itself, and of no row. */
type Detail = 'createdAt' | 'forkedAtSeq' | 'metrics' | 'activeSeconds' | 'path';

/** Whether all is known of a session that there is. */
export const isWhole = ({ path }: Session): boolean => path !== undefined;

/** A row with what was known before of the same session. */
export function withDetails(row: Session, before: Session): Session {
  if (isWhole(row) || !isWhole(before)) return row;
  const { createdAt, forkedAtSeq, metrics, activeSeconds, path }: Pick<Session, Detail> = before;
  return Object.assign(
    { createdAt, metrics, activeSeconds, path },
    forkedAtSeq === undefined ? {} : { forkedAtSeq },
    row,
  );
}

/** A session that was asked for by itself, which nobody counts for that, with how much was in it when its row was told: that stays until it is told anew. */
export function withCounts(session: Session, before: Session): Session {
  if (session.messageCount !== null || session.compactions !== null) return session;
  return { ...session, messageCount: before.messageCount, compactions: before.compactions };
}
