import type { App } from '../app.svelte';
import { hashOf } from '../route.svelte';
import { text } from '../text';
import type { Review } from './review.svelte';
import { undoCompaction } from './undo';

/** Commits what is reviewed and shows the band it became, with the way back. */
export async function accept(app: App, review: Review): Promise<void> {
  const seq = await review.accept();
  if (seq === null) return;
  app.reviews.forget(review);
  const transcript = app.opened?.id === review.id ? app.opened.transcript : null;
  await transcript?.changed();
  // It may have been left while it was being written.
  if (app.reviews.current === review) {
    app.reviews.close();
    app.route.replace(hashOf(review.id, seq));
  }
  const info = transcript?.outline?.compactions.find((compaction) => compaction.seq === seq);
  app.toasts.show(
    text.review.accepted,
    transcript && info ? { undo: () => undoCompaction(app, transcript, info) } : {},
  );
}

/** Drops the drafts and closes the review. */
export function discard(app: App, review: Review): void {
  const back = app.reviews.forget(review);
  const worth = review.kept;
  void app.attempt(() => review.cancel());
  app.route.leaveReview(review.id);
  if (!worth) return;
  app.toasts.show(text.review.discarded, {
    undo: () => {
      back();
      app.route.review(review.id);
    },
  });
}
