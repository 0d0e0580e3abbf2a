import {
  asBackendError,
  type AnswerRequest,
  type Backend,
  type CompactionInfo,
  type Problem,
  type SendRequest,
  type TurnEvent,
  type Turns,
} from '../backend';
import { str } from '../transcript/record';
import type { TurnListener } from '../turn-events';
import type { Answer, Said } from './answer.svelte';
import type { Attached } from './attached.svelte';
import { Below } from './below.svelte';
import { Delivery } from './delivery.svelte';
import { Follow } from './follow';
import { imageFiles, imagesIn } from './image';
import type { Chosen, Failure, Hooks, Queued, Spoken } from './kinds';
import { Outbox, type Leaving } from './outbox.svelte';
import { Reason } from './reason.svelte';
import type { Run } from './run.svelte';
import { newKey, problemOf, Turn } from './turn.svelte';
import type { Sending, Unsent } from './unsent';
import { Written } from './written.svelte';

// How long, in milliseconds, until it is asked how things stand: after a change, and while another program writes.
const SOON = 400;
const HELD = 2000;

/** Talking in one conversation: what is being written, sent, queued and answered. The log is the truth of it. */
export class Talk implements TurnListener {
  /** The model chosen for the messages from now on; null for that of the settings. */
  model = $state<string | null>(null);
  /** Who serves it, by the name in the settings; null for the one that the conversation has. */
  provider = $state<string | null>(null);
  turn = $state.raw<Turn | null>(null);
  /** The compaction to be undone once nothing runs or waits; null for none. */
  undoLater = $state.raw<CompactionInfo | null>(null);
  queued = $state.raw<readonly Queued[]>([]);
  canRetry = $state(false);
  /** Another process that is writing here. */
  heldBy = $state.raw<Turns['heldBy']>(null);
  readOnly = $state(false);
  /** Why the model is offered no tools here. */
  noTools = $state<string | null>(null);
  /** What is read out to who does not see the answer come. */
  spoken = $state<Spoken | null>(null);

  readonly written: Written;
  /** What is written as the reason of a no; null where nothing can ask. */
  readonly reason: Reason | null;

  private readonly below: Below;
  private readonly outbox: Outbox;
  /** What is being sent does not stand below the log. */
  private behind = $state(false);
  private readonly follow: Follow;
  private readonly delivery: Delivery;
  private asking: ReturnType<typeof setTimeout> | undefined;
  /** Whether a turn runs has been told. */
  private known = false;
  /** Messages that are being taken back. */
  private withdrawing = 0;

  constructor(
    private readonly backend: Pick<Backend, 'turns' | 'send' | 'giveUp' | 'endTurn' | 'answer' | 'keepImage'>,
    readonly id: string,
    unsent: Unsent,
    private readonly hooks: Hooks,
  ) {
    // A conversation that is yet to begin has no id.
    this.written = new Written(unsent, hooks.begin ? null : id, backend);
    this.reason = hooks.begin
      ? null
      : new Reason(unsent, id, () => {
          if (this.known && !this.turn) this.keepReason();
        });
    this.outbox = new Outbox(
      this.written,
      () => this.chosen(),
      () => this.sending,
      (message) => this.deliver(message),
    );
    this.below = new Below(
      () => this.turn,
      () => hooks.onRecord(),
    );
    this.delivery = new Delivery(backend, id, this.written);
    this.follow = new Follow(() => backend.turns(id), {
      take: (turns, isLate) => {
        this.take(turns, isLate);
      },
      apply: (event) => {
        this.apply(event);
      },
    });
  }

  /** What stands below the log, because the log does not hold it yet. */
  get parts(): readonly (Said | Answer)[] {
    return this.below.parts;
  }

  /** What happened beside the answers. */
  get notes(): readonly string[] {
    return this.below.notes;
  }

  get sending(): boolean {
    return this.delivery.sending;
  }

  get failure(): Failure | null {
    return this.delivery.failure;
  }

  /** What is being sent waits for a program that does not answer. */
  get isAway(): boolean {
    return this.delivery.away;
  }

  /** Nobody knows whether this, which stands below the log, arrived. */
  isInDoubt(part: Said | Answer): boolean {
    return this.isAway && part === this.below.said;
  }

  /** What of a message on its way is known. */
  standingOf({ key }: Leaving): 'sending' | 'inDoubt' | 'waitsForProgram' {
    if (!this.isAway) return 'sending';
    // Before its conversation is there nothing arrives, and neither does one behind another.
    return !this.hooks.begin && key === this.outbox.waiting[0]?.key ? 'inDoubt' : 'waitsForProgram';
  }

  get text(): string {
    return this.written.text;
  }

  get attached(): Attached {
    return this.written.attached;
  }

  /** Something that was done here has yet to change what stands in the field. */
  get isUnderWay(): boolean {
    return this.outbox.waiting.length > 0 || this.withdrawing > 0 || this.attached.isAdding;
  }

