import {
  asBackendError,
  type Backend,
  type BackendError,
  type Coverage,
  type IndexState,
  type LedgerEntry,
  type LedgerFilter,
} from '../backend';
import { OnceMore, Question } from '../once-more';

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
  private readonly question = new Question();
  private readonly standing = new OnceMore(async () => {
    this.index = await this.backend.indexState().catch(() => null);
  });
  /** What the entries were asked for with, once all of them are there. */
  private of = '';

  constructor(private readonly backend: Pick<Backend, 'ledger' | 'indexState'>) {}

  /** Asks; how far the index is shows at once. */
  async load(filter: LedgerFilter): Promise<void> {
    const key = JSON.stringify(filter);
    await Promise.all([this.standing.now(), this.question.now(key, (isWanted) => this.ask(filter, key, isWanted))]);
  }

  private async ask(filter: LedgerFilter, key: string, isWanted: () => boolean): Promise<void> {
    const all: LedgerEntry[] = [];
    // Asked anew, they stay as they are until all of them are there: nobody loses the place where they read.
    const anew = this.of === key;
    try {
      let cursor: string | null = null;
      do {
        const page = await this.backend.ledger(filter, cursor);
        if (!isWanted()) return;
        all.push(...page.entries);
        cursor = page.cursor;
        if (!anew || cursor === null) {
          this.entries = [...all];
          this.of = cursor === null ? key : '';
        }
        this.total = page.total;
        this.copied = page.copied;
        this.coverage = page.coverage;
        this.loaded = true;
        this.error = null;
        this.more = cursor !== null && !anew;
      } while (cursor !== null);
    } catch (cause) {
      if (isWanted()) this.error = asBackendError(cause);
    }
  }
}
