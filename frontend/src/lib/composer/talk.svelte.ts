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
import type { TurnListener } from '../turn-events';
import type { Answer, Said } from './answer.svelte';
import type { Attached } from './attached.svelte';
import type { Below } from './below.svelte';
import { Delivery } from './delivery.svelte';
import { Hearing } from './hearing.svelte';
import { imageFiles } from './image';
import type { Chosen, Failure, Hooks, Queued, Spoken } from './kinds';
import { Outbox, type Leaving } from './outbox.svelte';
import { Reason } from './reason.svelte';
import type { Run } from './run.svelte';
import { newKey, type Turn } from './turn.svelte';
import type { Sending, Unsent } from './unsent';
import { Written } from './written.svelte';

/** Talking in one conversation: what is written and sent, and what is done about the answer. The log is the truth of it. */
export class Talk implements TurnListener {
  /** The model chosen for the messages from now on; null for that of the settings. */
  model = $state<string | null>(null);
  /** Who serves it, by the name in the settings; null for the one that the conversation has. */
  provider = $state<string | null>(null);
  /** The compaction to be undone once nothing runs or waits; null for none. */
  undoLater = $state.raw<CompactionInfo | null>(null);

  readonly written: Written;
  /** What is written as the reason of a no; null where nothing can ask. */
  readonly reason: Reason | null;

  private readonly outbox: Outbox;
  /** What is being sent does not stand below the log. */
  private behind = $state(false);
  private readonly hearing: Hearing;
  private readonly delivery: Delivery;
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
    this.delivery = new Delivery(backend, id, this.written);
    this.hearing = new Hearing(() => backend.turns(id), this.written, this.delivery, {
      onRecord: () => hooks.onRecord(),
      onAnswered: () => this.reason?.answered(),
      onIdle: () => {
        this.keepReason();
      },
    });
    this.reason = hooks.begin
      ? null
      : new Reason(unsent, id, () => {
          if (this.hearing.isIdle) this.keepReason();
        });
    this.outbox = new Outbox(
      this.written,
      () => this.chosen(),
      () => this.sending,
      (message) => this.deliver(message),
    );
  }

  get turn(): Turn | null {
    return this.hearing.turn;
  }

  get queued(): readonly Queued[] {
    return this.hearing.queued;
  }

  get canRetry(): boolean {
    return this.hearing.canRetry;
  }

  /** Another process that is writing here. */
  get heldBy(): Turns['heldBy'] {
    return this.hearing.heldBy;
  }

  get readOnly(): boolean {
    return this.hearing.readOnly;
  }

  /** Why the model is offered no tools here. */
  get noTools(): string | null {
    return this.hearing.noTools;
  }

  /** What is read out to who does not see the answer come. */
  get spoken(): Spoken | null {
    return this.hearing.spoken;
  }

  private get below(): Below {
    return this.hearing.below;
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
    const given = this.reason?.text ?? '';
    try {
      const told = await this.backend.answer(this.id, turn.id, {
        callId,
        asked,
        answer,
        ...(reason ? { reason } : {}),
      });
      this.reason?.given(given);
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
    this.hearing.unqueue(turnId);
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
    this.hearing.noticed();
  }

  /** Asks how things stand: at the start, and whenever events were missed. */
  sync(): Promise<void> {
    return this.hearing.sync();
  }

  onGap(): void {
    this.delivery.again();
    // A conversation that is yet to begin took nothing.
    const { begin } = this.hooks;
    void this.written.doubt(async (key) => !begin && (await this.backend.giveUp(this.id, key)).taken);
    if (!begin) void this.sync();
  }

  onTurn(event: TurnEvent): void {
    if (event.sessionId === this.id) this.hearing.receive(event);
  }

  close(): void {
    this.written.close();
    this.reason?.close();
    this.hearing.close();
    this.delivery.close();
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
      this.hearing.canRetry = false;
      if (!answered) {
        await this.sync();
        return;
      }
      const { turnId, queued, seq } = answered;
      if (queued && 'text' in request) this.hearing.enqueue({ turnId, text: request.text, images });
      else if (!queued) this.hearing.started(turnId, seq);
    });
    this.below.said = null;
    return sent;
  }

  /** Nobody asks any more: what was written to say why not can still be said. */
  private keepReason(): void {
    void this.reason?.move((text) => {
      this.written.tookBack(text.trim());
      return this.written.moved();
    });
  }
}
