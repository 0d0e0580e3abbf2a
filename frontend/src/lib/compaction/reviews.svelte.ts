import { SvelteMap } from 'svelte/reactivity';
import type { Backend } from '../backend';
import type { Desk } from '../desk/desk';
import type { ReviewPlace } from '../route.svelte';
import type { TurnEvents } from '../turn-events';
import { Past } from './past.svelte';
import { Review } from './review.svelte';

const keyOf = (session: string) => `review.${session}`;

interface Left {
  review: Review;
  /** As it is now, it lies on the desk. */
  lies: () => void;
  /** Ends what lays it on the desk. */
  stop: () => void;
}

/**
 * Which review is open; those that were left stay as they were until they are discarded or accepted. What would be lost with
 * one lies on the desk.
 */
export class Reviews {
  current = $state.raw<Review | Past | null>(null);
  /** The message that the next review is to end with: its cut goes to the first boundary behind it. */
  upTo: number | null = null;
  /** The next compaction of the past is opened for what its summary lost. */
  forFacts = false;
  private readonly left = new SvelteMap<string, Left>();
  private before: Element | null = null;
  private ready = false;

  constructor(
    private readonly backend: Backend,
    private readonly events: TurnEvents,
    private readonly desk: Pick<Desk, 'follow' | 'get' | 'lay'>,
  ) {}

  /** The program answers now: what was opened before is asked for. */
  start(): void {
    const { current } = this;
    this.ready = true;
    void current?.load();
  }

  open(session: string, place: ReviewPlace): void {
    this.before ??= document.activeElement;
    if (place.seq !== null) {
      const now = this.current;
      const { forFacts } = this;
      this.forFacts = false;
      if (now?.kind === 'past' && now.id === session) now.show(place.seq, place.other);
      else this.current = new Past(this.backend, session, place.seq, place.other, forFacts);
      if (this.ready) void this.current?.load();
      return;
    }
    const key = keyOf(session);
    const fresh = () => new Review(this.backend, this.events, session, () => this.desk.get(key));
    const review = this.left.get(session)?.review ?? this.put(fresh(), true);
    this.current = review;
    const { upTo } = this;
    this.upTo = null;
    if (!this.ready) return;
    void review.load().then(() => {
      if (upTo !== null) review.cutBehind(upTo);
    });
  }

  /** Closes what is open; a new one is found again as it was. Gives the focus back. */
  close(): void {
    if (!this.current) return;
    if (this.current.kind === 'new' && !this.current.kept) this.drop(this.current.id);
    this.current = null;
    const before = this.before;
    this.before = null;
    // Once what is behind can take the focus again.
    requestAnimationFrame(() => {
      const to = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : null;
      (to ?? document.getElementById('conversation'))?.focus({ preventScroll: true });
    });
  }

  /** Keeps in step with what lies on the desk of a conversation, for as long as that is open. */
  follow(session: string): () => void {
    return this.desk.follow(keyOf(session), (piece) => {
      const left = this.left.get(session);
      const known = left?.review;
      if (known && piece !== null) {
        known.restore(piece);
        // An echo might come after what was written meanwhile where it came from.
        left.lies();
      } else if (known && this.current !== known) this.drop(session);
      else if (known?.kept) {
        known.clear();
        left?.lies();
      } else if (piece !== null) {
        const review = new Review(this.backend, this.events, session);
        if (review.restore(piece)) this.put(review, true);
      }
    });
  }

  /** Whether a draft waits for that session. */
  waits(session: string): boolean {
    return this.left.get(session)?.review.kept ?? false;
  }

  /** Drops a review for good; what it returns brings it back. */
  forget(review: Review): () => void {
    this.drop(review.id);
    this.desk.lay(keyOf(review.id), null);
    return () => {
      this.put(review, false);
    };
  }

  changed(session: string): void {
    if (this.current?.id === session) this.current.changed();
  }

  /** The settings were read: they may name another model to write it, or the first one. */
  settingsRead(): void {
    if (this.current?.kind === 'new') this.current.changed();
  }

  /** Keeps a review, and lays it on the desk whenever it changes; `lies`: as it is now, it lies there. */
  private put(review: Review, lies: boolean): Review {
    const { id } = review;
    this.left.get(id)?.stop();
    let laid = lies ? JSON.stringify(review.piece) : '';
    const stop = $effect.root(() => {
      $effect(() => {
        const { piece } = review;
        const now = JSON.stringify(piece);
        if (now !== laid) this.desk.lay(keyOf(id), piece);
        laid = now;
      });
    });
    const itLies = () => {
      laid = JSON.stringify(review.piece);
    };
    this.left.set(id, { review, lies: itLies, stop });
    return review;
  }

  private drop(session: string): void {
    const left = this.left.get(session);
    left?.stop();
    left?.review.leave();
    this.left.delete(session);
  }
}
