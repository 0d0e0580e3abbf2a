import { asBackendError, type Backend } from '../backend';

// Until it is asked again where nobody answers, in milliseconds, unless the program is heard of sooner.
const AGAIN = 4000;

/** Nobody who knows has answered: what was asked for may have been done. */
export const isOffline = (cause: unknown) => cause !== null && asBackendError(cause).code === 'offline';

// Of these the program says no more than that something failed, which may have been after it took the message.
const isUnclear = (cause: unknown) => isOffline(cause) || asBackendError(cause).code === 'failed';

/** What becomes of messages to which no answer came that says it. */
export class Fate {
  private waiting: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly backend: Pick<Backend, 'giveUp'>,
    private readonly id: string,
  ) {}

  /** Whether a message was taken in spite of this; else it is not any more. However long nobody answers, that is waited for. */
  async wasTaken(key: string, cause: unknown): Promise<boolean> {
    if (!isUnclear(cause)) return false;
    try {
      return (await this.until(() => this.backend.giveUp(this.id, key))).taken;
    } catch {
      return false;
    }
  }

  /** Asks until somebody answers, or nobody wants to know any more. */
  async until<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (cause) {
        if (!isOffline(cause)) throw cause;
      }
      await new Promise<void>((go) => {
        const timer = setTimeout(() => {
          this.ask();
        }, AGAIN);
        this.waiting.push(() => {
          clearTimeout(timer);
          go();
        });
      });
      if (this.closed) throw new Error('nobody wants to know any more');
    }
  }

  /** The program may answer again. */
  ask(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const go of waiting) go();
  }

  close(): void {
    this.closed = true;
    this.ask();
  }
}
