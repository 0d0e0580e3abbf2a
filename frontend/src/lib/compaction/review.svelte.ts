import {
  asBackendError,
  type Backend,
  type BackendError,
  type CompactionReview,
  type DraftRequest,
  type DraftState,
  type Fact,
} from '../backend';
import { OnceMore } from '../once-more';
import type { TurnEvents } from '../turn-events';
import { Keeps } from './keeps.svelte';
import { Measuring } from './measuring.svelte';
import { DraftRun, type KeptRun } from './run.svelte';
import { sizesOf } from './sizes';
import { type KeptVersion, Version } from './version.svelte';
import { Versions } from './versions.svelte';

const SETTLE = 150;

/** A review as it lies on the desk. */
interface Kept {
  cut: number | null;
  at: number;
  instructions: string;
  versions: KeptVersion[];
  /** A draft that was being written: the program may still write it, whoever asked for it. */
  run: KeptRun | null;
}

type Part = Pick<Backend, 'plan' | 'startDraft' | 'draft' | 'cancelDraft' | 'compact' | 'measure'>;

/** A compaction that is being thought about: its plan, its drafts, and what the user made of them. */
export class Review {
  readonly kind = 'new';
  current = $state.raw<CompactionReview | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** Where the cut was moved to; its plan may still be on its way. */
  cut = $state<number | null>(null);
  planning = $state(false);
  run = $state.raw<DraftRun | null>(null);
  readonly versions = new Versions();
  instructions = $state('');
  /** The conversation has gone on since it was planned, in a way that this plan no longer fits. */
  stale = $state(false);
  accepting = $state(false);
  refused = $state.raw<BackendError | null>(null);

  readonly version = $derived(this.versions.shown);
  readonly drafting = $derived(this.run?.running ?? false);
  readonly plan = $derived(this.current?.plan ?? null);
  /** Whether the text was written for other messages than those that would go now. */
  readonly misplaced = $derived(
    this.version !== null &&
      this.plan !== null &&
      (this.version.cut !== (this.cut ?? this.plan.cutSeq) || this.version.previousSeq !== this.plan.previousSeq),
  );
  readonly sizes = $derived(this.current && sizesOf(this.current, this.summaryTokens()));
  /** Whether there is anything that leaving for good would lose. */
  readonly kept = $derived(
    this.drafting ||
      this.instructions.trim() !== '' ||
      this.versions.all.some(({ edited, draft }) => edited || !draft.offline),
  );
  readonly acceptable = $derived(
    Boolean(this.version?.text.trim()) && this.plan !== null && !this.drafting && !this.planning && !this.stale,
  );

  /** What the text keeps of what would go. */
  readonly measuring: Measuring;
  private readonly keeps = new Keeps();
  /** The fact that was put into the text last, if that can be taken back. */
  readonly keptLast = $derived(this.drafting || this.accepting ? null : (this.keeps.last(this.version)?.fact ?? null));

  private wanted: number | null = null;
  private asked = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly looking = new OnceMore(async () => {
    if (!this.current || this.accepting || this.stale || this.planning) return;
    await this.ask(this.cut ?? this.plan?.cutSeq, true);
  });

  constructor(
    private readonly backend: Part,
    private readonly events: TurnEvents,
    readonly id: string,
    /** Asks for what was kept of it, once, before anything else. */
    private askKept: (() => Promise<unknown>) | null = null,
  ) {
    this.measuring = new Measuring(backend, id);
  }

  /** As it is to be found again; null if there is nothing that leaving would lose. */
  get piece(): Kept | null {
    if (!this.kept) return null;
    return {
      cut: this.cut ?? this.plan?.cutSeq ?? null,
      at: this.versions.at,
      instructions: this.instructions,
      versions: this.versions.kept,
      run: this.drafting && this.run ? this.run.kept : null,
    };
  }

  /** Makes it as it was left; false if what was kept is not a review. */
  restore(piece: unknown): boolean {
    const { cut, at, instructions, versions, run } = (piece ?? {}) as Partial<Kept>;
    if (!Array.isArray(versions)) return false;
    this.askKept = null;
    this.versions.restore(versions, at);
    this.instructions = typeof instructions === 'string' ? instructions : '';
    this.wanted = typeof cut === 'number' ? cut : null;
    if (run?.draftId && run.draftId !== this.run?.id) void this.runOf(run.request).resume(this.events, run);
    return this.versions.all.length > 0 || this.run !== null || this.instructions !== '';
  }

  /** What was discarded in another window, or accepted there, is nobody's draft any more. */
  clear(): void {
    this.run?.leave();
    this.run = null;
    this.versions.clear();
    this.instructions = '';
    this.draftFreely();
  }

  /** Ends what goes on here; the program goes on with what it was asked for. */
  leave(): void {
    this.run?.leave();
  }

  /** Asks for a plan, and where no model is to be asked for a draft, since that costs nothing. */
  async load(): Promise<void> {
    if (this.askKept && !(await this.findKept(this.askKept))) return;
    const wanted = this.plan?.cutSeq ?? this.wanted ?? undefined;
    this.wanted = null;
    await this.ask(wanted);
    // Where it was left to be cut can't be cut any more: the rule says where instead.
    if (wanted !== undefined && !this.current) {
      this.stale = false;
      await this.ask();
    }
    this.draftFreely();
  }