  write(text: string): void {
    this.written.write(text);
  }

  /** What was sent and is not taken yet, but for what stands below the log. */
  get leaving(): readonly Leaving[] {
    const { waiting } = this.outbox;
    // That it waits may be told before it is answered.
    return this.behind && this.queued.at(-1)?.text !== waiting[0]?.text ? waiting : waiting.slice(1);
  }

  /** What another window sends and nothing else tells of yet. */
  get elsewhere(): Sending[] {
    const told = [...this.queued, ...this.parts.filter((part) => part.kind === 'said')].map(({ text }) => text);
    return this.written.elsewhere.filter(({ text }) => !told.includes(text));
  }

  /** Sends what is written; if that fails it stands in the field again. */
  send(): Promise<void> {
    return this.outbox.post();
  }

  /** Goes on where this conversation was begun. */
  takeOver(begun: Talk): void {
    this.model = begun.model;
    this.provider = begun.provider;
    void this.outbox.takeOver(begun.outbox);
  }

  async retry(): Promise<void> {
    if (this.sending) return;
    this.behind = true;
    await this.ask({ retry: true, ...this.chosen() });
    await this.outbox.run();
  }

  async stop(): Promise<void> {
    const turn = this.turn;
    if (!turn || turn.stopping) return;
    turn.stopping = true;
    try {
      await this.backend.endTurn(this.id, turn.id);
    } catch (cause) {
      turn.stopping = false;
      // It may just have ended by itself.
      if (asBackendError(cause).code !== 'not_found') throw cause;
      await this.sync();
    }
  }

  /** Answers what is asked; says what of the answer could not be kept. */
  async answer(answer: AnswerRequest['answer'], reason = ''): Promise<Problem | null> {
    const turn = this.turn;
    const question = turn?.question;
    if (!turn || !question) return null;
    const { callId, asked } = question;
    try {
      const told = await this.backend.answer(this.id, turn.id, {
        callId,
        asked,
        answer,
        ...(reason ? { reason } : {}),
      });
      this.reason?.drop();
      return told.problem;
    } catch (cause) {
      // Somebody else may have answered it.
      if (asBackendError(cause).code !== 'not_found') throw cause;
      await this.sync();
      return null;
    }
  }

  /** Takes back a message that waits, into the field; returns its text where something else stands there. */
  async withdraw({ turnId, text, images = [] }: Queued): Promise<string | null> {
    this.withdrawing++;
    const answer = await this.backend.endTurn(this.id, turnId).finally(() => this.withdrawing--);
    if (!answer.withdrawn) return null;
    this.unqueue(turnId);
    const taken = answer.text || text;
    this.attached.putBack(imageFiles(answer.images ?? images));
    if (taken && this.text.trim()) return taken;
    if (taken) this.write(taken);
    return null;
  }

  /** How the calls of an answer run, or ran while one looked; the log has nothing of it. */
  runsOf(seq: number): readonly Run[] {
    return this.below.runsOf(seq);
  }

  /** The log has changed; if nobody here did that, somebody else may be at it. */
  noticed(): void {
    if (!this.turn) this.askIn(SOON);
  }

  private askIn(ms: number): void {
    clearTimeout(this.asking);
    this.asking = setTimeout(() => void this.sync(), ms);
  }

  /** Asks how things stand: at the start, and whenever events were missed. */
  sync(): Promise<void> {
    return this.follow.sync();
  }

  onGap(): void {
    this.delivery.again();
    // A conversation that is yet to begin took nothing.
    const { begin } = this.hooks;
    void this.written.doubt(async (key) => !begin && (await this.backend.giveUp(this.id, key)).taken);
    if (!begin) void this.sync();
  }

  onTurn(event: TurnEvent): void {
    if (event.sessionId === this.id) this.follow.receive(event);
  }

  close(): void {
    this.written.close();
    this.reason?.close();
    clearTimeout(this.asking);
    this.follow.close();
    this.delivery.close();
    this.turn?.close();
  }

  private chosen(): Chosen {
    return {
      ...(this.model === null ? {} : { model: this.model }),
      ...(this.provider === null ? {} : { provider: this.provider }),
    };
  }

  private async deliver({ key, text, images, chosen }: Leaving): Promise<boolean> {
    const { begin } = this.hooks;
    this.behind = this.turn !== null || begin !== undefined;
    if (begin) return this.delivery.attempt(false, () => this.delivery.begin(() => begin(chosen, key)));
    const shown = images.map(({ name, bytes, image }) => ({ ...image, name, bytes }));
    if (!this.turn) this.below.said = { kind: 'said', key: newKey(), text, images: shown, seq: null };
    const named = shown.map(({ blob, name }) => ({ blob, name }));
    const { by } = this.written;
    return this.ask({ text, key, by, ...(named.length > 0 && { images: named }), ...chosen }, shown);
  }

