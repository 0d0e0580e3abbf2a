import { untrack } from 'svelte';
import {
  asBackendError,
  BackendError,
  type Backend,
  type DraftRequest,
  type DraftState,
  type TurnEvent,
} from '../backend';
import { text } from '../text';
import { num, str } from '../transcript/record';
import { InOrder } from '../composer/in-order';
import type { TurnEvents } from '../turn-events';
import { isPlan } from './version.svelte';
import { StreamText } from './stream.svelte';

export interface Retry {
  attempt: number;
  reason: string;
  until: number;
}

/** A draft that was being written, as it lies on the desk. */
export interface KeptRun {
  draftId: string;
  request: DraftRequest;
  /** As it began, and what there was of its text: all there is of it if the program ended meanwhile. */
  state: DraftState | null;
  text: string;
}

// An event may be lost without another one after it that would show the gap.
const QUIET = 8000;

/** One draft on its way: it is asked for, streams, and ends as ready, failed or cancelled. */
export class DraftRun {
  status = $state<'starting' | DraftState['state']>('starting');
  part = $state(1);
  parts = $state(1);
  retry = $state.raw<Retry | null>(null);
  error = $state.raw<BackendError | null>(null);
  readonly text = new StreamText();
  readonly startedAt = Date.now();
  readonly running = $derived(this.status === 'starting' || this.status === 'running');

  id = $state<string | null>(null);
  /** As it began. */
  private state: DraftState | null = null;
  /** What was kept of it, of one that began before the page was loaded. */
  private left: KeptRun | null = null;
  /** As it lies on the desk: its text in steps, for each is written down. */
  readonly kept = $derived.by((): KeptRun | null => {
    void this.text.step;
    const { id, request, state } = this;
    return id === null ? null : { draftId: id, request, state, text: untrack(() => this.text.whole) };
  });
  private early: TurnEvent[] = [];
  private heardAt = Date.now();
  private syncing = false;
  private applied = 0;
  private readonly order = new InOrder<TurnEvent>(
    (event) => {
      this.applied = event.n;
      this.apply(event);
    },
    () => void this.sync(),
  );
  private stop: (() => void) | null = null;

  constructor(
    private readonly backend: Pick<Backend, 'startDraft' | 'draft' | 'cancelDraft'>,
    private readonly session: string,
    readonly request: DraftRequest,
    private readonly onReady: (state: DraftState) => void,
  ) {}

  async start(events: TurnEvents): Promise<void> {
    this.listen(events);
    try {
      const state = await this.backend.startDraft(this.session, this.request);
      this.id = state.draftId;
      // Cancelled while it was being asked for.
      if (!this.running) {
        await this.backend.cancelDraft(this.session, state.draftId);
        return;
      }
      this.take(state);
      for (const event of this.early) this.hear(event);
      this.early = [];
    } catch (cause) {
      if (this.running) this.end('failed', asBackendError(cause));
    }
  }

  /** Follows a draft that was asked for before the page was loaded. */
  async resume(events: TurnEvents, left: KeptRun): Promise<void> {
    this.listen(events);
    this.left = left;
    this.id = left.draftId;
    await this.sync();
  }

  private listen(events: TurnEvents): void {
    const off = events.on({
      onTurn: (event) => {
        this.hear(event);
      },
      onGap: () => void this.sync(),
    });
    const timer = setInterval(() => {
      if (Date.now() - this.heardAt > QUIET) void this.sync();
    }, QUIET / 4);
    this.stop = () => {
      off();
      clearInterval(timer);
    };
  }

  async cancel(): Promise<void> {
    if (!this.running) return;
    this.end('cancelled');
    if (this.id) await this.backend.cancelDraft(this.session, this.id);
  }

  /** Stops listening; the draft goes on without. */
  leave(): void {
    this.stop?.();
    this.order.close();
  }

  private hear(event: TurnEvent): void {
    if (event.sessionId !== this.session || !this.running) return;
    if (this.id === null) this.early.push(event);
    else if (event.turnId === this.id) {
      this.heardAt = Date.now();
      this.order.receive(event);
    }
  }

  private apply({ data }: TurnEvent): void {
    switch (data.state) {
      case 'text':
        this.retry = null;
        this.text.add(str(data.text));
        break;
      case 'restart':
        this.text.set('');
        this.part = num(data.part) ?? this.part;
        this.parts = num(data.parts) ?? this.parts;
        break;
      case 'retry':
        this.retry = {
          attempt: num(data.attempt) ?? 1,
          reason: str(data.reason),
          until: Date.now() + (num(data.inMs) ?? 0),
        };
        break;
      default:
        // It ended: what it ended with is asked for.
        void this.sync();
    }
  }

  /** Asks how the draft stands, where what was heard is not all there is. */
  private async sync(): Promise<void> {
    if (this.syncing || !this.id || !this.running) return;
    this.syncing = true;
    try {
      this.take(await this.backend.draft(this.session, this.id));
    } catch (cause) {
      const error = asBackendError(cause);
      // Forgotten by the program. Anything else may be better at the next try.
      if (error.code === 'not_found' && this.running) this.lost(error);
    } finally {
      this.syncing = false;
      this.heardAt = Date.now();
    }
  }

  /** The program ended while it was written: what there is of it is a draft like any other. */
  private lost(error: BackendError): void {
    const summary = this.text.whole || this.left?.text;
    const state = this.state ?? this.left?.state;
    if (!summary || !state || !isPlan(state.plan)) {
      this.end('failed', error);
      return;
    }
    const draft = {
      summary,
      model: null,
      offline: false,
      missingHeadings: [],
      notes: [text.review.brokeOff],
      usage: null,
      fidelity: null,
    };
    this.take({ ...state, state: 'ready', draft });
  }

  private take(state: DraftState): void {
    if (!this.running) return;
    this.state ??= { ...state, text: '' };
    if (state.state === 'running') {
      this.status = 'running';
      // Asked before what was heard since.
      if (state.n >= this.applied) {
        this.text.set(state.text);
        this.part = state.part;
        this.parts = state.parts;
      }
      this.order.resume(state.n);
    } else if (state.state === 'ready' && state.draft) {
      this.end('ready');
      this.onReady(state);
    } else if (state.state === 'cancelled') {
      this.end('cancelled');
    } else {
      const { code = 'failed', message = '', hint = '' } = state.error ?? {};
      this.end('failed', new BackendError(code, message, hint));
    }
  }

  private end(status: 'ready' | 'failed' | 'cancelled', error: BackendError | null = null): void {
    this.status = status;
    this.error = error;
    this.retry = null;
    this.stop?.();
    this.order.close();
  }
}