  /** Whether it is known what was kept: before that, nothing may be laid over it. */
  private async findKept(ask: () => Promise<unknown>): Promise<boolean> {
    this.error = null;
    try {
      const piece = await ask();
      // Somebody else may have been quicker.
      if (this.askKept) this.restore(piece);
      this.askKept = null;
      return true;
    } catch (cause) {
      this.error = asBackendError(cause);
      return false;
    }
  }

  /** Another plan, for the conversation as it is now; the texts stay. */
  async replan(): Promise<void> {
    await this.ask();
    if (!this.error) this.stale = false;
    this.draftFreely();
  }

  /** Moves the cut to the first boundary behind a message. */
  cutBehind(seq: number): void {
    const { current } = this;
    if (!current?.plan) return;
    const next = current.rows.find((row) => row.boundary && row.seq > seq);
    this.move(next?.seq ?? current.endSeq);
  }

  /** Moves the cut to a boundary; the plan follows when it comes to rest. */
  move(cut: number): void {
    if (cut === (this.cut ?? this.plan?.cutSeq)) return;
    this.cut = cut;
    this.planning = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.ask(cut).then(() => {
        this.draftFreely();
      });
    }, SETTLE);
  }

  async write(offline: boolean): Promise<void> {
    const { plan } = this;
    if (!plan || this.drafting) return;
    const instructions = this.instructions.trim();
    const request = {
      cut: plan.cutSeq,
      previousSeq: plan.previousSeq,
      ...(offline ? { offline } : {}),
      ...(instructions ? { instructions } : {}),
    };
    const run = this.runOf(request);
    await run.start(this.events);
    if (run.error?.code === 'stale') this.stale = true;
  }

  private runOf(request: DraftRequest): DraftRun {
    const run = new DraftRun(this.backend, this.id, request, (state) => {
      this.ready(state, request);
    });
    this.run = run;
    return run;
  }

  async cancel(): Promise<void> {
    await this.run?.cancel();
  }

  /** Has the text measured as it would be accepted; for as long as somebody looks, and whenever it changes. */
  measure(): void {
    const { version, plan } = this;
    if (this.stale) return;
    if (!plan || !version?.text.trim()) {
      this.measuring.want(null, null);
      return;
    }
    const request = { cut: plan.cutSeq, summary: version.text, previousSeq: plan.previousSeq };
    const asDrafted = !version.edited && !this.misplaced;
    this.measuring.want(request, asDrafted ? version.draft.fidelity : null);
  }

  /** Puts into the text what it lost. */
  keep(fact: Fact): void {
    if (!this.version || this.drafting) return;
    this.keeps.put(this.version, fact, this.measuring.fidelity);
    this.measuring.kept(fact);
  }

  /** Takes out what was put into the text last. */
  takeBack(): void {
    if (!this.keptLast) return;
    const kept = this.keeps.takeBack(this.version);
    if (kept?.fidelity) this.measuring.fidelity = kept.fidelity;
  }

  /** Commits the text as it stands; null if it was refused, which `stale` and `refused` tell about. */
  async accept(): Promise<number | null> {
    const { version, plan } = this;
    if (!version || !plan || !this.acceptable || this.accepting) return null;
    this.accepting = true;
    this.refused = null;
    try {
      const { committedSeq } = await this.backend.compact(this.id, {
        summary: version.text,
        cut: plan.cutSeq,
        previousSeq: plan.previousSeq,
        draftId: version.draftId,
      });
      return committedSeq;
    } catch (cause) {
      const error = asBackendError(cause);
      if (error.code === 'stale') this.stale = true;
      else this.refused = error;
      return null;
    } finally {
      this.accepting = false;
    }
  }

  /** The log changed while this is open. */
  changed(): void {
    void this.looking.now();
  }

  private ready(state: DraftState, request: DraftRequest): void {
    if (!state.draft) return;
    this.versions.add(new Version(state, state.draft, request));
    this.run = null;
    // The cut may have moved meanwhile.
    this.draftFreely();
  }

  /** Of the text as it stands, or as it grows; null where there is none. */
  private summaryTokens(): number | null {
    if (this.run && this.drafting) return Math.ceil(this.run.text.tokens) || null;
    return this.version?.tokens ?? null;
  }

  private draftFreely(): void {
    const { current, version } = this;
    if (!current?.plan || current.model !== null || this.error || this.stale || this.planning || this.drafting) return;
    if (version === null || (this.misplaced && !version.edited && version.draft.offline)) void this.write(true);
  }

  private async ask(cut?: number, quietly = false): Promise<void> {
    clearTimeout(this.timer);
    const asked = ++this.asked;
    // What nobody asked for holds nobody up: a text that is accepted meanwhile is refused by the program where it no longer fits.
    this.planning = !quietly;
    this.error = null;
    try {
      const answer = await this.backend.plan(this.id, { cut, propose: true });
      if (asked !== this.asked) return;
      if (quietly && answer.plan?.previousSeq !== this.plan?.previousSeq) this.stale = true;
      else this.current = answer;
      this.cut = null;
    } catch (cause) {
      if (asked !== this.asked) return;
      const error = asBackendError(cause);
      this.cut = null;
      // No boundary any more: what was planned without one still holds.
      if (cut !== undefined && (error.code === 'stale' || error.code === 'bad_input')) this.stale = true;
      else if (!quietly) this.error = error;
    } finally {
      if (asked === this.asked) this.planning = false;
    }
  }
}
