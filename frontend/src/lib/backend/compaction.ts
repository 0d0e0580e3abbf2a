// What "Compacting" in docs/http.md is about: plan, draft, and the record that comes of them.

export interface ReviewRow {
  seq: number;
  role: 'user' | 'assistant' | 'toolResult' | 'branch' | 'note';
  tool: string | null;
  text: string;
  tokens: number;
  /** Whether a cut can go before it. */
  boundary: boolean;
}

export interface Plan {
  cutSeq: number;
  summarize: number[];
  keep: number[];
  /** How many of what goes and of what stays are messages: no notes, no summaries of branches. */
  goes: number;
  stays: number;
  splitTurn: boolean;
  /** Of what goes, without the previous summary. */
  tokensBefore: number;
  /** Of the summary; null before there is one. */
  tokensAfter: number | null;
  /** Of what stays, once it is pruned. */
  tokensKept: number;
  readFiles: string[];
  modifiedFiles: string[];
  previousSeq: number | null;
  prune: { seqs: number[]; tokensFreed: number } | null;
}

/** The compaction that a record is. */
export interface PastCompaction {
  seq: number;
  timestamp: string;
  summary: string;
  /** Another agent made it. */
  foreign: boolean;
  model: string | null;
  trigger: string | null;
  edited: boolean;
  instructions: string | null;
  tokensAfter: number | null;
  state: 'inForce' | 'folded' | 'reverted' | 'offPath';
  revertedBy: number | null;
}

export interface CompactionReview {
  sessionId: string;
  plan: Plan | null;
  reason: string | null;
  proposed: boolean;
  model: string | null;
  inputTokens: number;
  requests: number;
  previous: { seq: number; timestamp: string; summary: string; tokens: number } | null;
  rows: ReviewRow[];
  firstRow: number;
  totalRows: number;
  endSeq: number;
  compaction: PastCompaction | null;
}

export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** In the order in which they are told. */
export type FactKind = 'rule' | 'file' | 'url' | 'identifier' | 'error' | 'command' | 'commit' | 'number';

/** Something that was said, and the record where it stands last. */
export interface Fact {
  kind: FactKind;
  text: string;
  seq: number;
}

/** What a summary keeps of what it replaces. */
export interface Fidelity {
  kept: number;
  total: number;
  /** Only those kinds of which there is one. */
  kinds: { kind: FactKind; kept: number; total: number }[];
  /** At most 200, in the order of the kinds. */
  lost: Fact[];
}

/** A summary as it is edited, for the compaction that it would be. */
export interface MeasureRequest {
  cut: number;
  summary: string;
  previousSeq: number | null;
}

export interface Draft {
  summary: string;
  model: string | null;
  offline: boolean;
  missingHeadings: string[];
  notes: string[];
  usage: Usage | null;
  /** Null where it is not known. */
  fidelity: Fidelity | null;
}

export interface DraftState {
  draftId: string;
  sessionId: string;
  state: 'running' | 'ready' | 'failed' | 'cancelled';
  /** The number of its last event. */
  n: number;
  text: string;
  part: number;
  parts: number;
  plan: Plan;
  draft: Draft | null;
  error: { code: string; message: string; hint: string } | null;
}

export interface PlanOptions {
  cut?: number;
  keepRecent?: number;
  propose?: boolean;
}

export interface DraftRequest {
  cut?: number;
  keepRecent?: number;
  offline?: boolean;
  instructions?: string;
  previousSeq?: number | null;
}

export interface CompactRequest {
  cut?: number;
  summary?: string;
  previousSeq?: number | null;
  draftId?: string;
}

export interface Compacted {
  plan: Plan | null;
  draft: Draft | null;
  committedSeq: number;
}
