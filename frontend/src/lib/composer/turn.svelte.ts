import type { Problem, Question, ToolCall, TurnEvent, Turns, TurnState } from '../backend';
import { num, str } from '../transcript/record';
import { Answer, resultRow, type Said } from './answer.svelte';
import { Frames } from './frames';
import { compacting, flushing, type Happening } from './happening';
import { Run } from './run.svelte';

export interface Retry {
  attempt: number;
  reason: string;
  /** When the server is asked again, on the clock of Date.now. */
  at: number;
}

type Running = NonNullable<Turns['running']>;

let nextKey = 1;
export const newKey = () => nextKey++;

/** The turn that runs: what of it the log does not hold yet, and how it stands. */
export class Turn {
  state = $state<TurnState>('waiting');
  retry = $state.raw<Retry | null>(null);
  stopping = $state(false);
  /** What the user is asked, whole. */
  question = $state.raw<Question | null>(null);
  /** In the order they will have in the log. */
  parts = $state.raw<readonly (Said | Answer)[]>([]);
  problem: Problem | null = null;
  /** What goes on beside the answer, and what of that stays to be read. */
  doing = $state('');
  notes = $state.raw<readonly string[]>([]);

  private goingOn: ReturnType<typeof setTimeout> | undefined;

  private readonly frames = new Frames(() => this.flush());

  constructor(
    readonly id: string,
    said: Said | null = null,
  ) {
    this.parts = [...(said ? [said] : []), new Answer(newKey())];
  }

  /** A turn as it stood when it was asked for; `before` is what is known of it already. */
  static of(running: Running, before: Turn | null): Turn {
    const turn = new Turn(running.turnId);
    turn.state = running.state;
    turn.question = running.asking;
    turn.stopping = before?.stopping ?? false;
    const answer = turn.open();
    answer.push('text', running.answer);
    answer.push('thinking', running.thinking);
    answer.flush();
    for (const call of running.toolCalls) {
      const run = Run.of(call);
      if (call.result) run.done(resultRow(call.result.text, call.result.isError));
      answer.addCall(call, run);
    }
    answer.seq = running.callsSeq;
    // What the log holds by now is not told. It stays until it is read there: else what stands below it would move up and down again.
    const logged = before?.parts.filter(({ seq }) => seq !== null && seq !== running.callsSeq) ?? [];
    turn.parts = [...logged, ...turn.parts];
    turn.notes = before?.notes ?? [];
    if (running.state === 'compacting') turn.doing = before?.doing ?? '';
    if (running.retry) turn.retrying(running.retry);
    return turn;
  }

  /** The answer being written: the last part, unless that is complete. */
  private get current(): Answer | null {
    const last = this.parts.at(-1);
    return last instanceof Answer && last.seq === null ? last : null;
  }

  /** The message is in the log under this number. */
  holds(seq: number | null): void {
    if (seq === null || !this.parts.some((part) => part.kind === 'said' && part.seq === null)) return;
    this.parts = this.parts.map((part) => (part.kind === 'said' ? { ...part, seq } : part));
  }

  private open(): Answer {
    const current = this.current;
    if (current) return current;
    const answer = new Answer(newKey());
    this.parts = [...this.parts, answer];
    return answer;
  }

  /** Takes an event in; all but text shows what came before it. */
  apply({ kind, data }: TurnEvent): void {
    if (kind === 'text' || kind === 'thinking') {
      this.is('streaming');
      this.open().push(kind, str(data.text));
      this.frames.ask();
      return;
    }
    if (kind === 'toolOutput') {
      this.runOf(data)?.push(str(data.text), Number(data.skipped) || 0);
      this.frames.ask();
      return;
    }
    this.flush();
    if (kind === 'started') this.open();
    else if (kind === 'toolCall') this.call(data);
    else if (kind === 'toolStarted') this.runOf(data)?.start(str(data.startedAt));
    else if (kind === 'toolResult') this.result(data);
    else if (kind === 'permission') this.asking(data);
    else if (kind === 'answered') this.is('tools');
    else if (kind === 'record') this.recorded(str(data.role), Number(data.seq));
    else if (kind === 'retry')
      this.retrying({ attempt: num(data.attempt) ?? 0, inMs: num(data.inMs) ?? 0, reason: str(data.reason) });
    else if (kind === 'memoryFlush') this.happens(flushing(data));
    else if (kind === 'compaction') this.happens(compacting(data));
    else if (kind === 'error') this.problem = problemOf(data);
  }

  /** Ends it; returns what of it is to be seen until the log is shown with it. */
  close(): (Said | Answer)[] {
    this.frames.stop();
    clearTimeout(this.goingOn);
    this.flush();
    return this.parts.filter((part) => part.kind === 'said' || !part.isEmpty);
  }

  private flush(): number {
    for (const part of this.parts) if (part.kind === 'answer') for (const { run } of part.calls) run.flush();
    return this.current?.flush() ?? 0;
  }

  private runOf(data: Record<string, unknown>): Run | null {
    const answer = this.parts.findLast((part) => part.kind === 'answer' && part.calls.length > 0);
    return answer?.kind === 'answer' ? answer.runOf(str(data.toolCallId)) : null;
  }

  /** The call that is asked about: a model may use an id twice. */
  get asked(): Run | null {
    return this.question ? this.runOf({ toolCallId: this.question.callId }) : null;
  }

  private happens({ now, after }: Happening): void {
    this.is(now ? 'compacting' : 'waiting');
    this.doing = now;
    if (after) this.notes = [...this.notes, after];
  }

  private is(state: TurnState): void {
    if (this.state !== state) this.state = state;
    if (state !== 'compacting') this.doing = '';
    this.retry = null;
    this.question = null;
    clearTimeout(this.goingOn);
  }

  /** Nobody is asked about less than all of it: what an event does not hold is asked for. */
  private asking(data: Record<string, unknown>): void {
    this.is('asking');
    if (data.cut !== true) this.question = data as unknown as Question;
  }

  private call(data: Record<string, unknown>): void {
    this.is('streaming');
    const call: ToolCall = { id: str(data.id), name: str(data.name), arguments: data.arguments };
    this.open().addCall(call);
  }

  private result(data: Record<string, unknown>): void {
    if (!this.question) this.is('tools');
    this.runOf(data)?.done(resultRow(str(data.text), data.isError === true));
  }

  private recorded(role: string, seq: number): void {
    if (role === 'user') this.holds(seq);
    else if (role === 'toolResult') this.open();
    else if (role === 'assistant') {
      this.open().seq = seq;
      this.is(this.parts.some((part) => part.kind === 'answer' && part.calls.length > 0) ? 'tools' : 'waiting');
    }
  }

  /** What came before is void: the next try begins anew. */
  private retrying({ attempt, inMs, reason }: NonNullable<Running['retry']>): void {
    const current = this.current;
    if (current && !current.isEmpty) this.parts = [...this.parts.slice(0, -1), new Answer(newKey())];
    const { doing } = this;
    const compacting = this.state === 'compacting' || doing !== '';
    this.is('retrying');
    this.retry = { attempt, reason, at: Date.now() + inMs };
    // What is written of a summary is not told: it goes on when the time has come.
    if (compacting) {
      this.doing = doing;
      this.goingOn = setTimeout(() => {
        this.is('compacting');
      }, inMs);
    }
  }
}

export function problemOf(value: unknown): Problem | null {
  if (typeof value !== 'object' || value === null) return null;
  const { code, message, hint } = value as Record<string, unknown>;
  return { code: str(code) || 'failed', message: str(message), hint: str(hint) };
}
