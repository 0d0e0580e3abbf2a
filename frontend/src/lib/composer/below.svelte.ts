import type { Answer, Said } from './answer.svelte';
import type { Run } from './run.svelte';
import type { Turn } from './turn.svelte';

// How many answers of turns that are over are known as they ran.
const REMEMBERED = 100;

/** What stands below the log, because the log does not hold it yet, and what the log never holds of it. */
export class Below {
  /** A message on its way to the log. */
  said = $state.raw<Said | null>(null);
  /** Parts of a turn that is over, until the log is shown with them. */
  private left = $state.raw<readonly (Said | Answer)[]>([]);
  /** Answers of turns that are over, whose calls were seen as they ran. */
  private ran = $state.raw<readonly Answer[]>([]);
  /** What happened beside the answers, of the turn that ended last. */
  private happened = $state.raw<readonly string[]>([]);

  readonly parts = $derived.by(() => [...this.left, ...(this.turn()?.parts ?? []), ...(this.said ? [this.said] : [])]);
  readonly notes = $derived.by(() => this.turn()?.notes ?? this.happened);

  constructor(
    private readonly turn: () => Turn | null,
    /** The log has changed; settles once what it holds now is shown. */
    private readonly onRecord: () => Promise<void>,
  ) {}

  /** How the calls of an answer run, or ran while one looked. */
  runsOf(seq: number): readonly Run[] {
    const answers = [...(this.turn()?.parts ?? []), ...this.ran];
    const found = answers.find((part) => part.kind === 'answer' && part.seq === seq && part.calls.length > 0);
    return found?.kind === 'answer' ? found.calls.map(({ run }) => run) : [];
  }

  /** Each answer once, however often its turn is asked for. */
  remember(turn: Turn): void {
    const calling = turn.parts.filter((part) => part.kind === 'answer' && part.seq !== null && part.calls.length > 0);
    const others = this.ran.filter(({ seq }) => !calling.some((part) => part.seq === seq));
    this.ran = [...others, ...(calling as Answer[])].slice(-REMEMBERED);
  }

  /** A turn is over: what was streamed stays until the log is shown with it. */
  async leave(turn: Turn | null): Promise<void> {
    const left = turn?.close() ?? [];
    if (turn) {
      this.remember(turn);
      this.happened = turn.notes;
    }
    this.left = left;
    await this.onRecord();
    if (this.left === left) this.left = [];
  }
}
