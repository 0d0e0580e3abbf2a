import { asBackendError, type Backend } from '../backend';

/** Whether a message was taken; null where nobody knows, and nobody will. */
export type Taken = boolean | null;

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
    /** Told when nobody answers who knows, and when somebody does or nobody asks any more. */
    private readonly onAway: (away: boolean) => void = () => undefined,
  ) {}

  /** Whether a message was taken in spite of this; if not, it is not any more. However long nobody answers, that is waited for. */
  async wasTaken(key: string, cause: unknown): Promise<Taken> {
    if (!isUnclear(cause)) return false;
    // Before it is asked: a program that went away may take its time to refuse that.
    if (isOffline(cause)) this.onAway(true);
    try {
      return (await this.until(() => this.backend.giveUp(this.id, key))).taken;
    } catch (failed) {
      // What is not there any more has nothing in it.
      return asBackendError(failed).code === 'not_found' ? false : null;
    }
  }

  /** Asks until somebody answers, or nobody wants to know any more. */
  async until<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await this.asked(ask);
    } finally {
      this.onAway(false);
    }
  }

  private async asked<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (cause) {
        if (!isOffline(cause)) throw cause;
      }
      this.onAway(true);
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
