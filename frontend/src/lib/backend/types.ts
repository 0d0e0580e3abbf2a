// The wire types of docs/http.md. What is not known is null; arrays are never null.

export interface Session {
  id: string;
  name: string | null;
  /** This, what it took, for how long and `path` are told where it is asked for by itself, and not in lists. */
  createdAt?: string;
  lastMessageAt: string;
  model: string;
  messageCount: number | null;
  compactions: number | null;
  source: string;
  cronJobId?: string;
  cwd: string | null;
  key: string | null;
  agent?: string | null;
  createdBy?: string | null;
  parentSessionId?: string;
  forkedAtSeq?: number;
  archivedAt: string | null;
  firstMessage: string | null;
  /** What tools did to files. */
  summary?: { additions: number; deletions: number; files: number } | null;
  /** What all of its requests used. */
  metrics?: Metrics | null;
  /** For how long somebody was at it. */
  activeSeconds?: number | null;
  /** It belongs to another agent: it can be read, and not changed. */
  foreign: boolean;
  /** The session it came from, and how. */
  parent?: string | null;
  relation?: 'fork' | 'subagent' | 'continuation' | null;
  /** How many sub-agents it has started; lists leave them out. */
  children?: number;
  /** When a copy of another agent's session was kept, and whether that is all there is. */
  keptAt?: string | null;
  fromCopy?: boolean;
  /** The session that a copy is an earlier state of, with what that one lacks by now. */
  earlierOf?: string;
  /** Why it can't be read. */
  problem?: string | null;
  /** What it was read from is not there any more. */
  gone?: boolean;
  path?: string;
}

/** A sub-agent's session, and the tool call that started it, where that is known. */
export interface Child extends Session {
  call: { seq: number; id: string } | null;
}

/** What a session took: null where no answer told. */
export type TokenKind = 'input' | 'output' | 'cacheRead' | 'cacheWrite';

export interface Metrics {
  input: number | null;
  output: number | null;
  cacheRead: number | null;
  cacheWrite: number | null;
  total: number | null;
  contextTokens: number | null;
  cost: number | null;
  /** Answers that don't report what they took. */
  untold?: number;
  /** Of each kind of tokens, answers that report others and not it. */
  untoldKinds?: Partial<Record<TokenKind, number>>;
  compactions: number;
  turns: number;
}

export type View = 'all' | 'model';

/** How a line of the log stands to what the model sees now, or saw at a moment. */
export type State =
  | 'kept'
  | 'fresh'
  | 'pruned'
  | 'superseded'
  | 'dropped'
  | 'offPath'
  | 'inForce'
  | 'folded'
  | 'reverted'
  | 'meta'
  | 'newer'
  /** Not there yet at the moment that is looked at. */
  | 'later';

/** A line of the log as JSON. Nothing in it is trusted: `lib/transcript/record.ts` reads it. */
export type RawRecord = Record<string, unknown>;

export interface Entry {
  index: number;
  line: number;
  offset: number;
  bytes: number;
  state: State;
  reason: string;
}

export interface Damage {
  index: number;
  offset: number;
  /** Left out where it is not known. */
  line?: number;
  kind: 'torn' | 'corrupt' | 'gap' | 'order';
  reason: string;
}

/** A record from which on the conversation goes on from another place, the line at `from`; see docs/http.md. */
export interface Branch {
  index: number;
  from: number;
  messages: number;
  left: number;
}

/** What is asked of a log, in positions of a view; its states as of a record, or, with 0, of now. */
export interface PageRange {
  index: number;
  limit: number;
  view: View;
  asOf?: number;
}

export interface Page {
  sessionId: string;
  first: number;
  count: number;
  total: number;
  next: number | null;
  records: RawRecord[];
  entries: Entry[];
  damage: Damage[];
  truncated: boolean;
}

/** How much of a session has been read, of how much there is, in bytes; `problem` says why no more of it can be. */
export interface Part {
  bytesRead: number;
  bytesTotal: number;
  problem: Problem | null;
}

