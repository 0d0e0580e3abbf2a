import type { Backend, Fact, Fidelity, MeasureRequest } from '../backend';

/** How long typing holds still before a text is measured. */
const SETTLE = 400;

/** What a text that is being edited keeps: one question at a time, and the answer to the last one counts. */
export class Measuring {
  /** Null as long as nothing is known; while `busy`, of the text as it was a moment ago. */
  fidelity = $state.raw<Fidelity | null>(null);
  busy = $state(false);
  failed = $state(false);

  private wanted: MeasureRequest | null = null;
  private asking = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Pick<Backend, 'measure'>,
    private readonly id: string,
  ) {}

  /** Has a text measured, unless it is `known` what it keeps; null: there is none. */
  want(request: MeasureRequest | null, known: Fidelity | null): void {
    if (request && this.wanted && !known && isSame(request, this.wanted)) return;
    this.rest();
    this.wanted = request;
    this.failed = false;
    this.busy = request !== null && known === null;
    if (known || !request) this.fidelity = known;
    else this.timer = setTimeout(() => void this.ask(), SETTLE);
  }

  /** A fact was put into the text: it counts as kept, whatever else that keeps will be known soon. */
  kept(fact: Fact): void {
    // In the page's own copy alone, so it is a copy.
    const { fidelity } = this;
    if (!fidelity?.lost.includes(fact)) return;
    this.fidelity = {
      ...fidelity,
      kept: fidelity.kept + 1,
      kinds: fidelity.kinds.map((one) => (one.kind === fact.kind ? { ...one, kept: one.kept + 1 } : one)),
      lost: fidelity.lost.filter((one) => one !== fact),
    };
  }

  retry(): void {
    this.rest();
    this.failed = false;
    this.busy = true;
    void this.ask();
  }

  /** Nobody looks at it: what was not asked for yet is not asked for; it is as if it had never been wanted. */
  leave(): void {
    this.rest();
    if (this.busy) this.wanted = null;
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async ask(): Promise<void> {
    this.timer = undefined;
    // The end of the one under way asks.
    if (this.asking || !this.wanted) return;
    const request = this.wanted;
    this.asking = true;
    let answer: Fidelity | null = null;
    try {
      answer = await this.backend.measure(this.id, request);
    } catch {
      // Nothing depends on it: it is said in its place, and that is all.
    }
    this.asking = false;
    if (request === this.wanted) {
      this.busy = false;
      this.failed = answer === null;
      if (answer) this.fidelity = answer;
    } else if (this.busy && this.timer === undefined) void this.ask();
  }
}

function isSame(one: MeasureRequest, other: MeasureRequest): boolean {
  return one.summary === other.summary && one.cut === other.cut && one.previousSeq === other.previousSeq;
}
