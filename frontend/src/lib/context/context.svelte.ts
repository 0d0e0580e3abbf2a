import { asBackendError, type Backend, type BackendError, type Context } from '../backend';

/** What the model sees of a session, by size. */
export class ContextSize {
  current = $state.raw<Context | null>(null);
  error = $state.raw<BackendError | null>(null);
  private request = 0;

  constructor(
    private readonly backend: Pick<Backend, 'context'>,
    private readonly id: string,
  ) {}

  async load(): Promise<void> {
    const request = ++this.request;
    try {
      const context = await this.backend.context(this.id);
      if (request !== this.request) return;
      this.current = context;
      this.error = null;
    } catch (cause) {
      if (request === this.request) this.error = asBackendError(cause);
    }
  }
}
