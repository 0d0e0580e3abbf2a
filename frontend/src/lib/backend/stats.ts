// The wire types of statistics and the ledger, as docs/http.md has them. What is not known is null, never 0.

import type { TokenKind } from './types';

export interface Total {
  sessions: number;
  messages: number;
  prompts: number;
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  cost: number | null;
  compactions: number;
  lacks: Lacks;
}

/** How many sessions don't tell what they used, how many not what all of it cost, and how many not all of a kind of tokens. */
interface Lacks {
  usage: number;
  cost: number;
  kinds?: Partial<Record<TokenKind, number>>;
}

/** Of how many sessions something is told. */
export interface Coverage {
  sessions: number;
  indexed: number;
}

export interface StatisticsFilter {
  agent: string;
  project: string;
  from: string;
  to: string;
}

/** What the course of things is told by. */
export type Over = 'agent' | 'project' | 'model' | 'tool';

/** How things went over time. */
export interface Course {
  by: Over;
  span: 'day' | 'week' | 'month' | 'year';
  from: string;
  to: string;
  all: Stretch[];
  /** Without a name: all that are not told apart. */
  series: { name: string | null; stretches: Stretch[] }[];
  /** What is not in it, of a few sessions of long ago or of a time to come; the first and the last day of all. */
  outside?: { sessions: number; first: string; last: string } | null;
}

/** A stretch of time, by its first day. A session counts once in it. */
export interface Stretch extends Total {
  start: string;
  calls: number;
}

/** What a course is told by, the day it ends with where nothing else is asked for, and how many projects are told by themselves. */
export interface CourseAsked {
  over: Over;
  today: string;
  projects: number;
}

export interface Statistics {
  from: string | null;
  to: string | null;
  totals: Total;
  /** With a course those of its last year. */
  days: (Total & { day: string })[];
  agents: (Total & { agent: string })[];
  projects: (Total & { project: string })[];
  models: (Total & { model: string })[];
  tools: { tool: string; calls: number; errors: number }[];
  unknown: Lacks;
  /** Sessions that only repeat what others hold, and count there. */
  copies: number;
  coverage: Coverage;
  course?: Course;
  /** All projects that are not told by themselves. */
  otherProjects?: Total & { count: number };
}

export interface LedgerFilter {
  agent: string;
  project: string;
  model: string;
  trigger: string;
  /** Sessions that were compacted at least so often. */
  min: number;
}

export interface LedgerEntry {
  id: string;
  agent: string;
  title: string | null;
  cwd: string | null;
  seq: number;
  index: number;
  time: string | null;
  trigger: string;
  model: string | null;
  tokensBefore: number | null;
  tokensAfter: number | null;
  messages: number | null;
  state: 'inForce' | 'folded' | 'reverted' | 'offPath';
  ofSession: number;
  inSession: number;
  /** Another session has it, too, and counts it. */
  copied: boolean;
}

export interface Ledger {
  entries: LedgerEntry[];
  total: number;
  /** How many of all are copies. */
  copied: number;
  cursor: string | null;
  coverage: Coverage;
}
