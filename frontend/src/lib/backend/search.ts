// The wire types of searches, as in docs/http.md.

export const SCOPES = ['user', 'assistant', 'thinking', 'call', 'output', 'summary', 'name', 'injected'] as const;
/** What kind of text something was found in. */
export type SearchScope = (typeof SCOPES)[number];

/** How a search is asked for. */
export interface SearchOptions {
  text: string;
  scopes: readonly SearchScope[];
  matchCase: boolean;
  regex: boolean;
  /** Where an earlier answer ended; null for the start. */
  cursor?: string | null;
  /** Goes on for the counts of everything. */
  count?: boolean;
}

export interface SearchQuery {
  text: string;
  terms: { text: string; not: boolean; regex: boolean }[];
  filters: { name: string; value: string; not: boolean }[];
  /** What was not understood, in words. */
  problems: string[];
}

/** A place in a session; `seq` and `index` are null for its name. */
export interface SearchPlace {
  seq: number | null;
  index: number | null;
  scope: SearchScope;
  time: string | null;
  /** Whether the model still sees it; null where that is not known. */
  state: 'context' | 'summary' | 'dropped' | null;
  excerpt: { before: string; match: string; after: string };
}

/** A session in which something was found, with the best place; without one where only filters chose it. */
export interface SearchHit {
  id: string;
  agent: string | null;
  title: string | null;
  cwd: string | null;
  model: string;
  lastMessageAt: string;
  gone: boolean;
  /** How many places there are, as far as was counted. */
  count: number;
  hit: SearchPlace | null;
}

/** Sessions that were not looked through, and why. */
export interface Skipped {
  reason: string;
  count: number;
  /** The first of them. */
  ids: string[];
}

export interface SearchAnswer {
  query: SearchQuery;
  hits: SearchHit[];
  scopes: Partial<Record<SearchScope, number>>;
  /** The counts are of everything; else there are at least so many. */
  counted: boolean;
  complete: boolean;
  cursor: string | null;
  skipped: Skipped[];
  took: number;
}

/** What was found in one session, in its order. */
export interface SessionAnswer {
  query: SearchQuery;
  id: string;
  hits: SearchPlace[];
  total: number;
  complete: boolean;
  skipped: Skipped[];
}

export interface SavedSearch {
  name: string;
  q: string;
  /** Minds upper and lower case, which the text can't say. */
  case?: boolean;
}

/** What can be done about the reading of sessions: what was cancelled goes on with `resume`. */
export type Steering = 'pause' | 'resume' | 'cancel';

/** How far the index is. */
export interface IndexState {
  state: 'scanning' | 'idle' | 'paused' | 'cancelled' | 'off';
  sessions: number;
  indexed: number;
  waiting: number;
  bytesDone: number;
  bytesTotal: number;
  diskBytes: number;
  skipped: Skipped[];
  problem: string | null;
  /** That the system watches no more folders, so that changes show late, and what to do. */
  unwatched: string | null;
}
