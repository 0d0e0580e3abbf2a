import { asBackendError, type Backend, type BackendError, type SearchPlace } from '../backend';
import type { Asked } from './asked';

/** Every place of one session in which something was found. */
export class Places {
  all = $state.raw<readonly SearchPlace[]>([]);
  complete = $state(true);
  looking = $state(true);
  error = $state.raw<BackendError | null>(null);
  private readonly flight = new AbortController();

  constructor(
    private readonly backend: Pick<Backend, 'searchIn'>,
    private readonly id: string,
    private readonly asked: Asked,
  ) {}

  async load(): Promise<void> {
    this.looking = true;
    this.error = null;
    try {
      const { hits, complete } = await this.backend.searchIn(this.id, this.asked, this.flight.signal);
      this.all = hits;
      this.complete = complete;
    } catch (cause) {
      if (!this.flight.signal.aborted) this.error = asBackendError(cause);
    }
    this.looking = false;
  }

  close(): void {
    this.flight.abort();
  }
}
