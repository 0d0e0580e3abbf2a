import { OnceMore } from '../once-more';

// Of so many sessions each is asked for by itself at a time; where more are news, the list is read anew.
const FEW = 30;

/** Sessions that are asked for because they changed: one question at a time for each, however often it changes meanwhile. */
export class AskedAnew {
  private readonly asking = new Map<string, OnceMore>();
  private readonly all: OnceMore;

  constructor(
    private readonly askFor: (id: string) => Promise<void>,
    reload: () => Promise<void>,
  ) {
    this.all = new OnceMore(reload);
  }

  /** An answer about a session is on its way, which may be of before. */
  has(id: string): boolean {
    return this.asking.has(id);
  }

  async now(id: string): Promise<void> {
    if (this.asking.size >= FEW && !this.asking.has(id)) {
      await this.all.now();
      return;
    }
    const asking = this.asking.get(id) ?? new OnceMore(() => this.askFor(id));
    this.asking.set(id, asking);
    await asking.now();
    if (this.asking.get(id) === asking && !asking.isAsking) this.asking.delete(id);
  }
}
