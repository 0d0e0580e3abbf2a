import {
  asBackendError,
  type Backend,
  type BackendError,
  type Config,
  type LocalServer,
  type ModelList,
} from '../backend';

/** The server that answers, the models it offers, and where none is connected those found on this machine. */
export class Models {
  list = $state.raw<ModelList | null>(null);
  error = $state.raw<BackendError | null>(null);
  found = $state.raw<readonly LocalServer[] | null>(null);
  looking = $state(false);
  /** What the settings say, before the server was asked. */
  private baseUrl = $state<string | null>(null);

  /** Whether there is a server to ask; null as long as that is not known. */
  readonly connected = $derived.by(() => {
    if (!this.list) return this.baseUrl ? true : null;
    const { baseUrl, models, error } = this.list;
    // Without an address there may still be the one that everybody knows, with a key.
    return baseUrl !== '' || models.length > 0 || (error !== null && error.code !== 'no_model');
  });

  private request = 0;
  /** What was asked last, as it comes. */
  private asking: Promise<void> = Promise.resolve();

  constructor(
    private readonly backend: Backend,
    private readonly onSettings: (config: Config) => void,
  ) {}

  /** The model that answers in a conversation that had this one last. */
  inUse(last: string): string {
    const settings = this.list?.model ?? '';
    if (!last || !settings) return last || settings;
    // Not one that this server is known not to have.
    const unknown = !this.list || this.list.error !== null || this.list.models.some(({ id }) => id === last);
    return unknown ? last : settings;
  }

  /** The settings are known, or others now: what they name is asked. */
  follow(config: Config): void {
    if (this.baseUrl === config.baseUrl && this.list?.model === config.model) return;
    this.baseUrl = config.baseUrl;
    void this.load(false);
  }

  /** The list is no older than this once it is done, even where it was asked for once more meanwhile. */
  async load(refresh: boolean): Promise<void> {
    this.asking = this.ask(refresh, ++this.request);
    let last;
    do {
      last = this.asking;
      await last;
    } while (last !== this.asking);
  }

  private async ask(refresh: boolean, request: number): Promise<void> {
    try {
      const list = await this.backend.models(refresh);
      if (request !== this.request) return;
      this.list = list;
      this.error = null;
    } catch (cause) {
      if (request === this.request) this.error = asBackendError(cause);
    }
  }

  /** Asks again: the server that is connected, or this machine for one that could be. */
  async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      if (this.connected) await this.load(true);
      else {
        const [found] = await Promise.all([this.backend.localServers(), this.load(true)]);
        this.found = found;
      }
    } catch (cause) {
      this.error = asBackendError(cause);
    } finally {
      this.looking = false;
    }
  }

  /** What another provider offers, for who looks at it; the one in use is `list`. */
  async offered(provider: string | null): Promise<ModelList | null> {
    if (provider === (this.list?.provider ?? null)) return this.list;
    return this.backend.models(false, provider ?? '');
  }

  async use(baseUrl: string, model: string): Promise<void> {
    const config = await this.backend.useModel(baseUrl, model);
    this.baseUrl = config.baseUrl;
    await this.load(true);
    this.onSettings(config);
  }
}
