// Events may come a little out of order, and from a program that is asked anew also twice.
const WINDOW = 32;
const PATIENCE_MS = 300;

interface Numbered {
  n: number;
}

/** Hands on what is numbered from 1 in its order, once each. What is missing for too long is a gap. */
export class InOrder<T extends Numbered> {
  private last = 0;
  private readonly held = new Map<number, T>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly deliver: (event: T) => void,
    private readonly onGap: () => void,
  ) {}

  receive(event: T): void {
    if (event.n <= this.last || this.held.has(event.n)) return;
    this.held.set(event.n, event);
    this.drain();
  }

  /** All up to `n` is known from elsewhere. */
  resume(n: number): void {
    this.last = Math.max(this.last, n);
    for (const known of [...this.held.keys()]) if (known <= this.last) this.held.delete(known);
    this.drain();
  }

  close(): void {
    clearTimeout(this.timer);
    this.held.clear();
  }

  private drain(): void {
    clearTimeout(this.timer);
    for (let next = this.take(); next; next = this.take()) this.deliver(next);
    if (this.held.size === 0) return;
    if (this.held.size >= WINDOW) this.onGap();
    else this.timer = setTimeout(this.onGap, PATIENCE_MS);
  }

  private take(): T | undefined {
    const event = this.held.get(this.last + 1);
    if (!event) return undefined;
    this.held.delete(++this.last);
    return event;
  }
}
