import type { TurnEvent, Turns } from '../backend';
import { OnceMore } from '../once-more';
import { InOrder } from './in-order';

interface Follower {
  /** How it stands; `isLate` says of a turn that the answer may not know it yet. */
  take(turns: Turns, isLate: (turnId: string) => boolean): void;
  apply(event: TurnEvent): void;
}

/**
 * Follows the turns of one conversation: their events in order, once each. Where some are missing it asks how
 * things stand, and goes on from there.
 */
export class Follow {
  private readonly orders = new Map<string, InOrder<TurnEvent>>();
  private readonly over = new Set<string>();
  // What came while it was asked is heard at once, and not when somebody gets to hear of it: what comes in between would wait.
  private readonly asking = new OnceMore(
    () => this.ask(),
    () => {
      if (!this.closed) this.hear();
    },
  );
  private waiting: TurnEvent[] = [];
  private closed = false;

  constructor(
    private readonly read: () => Promise<Turns>,
    private readonly follower: Follower,
  ) {}

  receive(event: TurnEvent): void {
    if (this.closed || this.over.has(event.turnId)) return;
    if (this.asking.isAsking) this.waiting.push(event);
    else this.order(event.turnId).receive(event);
  }

  isOver(turnId: string): boolean {
    return this.over.has(turnId);
  }

  /** Nothing that is still said of this turn matters. */
  forget(turnId: string): void {
    this.orders.get(turnId)?.close();
    this.orders.delete(turnId);
    this.over.add(turnId);
  }

  sync(): Promise<void> {
    return this.asking.now();
  }

  close(): void {
    this.closed = true;
    for (const order of this.orders.values()) order.close();
  }

  private async ask(): Promise<void> {
    if (this.closed) return;
    const before = new Set(this.orders.keys());
    try {
      const turns = await this.read();
      if (!this.closed) this.take(turns, before);
    } catch {
      // Whatever is wrong shows where the conversation is read.
    }
  }

  /** Takes in what came while it was asked. */
  private hear(isMeant: (turnId: string) => boolean = () => true): void {
    const events = this.waiting;
    this.waiting = [];
    for (const event of events) {
      if (this.isOver(event.turnId)) continue;
      if (isMeant(event.turnId)) this.order(event.turnId).receive(event);
      else this.waiting.push(event);
    }
  }

  private take(turns: Turns, before: ReadonlySet<string>): void {
    const { running, queued } = turns;
    const named = new Set([running?.turnId, ...queued.map(({ turnId }) => turnId)]);
    // How a turn ended is said in its own words, if they came.
    this.hear((id) => before.has(id) && !named.has(id));
    for (const id of before) if (!named.has(id)) this.forget(id);
    this.follower.take(turns, (id) => !named.has(id) && !this.isOver(id));
    // Of a message that waits nothing was said but that it waits.
    for (const { turnId } of queued) if (!this.isOver(turnId)) this.order(turnId).resume(1);
    if (running && !this.isOver(running.turnId)) this.order(running.turnId).resume(running.n);
  }

  /** A turn is followed from its first event on, or from when it was sent. */
  order(turnId: string): InOrder<TurnEvent> {
    const known = this.orders.get(turnId);
    if (known) return known;
    const order = new InOrder<TurnEvent>(
      (event) => {
        this.follower.apply(event);
      },
      () => void this.sync(),
    );
    this.orders.set(turnId, order);
    return order;
  }
}
