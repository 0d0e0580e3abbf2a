import type { Turns, TurnEvent } from '../backend';
import { str } from '../transcript/record';
import { Below } from './below.svelte';
import type { Delivery } from './delivery.svelte';
import { Follow } from './follow';
import { imageFiles, imagesIn } from './image';
import type { Queued, Spoken } from './kinds';
import { newKey, problemOf, Turn } from './turn.svelte';
import type { Written } from './written.svelte';

// How long, in milliseconds, until it is asked how things stand: after a change, and while another program writes.
const SOON = 400;
const HELD = 2000;

/** Who acts on what is heard. */
interface Listener {
  /** The log has changed; settles once what it holds now is shown. */
  onRecord: () => Promise<void>;
  /** What a tool asked was answered. */
  onAnswered: () => void;
  /** Nothing runs any more, and nobody asks. */
  onIdle: () => void;
}

/** What the program tells of the turns of one conversation: which one runs, what waits behind it, and how they end. */
export class Hearing {
  turn = $state.raw<Turn | null>(null);
  queued = $state.raw<readonly Queued[]>([]);
  canRetry = $state(false);
  /** Another process that is writing here. */
  heldBy = $state.raw<Turns['heldBy']>(null);
  readOnly = $state(false);
  /** Why the model is offered no tools here. */
  noTools = $state<string | null>(null);
  /** What is read out to who does not see the answer come. */
  spoken = $state<Spoken | null>(null);

  readonly below: Below;
  private readonly follow: Follow;
  private asking: ReturnType<typeof setTimeout> | undefined;
  /** Whether a turn runs has been told. */
  private known = false;

  constructor(
    read: () => Promise<Turns>,
    private readonly written: Written,
    private readonly delivery: Pick<Delivery, 'failure'>,
    private readonly listener: Listener,
  ) {
    this.below = new Below(() => this.turn, listener.onRecord);
    this.follow = new Follow(read, {
      take: (turns, isLate) => {
        this.take(turns, isLate);
      },
      apply: (event) => {
        this.apply(event);
      },
    });
  }

  /** It is known that nothing runs. */
  get isIdle(): boolean {
    return this.known && !this.turn;
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

  receive(event: TurnEvent): void {
    this.follow.receive(event);
  }

  /** A message was taken, and its turn runs: the log has the message under this number. */
  started(turnId: string, seq: number | null): void {
    if (!this.follow.isOver(turnId)) this.begin(turnId).holds(seq);
  }

  /** A message waits behind the turn that runs. */
  enqueue(waiting: Queued): void {
    const { turnId } = waiting;
    if (this.turn?.id === turnId || this.follow.isOver(turnId)) return;
    if (!this.queued.some((one) => one.turnId === turnId)) this.queued = [...this.queued, waiting];
  }

  unqueue(turnId: string): void {
    this.queued = this.queued.filter((one) => one.turnId !== turnId);
  }

  close(): void {
    clearTimeout(this.asking);
    this.follow.close();
    this.turn?.close();
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
        if (data.answer !== 'stopped') this.listener.onAnswered();
      }
      if (kind === 'record' || kind === 'compaction') void this.listener.onRecord();
    }
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
    if (unseen.length > 0) this.written.attached.putBack(imageFiles(waited?.images ?? unseen));
    this.written.tookBack(unsent);
    // That the next one runs may be told before this one is over.
    if (this.turn && !turn) return;
    this.turn = null;
    this.listener.onIdle();
    this.canRetry = false;
    // Whether there is something to try again, the log knows.
    if (status !== 'ok') void this.sync();
    this.spoken = status === 'ok' ? 'finished' : status === 'aborted' ? 'stopped' : 'failed';
    await this.below.leave(turn);
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
      this.listener.onIdle();
      if (!was) return;
      // Nobody told how it ended; that a tool asks must not stay said.
      this.spoken = canRetry ? 'failed' : 'finished';
      void this.below.leave(was);
      return;
    }
    this.delivery.failure = null;
    // What was sent is answered: that is asked for at times before it is told.
    if (!was && this.below.said) this.spoken = 'started';
    this.turn = Turn.of(running, was?.id === running.turnId ? was : null);
    was?.close();
    if (was) this.below.remember(was);
    void this.listener.onRecord();
  }
}
