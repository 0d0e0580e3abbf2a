import { asBackendError, type Backend, type BackendError, type IndexState, type Steering } from '../backend';
import { OnceMore } from '../once-more';

/** How far the index is, asked for while somebody looks. */
export class Indexing {
  state = $state.raw<IndexState | null>(null);
  error = $state.raw<BackendError | null>(null);
  private readonly asking = new OnceMore(() => this.ask());
  /** How often it was steered: what was asked before that may answer behind it. */
  private steered = 0;

  constructor(private readonly backend: Pick<Backend, 'indexState' | 'steerIndex'>) {}

  /** Asks again; several calls while one is on its way are one more. */
  load(): Promise<void> {
    return this.asking.now();
  }

  private async ask(): Promise<void> {
    const { steered } = this;
    try {
      const state = await this.backend.indexState();
      if (steered === this.steered) this.state = state;
      else void this.asking.now();
    } catch {
      // What the index does is beside the point: that a search fails is said where it is shown.
      if (steered === this.steered) this.state = null;
    }
  }

  async steer(action: Steering): Promise<void> {
    this.error = null;
    try {
      const state = await this.backend.steerIndex(action);
      this.steered++;
      this.state = state;
    } catch (cause) {
      this.error = asBackendError(cause);
    }
  }
}
