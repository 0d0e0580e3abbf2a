import type { Call } from '../backend';
import type { RecordRow } from '../transcript/rows';

// What of a command's output is kept while it runs: what came last. All of it is in the log once it has ended.
const KEPT = 24_000;

/** A call as it runs: how it stands, since when, and what it has printed so far. */
export class Run {
  state = $state<Call['state']>('waiting');
  /** On the clock of Date.now. */
  startedAt = $state<number | null>(null);
  output = $state('');
  /** What came first is not kept. */
  cut = $state(false);
  /** What came of it, cut; the log has all of it a moment later. */
  result = $state.raw<RecordRow | null>(null);
  private fresh = '';

  static of({ state, startedAt, output, outputCut }: Pick<Call, 'state' | 'startedAt' | 'output' | 'outputCut'>): Run {
    const run = new Run();
    run.state = state;
    run.startedAt = startedAt === null ? null : Date.parse(startedAt);
    run.push(output, outputCut ? 1 : 0);
    run.flush();
    return run;
  }

  start(at: string): void {
    this.state = 'running';
    this.startedAt = Date.parse(at) || Date.now();
  }

  /** Output collects here, and is shown once per frame. */
  push(piece: string, skipped: number): void {
    if (skipped > 0) {
      this.fresh = '';
      this.output = '';
      this.cut = true;
    }
    this.fresh += piece;
    if (this.fresh.length > 2 * KEPT) this.fresh = this.end(this.fresh);
  }

  flush(): void {
    if (!this.fresh) return;
    this.output = this.end(this.output + this.fresh);
    this.fresh = '';
  }

  done(result: RecordRow): void {
    this.flush();
    this.state = 'done';
    this.result = result;
  }

  /** The end of it, from a new line on. */
  private end(text: string): string {
    if (text.length <= KEPT) return text;
    this.cut = true;
    const end = text.slice(-KEPT);
    return end.slice(end.indexOf('\n') + 1);
  }
}
