import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../backend';
import type { ReviewPlace } from '../route.svelte';
import type { TurnEvents } from '../turn-events';
import { Past } from './past.svelte';
import { Review } from './review.svelte';

/** Which review is open; those that were left stay as they were until they are discarded or accepted. */
export class Reviews {
  current = $state.raw<Review | Past | null>(null);
  /** The message that the next review is to end with: its cut goes to the first boundary behind it. */
  upTo: number | null = null;
  private readonly left = new SvelteMap<string, Review>();
  private before: Element | null = null;

  constructor(
    private readonly backend: Backend,
    private readonly events: TurnEvents,
  ) {}

  open(session: string, place: ReviewPlace): void {
    this.before ??= document.activeElement;
    if (place.seq !== null) {
      const now = this.current;
      if (now?.kind === 'past' && now.id === session) now.show(place.seq, place.other);
      else this.current = new Past(this.backend, session, place.seq, place.other);
    } else {
      const review = this.left.get(session) ?? new Review(this.backend, this.events, session);
      this.left.set(session, review);
      this.current = review;
    }
    const { current, upTo } = this;
    this.upTo = null;
    const loaded = current?.load();
    if (current?.kind === 'new' && upTo !== null)
      void loaded?.then(() => {
        current.cutBehind(upTo);
      });
  }

  /** Closes what is open; a new one is found again as it was. Gives the focus back. */
  close(): void {
    if (!this.current) return;
    if (this.current.kind === 'new' && !this.current.kept) this.left.delete(this.current.id);
    this.current = null;
    const before = this.before;
    this.before = null;
    // Once what is behind can take the focus again.
    requestAnimationFrame(() => {
      const to = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : null;
      (to ?? document.getElementById('conversation'))?.focus({ preventScroll: true });
    });
  }

  /** Whether a draft waits for that session. */
  waits(session: string): boolean {
    return this.left.get(session)?.kept ?? false;
  }

  /** Drops a review for good; what it returns brings it back. */
  forget(review: Review): () => void {
    this.left.delete(review.id);
    return () => {
      this.left.set(review.id, review);
    };
  }

  changed(session: string): void {
    if (this.current?.id === session) this.current.changed();
  }
}