/** The end of a transcript, as it can be told at once: of all of it, or of an excerpt, whose positions count within that. */
export interface Opening extends Page {
  excerpt: Part | null;
}

export interface CompactionInfo {
  seq: number;
  index: number;
  timestamp: string;
  firstKeptSeq: number;
  tokensBefore: number | null;
  tokensAfter: number | null;
  model: string | null;
  trigger: string | null;
  edited: boolean;
  /** How many it took out of the context; null where that is not told. */
  messages: number | null;
  readFiles: number;
  modifiedFiles: number;
  state: 'inForce' | 'folded' | 'reverted' | 'offPath';
  /** The revert that took it back, if that can be taken back in turn. */
  revertedBy: number | null;
}

export interface Outline {
  sessionId: string;
  total: number;
  modelTotal: number;
  bytes: number;
  messages: number;
  records: number;
  newer: number;
  compactions: CompactionInfo[];
  branches: Branch[];
  damage: Damage[];
  /** Where these three lists go on. */
  next?: number | null;
}

export interface FindOptions {
  query: string;
  /** The line to look from. */
  from: number;
  /** How many lines at most. */
  limit: number;
  matchCase: boolean;
  /** It is a regular expression. */
  regex: boolean;
}

/** Texts in which an expression is looked for. */
export interface MatchOptions {
  expression: string;
  matchCase: boolean;
  texts: readonly string[];
}

/** Lines that contain what is looked for, and where to look on: null at the end of the log. */
export interface Finds {
  query: string;
  matches: { index: number; seq: number; count: number; excerpt: { before: string; match: string; after: string } }[];
  next: number | null;
  total: number;
}

export interface Prompt {
  index: number;
  seq: number;
  timestamp: string | null;
  bytes: number;
  /** Its first line; empty where it has no text, or is too long to be read for it. */
  text: string;
}

/** Where among the prompts of a session to begin: at the n-th, at a line, or in front of one. */
export type PromptRange = { limit: number } & ({ first: number } | { from: number } | { before: number });

export interface Prompts {
  sessionId: string;
  first: number;
  total: number;
  prompts: Prompt[];
}

export interface Context {
  sessionId: string;
  at: number | null;
  tokens: {
    estimate: number;
    calibrated: number;
    reported: number | null;
    window: number;
    reserve: number;
    clamped: boolean;
    /** Nobody knows the window. */
    windowAssumed?: boolean;
  };
  parts: { injected: number; summary: number; kept: number; fresh: number };
  model: string | null;
  compactionSeq: number | null;
  repairs: { seq: number; reason: string }[];
}

/** The size of the context as of a record. */
export interface SizePoint {
  index: number;
  seq: number;
  tokens: number;
}

/** How large the context was over a session, oldest first; `complete` is false where time ran out. */
export interface Sizes {
  sessionId: string;
  window: number;
  complete: boolean;
  points: SizePoint[];
  compactions: { index: number; seq: number; before: number | null; after: number | null }[];
}

export interface Config {
  theme: 'system' | 'light' | 'dark';
  model: string;
  baseUrl: string;
  /** Whether the desktop is to say what happens while the window is not in front. */
  notifications: boolean;
  /** Where the settings are. */
  path: string;
  problems: string[];
  home: string;
  /** The program may not write to its home: everything can be read, nothing changed. */
  readOnly: boolean;
  version: string;
}

export interface News {
  sessionId: string | null;
  n: number;
  kind: string;
  /** Of news of the desk: which piece, and who laid it there. */
  piece?: { key: string; by: string };
  /** Of news of a reading: how far it is. */
  part?: Pick<Part, 'bytesRead' | 'bytesTotal'>;
}

/** What is made of one thing that the files of another agent may hold. */
interface Capability {
  what: string;
  how: 'shown' | 'inferred' | 'missing';
  note?: string;
}

/** Another agent whose sessions can be read. */
export interface Agent {
  name: string;
  roots: string[];
  count: number;
  problem: string | null;
  capabilities: Capability[];
}

export interface Problem {
  code: string;
  message: string;
  hint: string;
}
