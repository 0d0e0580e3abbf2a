import type { CompactionReview } from '../backend';
import { estimate } from './estimate';

/** What the model sees before and after, in tokens. */
export interface Sizes {
  before: number;
  /** Null where no summary is written yet, or nobody can read it. */
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

/** Those of a compaction that was made, by what its agent noted or else by the summary, if that can be read. */
export function ofPast(review: CompactionReview, summary: string): Sizes | null {
  return sizesOf(review, review.plan?.tokensAfter ?? (summary.trim() ? estimate(summary) : null));
}
