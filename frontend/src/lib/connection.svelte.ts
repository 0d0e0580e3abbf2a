import { asBackendError, type Backend, type BackendError, type Config, type News, type TurnEvent } from './backend';

interface Handlers {
  /** The settings, whenever they were read. */
  onConfig: (config: Config) => void;
  /** The program has answered for the first time, or let somebody in: everything may be asked for. */
  onReady: () => Promise<void>;
  onNews: (news: News) => void;
  onTurn: (event: TurnEvent) => void;
  /** Some news were missed: everything shown is to be asked for again. */
  onMissed: () => void;
}

/** Whether the program answers and lets this page in, its settings, and its news. */
export class Connection {
  config = $state.raw<Config | null>(null);
  error = $state.raw<BackendError | null>(null);
  unauthorised = $state(false);
  /** A token was given and is not the right one. */
  refused = $state(false);
  /** Whether the program answers; what is shown is from before, if not. */
  answers = $state(true);

  private unsubscribe: (() => void) | null = null;
  private given = false;
  /** How often the settings were asked for, and which of these answers was the newest that came. */
  private asked = 0;
  private newest = 0;

  constructor(
    private readonly backend: Backend,
    private readonly handlers: Handlers,
  ) {}

  /** Whether anything may be asked for. */
  get ready(): boolean {
    return this.config !== null && !this.unauthorised;
  }

  /** Asks for the settings: whether the page may ask at all shows there. */
  async connect(): Promise<void> {
    this.error = null;
    // Before anything is read: what changes while it is read must not be missed.
    this.listen();
    try {
      await this.ask();
    } catch (cause) {
      this.fail(cause);
      return;
    }
    this.unauthorised = this.refused = this.given = false;
    this.answers = true;
    await this.handlers.onReady();
  }

  /** Asks now whether the program answers again, rather than when it would be asked by itself. */
  async reconnect(): Promise<void> {
    try {
      await this.ask();
    } catch {
      return;
    }
    this.answers = true;
    this.listen();
    this.handlers.onMissed();
  }

  signIn(token: string): void {
    this.backend.signIn?.(token);
    this.given = true;
    void this.connect();
  }

  /** Reads the settings again. */
  async reread(): Promise<void> {
    try {
      await this.ask();
    } catch (cause) {
      this.fail(cause);
    }
  }

  /** An answer that comes behind one that was asked for later says nothing any more. */
  private async ask(): Promise<void> {
    const asked = ++this.asked;
    const config = await this.backend.config();
    if (asked < this.newest) return;
    this.newest = asked;
    this.follow(config);
  }

  follow(config: Config): void {
    this.config = config;
    this.handlers.onConfig(config);
  }

  close(): void {
    this.unsubscribe?.();
  }

  private listen(): void {
    this.unsubscribe?.();
    this.unsubscribe = this.backend.subscribe({
      onNews: this.handlers.onNews,
      onTurn: this.handlers.onTurn,
      onGap: this.handlers.onMissed,
      onConnection: (answers) => {
        this.answers = answers;
      },
      onUnauthorised: () => {
        this.unauthorised = true;
      },
    });
  }

  private fail(cause: unknown): void {
    const error = asBackendError(cause);
    if (error.code === 'unauthorised') {
      this.refused = this.given;
      this.unauthorised = true;
    } else if (!this.config) {
      this.error = error;
    }
  }
}
