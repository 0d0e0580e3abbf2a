import { asBackendError, BackendError, type Backend, type SendRequest, type Sent } from '../backend';
import { text } from '../text';
import { Fate, isOffline } from './fate';
import type { Failure } from './kinds';
import type { Written } from './written.svelte';

/** Handing a message over to the program: one at a time, and why it came to nothing. */
export class Delivery {
  sending = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** The program does not answer, and with it nobody knows what became of what is being sent. */
  away = $state(false);
  private readonly fate: Fate;

  constructor(
    private readonly backend: Pick<Backend, 'send' | 'giveUp'>,
    private readonly id: string,
    private readonly written: Pick<Written, 'laid'>,
  ) {
    this.fate = new Fate(backend, id, (away) => {
      this.away = away;
    });
  }

  /** `sent` tells that what is asked for has gone into the log already; settles with whether it was done. */
  async attempt(sent: boolean, action: () => Promise<void>): Promise<boolean> {
    this.sending = true;
    this.failure = null;
    try {
      await action();
      return true;
    } catch (cause) {
      const { code, message, hint } = asBackendError(cause);
      this.failure = { code, message, hint, sent };
      return false;
    } finally {
      this.sending = false;
    }
  }

  /** Begins a conversation with a message: asked twice, it is begun once. */
  async begin(begin: () => Promise<void>): Promise<void> {
    await this.lies();
    await this.fate.until(begin);
  }

  /** Null of a message that was taken without an answer that says so. */
  async send(request: SendRequest): Promise<Sent | null> {
    if ('text' in request) await this.lies();
    try {
      return await this.backend.send(this.id, request);
    } catch (cause) {
      const key = 'text' in request ? request.key : undefined;
      const taken = key !== undefined && (await this.fate.wasTaken(key, cause));
      if (taken) return null;
      if (taken === null) throw unheard();
      // By now the program has answered, if only to that.
      throw key !== undefined && isOffline(cause) ? undelivered() : cause;
    }
  }

  /** The program answers again: that it does not must not stay said. */
  again(): void {
    const { failure } = this;
    if (failure?.code === 'offline') {
      const { code, message, hint } = undelivered();
      // What has gone into the log can be tried again from there.
      this.failure = failure.sent ? null : { code, message, hint, sent: false };
    }
    this.fate.ask();
  }

  close(): void {
    this.fate.close();
  }

  /** It lies on the desk as being sent before it is: else it might be found there as unsent, and sent again. */
  private async lies(): Promise<void> {
    const unlaid = await this.written.laid();
    if (isOffline(unlaid)) throw unlaid;
  }
}

const undelivered = () => new BackendError('undelivered', text.composer.undelivered, text.composer.undeliveredHint);
const unheard = () => new BackendError('unheard', text.composer.unheardWhy, text.composer.unheardHint);