  private async ask(request: SendRequest, images: Queued['images'] = []): Promise<boolean> {
    // Not once it is answered: who scrolls away meanwhile stays there.
    this.hooks.onSent();
    const sent = await this.delivery.attempt('retry' in request, async () => {
      const answered = await this.delivery.send(request);
      this.canRetry = false;
      if (!answered) {
        await this.sync();
        return;
      }
      const { turnId, queued, seq } = answered;
      if (queued && 'text' in request) this.enqueue({ turnId, text: request.text, images });
      else if (!queued && !this.follow.isOver(turnId)) this.begin(turnId).holds(seq);
    });
    this.below.said = null;
    return sent;
  }

  /** This turn runs now; what was sent for it stands above its answer. */
  private begin(id: string): Turn {
    if (this.turn?.id === id) return this.turn;
    this.turn?.close();
    const waited = this.queued.find(({ turnId }) => turnId === id);
    const turn = new Turn(
      id,
      waited
        ? { kind: 'said', key: newKey(), text: waited.text, images: waited.images ?? [], seq: null }
        : this.below.said,
    );
    if (!waited) this.below.said = null;
    this.follow.order(id);
    this.unqueue(id);
    this.delivery.failure = null;
    this.canRetry = false;
    this.turn = turn;
    this.spoken = 'started';
    return turn;
  }

  private apply(event: TurnEvent): void {
    const { turnId, kind, data } = event;
    if (kind === 'queued') this.enqueue({ turnId, text: str(data.text), images: imagesIn(data.images) });
    else if (kind === 'withdrawn') {
      this.unqueue(turnId);
      this.follow.forget(turnId);
    } else if (kind === 'done') void this.end(turnId, data);
    // No turn begins with an error, which is told once more with its end, nor with a compaction: that is being drafted.
    else if ((kind !== 'error' && kind !== 'compaction') || this.turn?.id === turnId) {
      this.begin(turnId).apply(event);
      if (kind === 'permission') {
        this.spoken = 'asking';
        if (data.cut === true) void this.sync();
      }
      if (kind === 'answered') {
        // Only what changes is read out, and the next question is to be.
        this.spoken = null;
        if (data.answer !== 'stopped') this.reason?.answered();
      }
      if (kind === 'record' || kind === 'compaction') void this.hooks.onRecord();
    }
  }

  private enqueue(waiting: Queued): void {
    const { turnId } = waiting;
    if (this.turn?.id === turnId || this.follow.isOver(turnId)) return;
    if (!this.queued.some((one) => one.turnId === turnId)) this.queued = [...this.queued, waiting];
  }

  private unqueue(turnId: string): void {
    this.queued = this.queued.filter((one) => one.turnId !== turnId);
  }

  private async end(turnId: string, data: Record<string, unknown>): Promise<void> {
    const turn = this.turn?.id === turnId ? this.turn : null;
    const status = str(data.status);
    const waited = this.queued.find((one) => one.turnId === turnId);
    const unsent = str(data.unsent) && (waited?.text ?? str(data.unsent));
    const unseen = imagesIn(data.unsentImages);
    this.follow.forget(turnId);
    this.unqueue(turnId);
    if (status === 'error') {
      const problem = problemOf(data.error) ?? turn?.problem ?? { code: 'failed', message: '', hint: '' };
      this.delivery.failure = { ...problem, sent: !unsent && unseen.length === 0 };
    }
    if (unseen.length > 0) this.attached.putBack(imageFiles(waited?.images ?? unseen));
    this.written.tookBack(unsent);
    this.turn = null;
    this.keepReason();
    this.canRetry = false;
    // Whether there is something to try again, the log knows.
    if (status !== 'ok') void this.sync();
    this.spoken = status === 'ok' ? 'finished' : status === 'aborted' ? 'stopped' : 'failed';
    await this.below.leave(turn);
  }

  /** Nobody asks any more: what was written to say why not can still be said. */
  private keepReason(): void {
    this.written.tookBack(this.reason?.take().trim() ?? '');
  }

  private take({ running, queued, canRetry, heldBy, readOnly, noTools }: Turns, isLate: (id: string) => boolean): void {
    this.queued = queued.filter(({ turnId }) => !this.follow.isOver(turnId));
    const was = this.turn;
    if (was && isLate(was.id)) {
      void this.sync();
      return;
    }
    this.canRetry = canRetry;
    this.heldBy = heldBy;
    // That another program is done is no news.
    if (heldBy) this.askIn(HELD);
    this.readOnly = readOnly;
    this.noTools = noTools;
    this.known = true;
    if (!running || this.follow.isOver(running.turnId)) {
      this.turn = null;
      this.keepReason();
      if (!was) return;
      // Nobody told how it ended; that a tool asks must not stay said.
      this.spoken = canRetry ? 'failed' : 'finished';
      void this.below.leave(was);
      return;
    }
    this.delivery.failure = null;
    this.turn = Turn.of(running, was?.id === running.turnId ? was : null);
    was?.close();
    if (was) this.below.remember(was);
    void this.hooks.onRecord();
  }
}
