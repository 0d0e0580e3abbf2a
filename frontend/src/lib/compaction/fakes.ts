import type { CompactionReview, DraftState, Fidelity, Plan, ReviewRow, TurnEvent } from '../backend';
import { ID } from '../../test/fakes';

// What the tests of this folder ask and are told.

export function row(seq: number, more: Partial<ReviewRow> = {}): ReviewRow {
  const role = seq % 2 === 1 ? 'user' : 'assistant';
  return { seq, role, tool: null, text: `Row ${seq}.`, tokens: 10, boundary: role === 'user', ...more };
}

export function plan(more: Partial<Plan> = {}): Plan {
  return {
    cutSeq: 5,
    summarize: [1, 2, 3, 4],
    keep: [5, 6, 7, 8],
    goes: 4,
    stays: 4,
    splitTurn: false,
    tokensBefore: 40,
    tokensAfter: null,
    tokensKept: 40,
    readFiles: [],
    modifiedFiles: [],
    previousSeq: null,
    prune: null,
    ...more,
  };
}

export function review(more: Partial<CompactionReview> = {}): CompactionReview {
  return {
    sessionId: ID,
    plan: plan(),
    reason: null,
    proposed: false,
    model: null,
    inputTokens: 60,
    requests: 1,
    previous: null,
    rows: [1, 2, 3, 4, 5, 6, 7, 8].map((seq) => row(seq)),
    firstRow: 0,
    totalRows: 8,
    endSeq: 9,
    compaction: null,
    ...more,
  };
}

export function draftState(more: Partial<DraftState> = {}): DraftState {
  return {
    draftId: 'd1',
    sessionId: ID,
    state: 'running',
    n: 0,
    text: '',
    part: 1,
    parts: 1,
    plan: plan(),
    draft: null,
    error: null,
    ...more,
  };
}

export function ready(summary: string, more: Partial<DraftState> = {}, model: string | null = 'gpt-5'): DraftState {
  const draft = {
    summary,
    model,
    offline: model === null,
    missingHeadings: [],
    notes: [],
    usage: null,
    fidelity: null,
  };
  return draftState({ state: 'ready', n: 9, draft, plan: plan({ tokensAfter: 20 }), ...more });
}

export function event(n: number, data: Record<string, unknown>, turnId = 'd1'): TurnEvent {
  return { sessionId: ID, turnId, n, kind: 'compaction', data };
}

export const said = (n: number, text: string) => event(n, { state: 'text', text });

/** One fact that is kept, and others that are not. */
export function fidelity(...lost: string[]): Fidelity {
  const counts = { kept: 1, total: 1 + lost.length };
  return {
    ...counts,
    kinds: [{ kind: 'file', ...counts }],
    lost: lost.map((text) => ({ kind: 'file', text, seq: 2 })),
  };
}
