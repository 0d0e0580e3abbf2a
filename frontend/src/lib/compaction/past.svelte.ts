import { asBackendError, type Backend, type BackendError, type CompactionReview } from '../backend';
import { Fidelities } from './fidelities.svelte';

/** A compaction as it was made, and another one beside it if that was asked for. */
export class Past {
  readonly kind = 'past';
  seq = $state(0);
  otherSeq = $state<number | null>(null);
  current = $state.raw<CompactionReview | null>(null);
  other = $state.raw<CompactionReview | null>(null);
  error = $state.raw<BackendError | null>(null);
  readonly fidelities: Fidelities;
  private asked = 0;

  constructor(
    private readonly backend: Pick<Backend, 'compactionReview' | 'fidelity'>,
    readonly id: string,
    seq: number,
    other: number | null,
    /** Opened for what the summary lost. */
    readonly forFacts = false,
  ) {
    this.seq = seq;
    this.otherSeq = other;
    this.fidelities = new Fidelities(backend, id);
  }

  /** Another compaction of the same conversation; what is shown stays until it is there. */
  show(seq: number, other: number | null): void {
    this.seq = seq;
    this.otherSeq = other;
  }

  async load(): Promise<void> {
    const asked = ++this.asked;
    const { seq, otherSeq } = this;
    this.error = null;
    try {
      const [current, other] = await Promise.all([this.read(seq), otherSeq === null ? null : this.read(otherSeq)]);
      if (asked !== this.asked) return;
      this.current = current;
      this.other = other;
      for (const one of [seq, otherSeq]) if (one !== null) void this.fidelities.want(one);
    } catch (cause) {
      if (asked !== this.asked) return;
      this.current = null;
      this.error = asBackendError(cause);
    }
  }

  changed(): void {
    void this.load();
  }

  private read(seq: number): Promise<CompactionReview> {
    return this.backend.compactionReview(this.id, seq);
  }
}
