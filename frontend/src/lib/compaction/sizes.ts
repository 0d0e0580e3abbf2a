import type { CompactionReview } from '../backend';

/** What the model sees before and after, in tokens. */
export interface Sizes {
  before: number;
  /** Null where no summary is written yet. */
  summary: number | null;
  kept: number;
  after: number | null;
}

export function sizesOf({ plan, previous }: CompactionReview, summary: number | null): Sizes | null {
  if (!plan) return null;
  const kept = plan.tokensKept;
  return {
    before: (previous?.tokens ?? 0) + plan.tokensBefore + kept + (plan.prune?.tokensFreed ?? 0),
    summary,
    kept,
    after: summary === null ? null : summary + kept,
  };
}
