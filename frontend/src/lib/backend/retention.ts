import type { Session } from './types';

/** What other agents will delete of their sessions, and when. */
export interface Retention {
  agents: AgentRetention[];
  /** Those that go, the soonest first, or as many of them as were asked for. */
  sessions: Going[];
  /** How many go, and how many of them have no copy of what they are now. */
  total: number;
  open: number;
}

/** How many are to be told, and whether only those that have no copy of what they are now. */
export interface RetentionAsked {
  limit: number;
  open: boolean;
}

/** The rule of one agent. */
interface AgentRetention {
  agent: string;
  /** Null: it deletes nothing. */
  days: number | null;
  /** How many stay of those of one folder, with that which is begun when the agent runs. */
  most?: number;
  from: 'default' | 'settings' | 'off';
  file: string | null;
  /** How many of its sessions there are here, copies included. */
  sessions: number;
  /** How many go within a week and have no copy of what they are now. */
  going: number;
  kept: number;
}

/** A session that its agent will delete. */
export interface Going {
  id: string;
  agent: string;
  title: string | null;
  firstMessage: string | null;
  cwd: string | null;
  lastMessageAt: string;
  goesAt: string;
  bytes: number | null;
  kept: string | null;
  /** It went on since it was kept. */
  stale: boolean;
  /** Why it can't be read. */
  problem?: string | null;
}

/** What became of a session that was to be kept. */
export interface Kept {
  id: string;
  keptAt: string | null;
  bytes: number;
  problem: { message: string; hint: string } | null;
}

/** What became of a session that was to be forgotten. */
export interface Forgotten {
  id: string;
  problem: { message: string; hint: string } | null;
}

/** A copy that there is. */
export interface KeptCopy {
  id: string;
  title: string | null;
  /** What was said first, where there is no title. */
  firstMessage?: string | null;
  keptAt: string;
  bytes: number;
  /** The session's own files still are. */
  there: boolean;
  /** The session that this is an earlier state of: it has what that one lacks by now. */
  earlierOf?: string | null;
}

/** A rule for old sessions of ours. */
export interface CleanupRule {
  olderThanDays: number;
  keepNamed: boolean;
  maxMessages: number | null;
  /** None but these, which were shown before. */
  only?: string[];
  dryRun: boolean;
  /** What is told of begins with the session of this number, from 0. */
  from?: number;
}

/** What goes, or went, to the trash. */
export interface Cleaned {
  /** The first of them. */
  sessions: Session[];
  /** Those and what follows them, as many as an answer has room for, and where to go on. */
  ids: string[];
  next: number | null;
  /** Of all of them, here and below. */
  count: number;
  bytes: number;
  failed: Stayed[];
  failedCount: number;
}

/** What came back from the trash; of those that did not the first, and how many they are. */
export interface RestoredMany {
  ids: string[];
  failed: Stayed[];
  failedCount: number;
}

/** A session that could not be moved, and why. */
interface Stayed {
  id: string;
  problem: { message: string; hint: string };
}
