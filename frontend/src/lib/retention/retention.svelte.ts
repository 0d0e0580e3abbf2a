import { SvelteSet } from 'svelte/reactivity';
import type { App } from '../app.svelte';
import { asBackendError, BackendError, type Kept, type KeptCopy, type Retention } from '../backend';
import { text } from '../text';
import { Cleaning } from './cleaning.svelte';

// So many of those that go are told: nobody looks at more.
const TOLD = 100;
// So many are asked for to be kept, and so many of them are kept at a time, so that one sees how far it is.
const PART = 200;
const STEP = 20;
/** What other agents will delete, what was kept of it, and what of ours may go. */
export class Guard {
  told = $state.raw<Retention | null>(null);
  kept = $state.raw<readonly KeptCopy[] | null>(null);
  error = $state.raw<BackendError | null>(null);
  busy = $state(false);
  /** How many of many are kept by now. */
  keeping = $state<{ done: number; of: number } | null>(null);
  /** What came of it, told where it was asked for: nothing lies over those that are to be kept next. */
  said = $state('');
  private stopped = false;
  private looksAtCopies = false;
  /** Copies that will be removed, and are there until then. */
  readonly marked = new SvelteSet<string>();
  /** What is told of, and the copy that somebody came for. */
  tab = $state<'going' | 'kept' | 'clean'>('going');
  wanted: string | null = null;
  /** How many go within a week and were not kept. */
  readonly going = $derived(this.told?.agents.reduce((sum, { going }) => sum + going, 0) ?? 0);

  readonly cleaning: Cleaning;

  constructor(private readonly app: App) {
    this.cleaning = new Cleaning(app, (action) => this.work(action));
  }

  async load(): Promise<void> {
    try {
      const { backend } = this.app;
      const copies = this.looksAtCopies ? backend.keptCopies() : null;
      [this.told, this.kept] = await Promise.all([backend.retention({ limit: TOLD, open: false }), copies]);
      this.error = null;
    } catch (cause) {
      this.error = asBackendError(cause);
    }
  }

  /** Somebody looks at the copies: there may be thousands, so they are asked for no sooner. */
  async lookAtCopies(): Promise<void> {
    if (this.looksAtCopies) return;
    this.looksAtCopies = true;
    await this.load();
  }

  /** Keeps copies of some. */
  keep(ids: readonly string[]): Promise<void> {
    let left = ids;
    return this.keepEach(ids.length, () => {
      const some = left;
      left = [];
      return Promise.resolve(some);
    });
  }

  /** Keeps copies of all that go before a moment and have none, the soonest first. */
  keepOpen(count: number, before = Infinity): Promise<void> {
    const tried = new Set<string>();
    return this.keepEach(count, async (failed) => {
      const { sessions } = await this.app.backend.retention({ limit: PART + failed, open: true });
      const some = sessions.filter(({ id, goesAt }) => !tried.has(id) && Date.parse(goesAt) < before);
      return some.map(({ id }) => (tried.add(id), id));
    });
  }

  /** What is being kept is the last: what was kept stays. */
  stop(): void {
    this.stopped = true;
  }

  /** Keeps what it is given, as long as that is something. */
  private keepEach(of: number, next: (failed: number) => Promise<readonly string[]>): Promise<void> {
    return this.work(async () => {
      const failed: NonNullable<Kept['problem']>[] = [];
      let done = 0;
      this.stopped = false;
      this.said = '';
      const steps = async (ids: readonly string[]) => {
        for (let at = 0; at < ids.length && !this.stopped; at += STEP) {
          this.keeping = { done: done + failed.length, of };
          for (const one of await this.app.backend.keep(ids.slice(at, at + STEP))) {
            if (one.problem) failed.push(one.problem);
            else done++;
          }
        }
      };
      try {
        for (let ids = await next(0); ids.length > 0 && !this.stopped; ids = await next(failed.length))
          await steps(ids);
      } finally {
        this.keeping = null;
      }
      if (done > 0) this.tell(text.retention.kept(done));
      // What failed is no news: those take each other's place.
      const [why] = failed;
      if (why)
        this.app.toasts.error(new BackendError('failed', text.retention.notKept(failed.length, why.message), why.hint));
    });
  }

  private tell(kept: string): void {
    if (this.app.dialog === 'retention') this.said = kept;
    else this.app.toasts.show(kept);
  }

  /** Shows a copy among all that are kept. */
  show(id: string): void {
    this.tab = 'kept';
    this.wanted = id;
    this.app.dialog = 'retention';
  }

  /** Nobody looks any more. */
  left(): void {
    this.tab = 'going';
    this.looksAtCopies = false;
    this.wanted = null;
    this.said = '';
    void this.dropMarked();
  }

  /** Marks a copy to be removed, or takes that back: once it is removed, nothing brings it back. */
  mark(id: string): void {
    if (!this.marked.delete(id)) this.marked.add(id);
  }

  /** Removes the copies that are marked. */
  async dropMarked(): Promise<void> {
    const ids = [...this.marked];
    if (ids.length === 0) return;
    await this.work(async () => {
      this.marked.clear();
      await this.app.backend.dropCopies(ids);
      this.app.toasts.show(text.retention.dropped(ids.length));
    });
  }

  private async work(action: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await action();
      await this.load();
    } catch (cause) {
      this.app.toasts.error(cause);
    } finally {
      this.busy = false;
    }
  }
}
