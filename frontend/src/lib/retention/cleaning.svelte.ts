import type { App } from '../app.svelte';
import { BackendError, type Cleaned, type CleanupRule, type Session } from '../backend';
import { text } from '../text';

// So many are moved to the trash at a time, so that one sees how far it is.
const STEP = 1000;

/** What goes by a rule: all ids, and the first of them with all that is known of them. */
export interface Preview {
  rule: CleanupRule;
  ids: readonly string[];
  bytes: number;
  sessions: readonly Session[];
}

/** Old conversations of ours go to the trash by a rule, however many they are. */
export class Cleaning {
  /** How many of many are in the trash by now. */
  moving = $state<{ done: number; of: number } | null>(null);

  constructor(
    private readonly app: App,
    private readonly work: (action: () => Promise<void>) => Promise<void>,
  ) {}

  /** What would go, asked for in as many parts as that takes. */
  async preview(rule: CleanupRule): Promise<Preview | null> {
    const { backend, toasts } = this.app;
    const asked = { ...rule, dryRun: true };
    try {
      const first = await backend.cleanUp(asked);
      const ids = [...first.ids];
      for (let { next } = first; next !== null;) {
        const more = await backend.cleanUp({ ...asked, from: next });
        ids.push(...more.ids);
        next = more.next;
      }
      return { rule, ids, bytes: first.bytes, sessions: first.sessions };
    } catch (cause) {
      toasts.error(cause);
      return null;
    }
  }

  /** Moves what was shown to the trash, and offers to bring all of it back. */
  clean({ rule, ids }: Preview): Promise<void> {
    return this.work(async () => {
      const gone: string[] = [];
      try {
        await this.move(rule, ids, gone);
      } finally {
        this.moving = null;
        if (gone.length > 0) this.tell(gone);
        await this.app.library.load();
      }
      if (gone.length === 0) this.app.toasts.show(text.retention.cleaned(0));
    });
  }

  private async move(rule: CleanupRule, ids: readonly string[], gone: string[]): Promise<void> {
    let failed = 0;
    let why: Cleaned['failed'][0]['problem'] | undefined;
    for (let at = 0; at < ids.length; at += STEP) {
      this.moving = { done: gone.length + failed, of: ids.length };
      const done = await this.app.backend.cleanUp({ ...rule, only: ids.slice(at, at + STEP), dryRun: false });
      gone.push(...done.ids);
      failed += done.failedCount;
      why ??= done.failed[0]?.problem;
    }
    if (failed === 0) return;
    const { message = '', hint = '' } = why ?? {};
    this.app.toasts.error(new BackendError('failed', text.retention.notCleaned(failed, message), hint));
  }

  private tell(gone: readonly string[]): void {
    const { bulk, toasts } = this.app;
    // What else is under way comes first; the way back is offered again.
    const undo = () => (bulk.running ? this.tell(gone) : bulk.bringBack(gone));
    toasts.show(text.retention.cleaned(gone.length), { undo });
  }
}
