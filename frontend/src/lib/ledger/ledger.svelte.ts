import {
  asBackendError,
  type Backend,
  type BackendError,
  type Coverage,
  type IndexState,
  type LedgerEntry,
  type LedgerFilter,
} from '../backend';

/** Every compaction that was asked for: the newest at once, the rest page by page. */
export class LedgerPage {
  entries = $state.raw<readonly LedgerEntry[]>([]);
  total = $state(0);
  copied = $state(0);
  coverage = $state.raw<Coverage | null>(null);
  index = $state.raw<IndexState | null>(null);
  loaded = $state(false);
  /** There is more than has been read. */
  more = $state(false);
  error = $state.raw<BackendError | null>(null);
  private request = 0;

  constructor(private readonly backend: Pick<Backend, 'ledger' | 'indexState'>) {}

  async load(filter: LedgerFilter): Promise<void> {
    const request = ++this.request;
    const all: LedgerEntry[] = [];
    try {
      this.index = await this.backend.indexState().catch(() => null);
      let cursor: string | null = null;
      do {
        const page = await this.backend.ledger(filter, cursor);
        if (request !== this.request) return;
        all.push(...page.entries);
        this.entries = [...all];
        this.total = page.total;
        this.copied = page.copied;
        this.coverage = page.coverage;
        this.loaded = true;
        this.error = null;
        cursor = page.cursor;
        this.more = cursor !== null;
      } while (cursor !== null);
    } catch (cause) {
      if (request === this.request) this.error = asBackendError(cause);
    }
  }
}
