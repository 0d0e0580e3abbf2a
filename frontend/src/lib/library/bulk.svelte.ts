import { asBackendError, type Backend, type ExportFormat, type Session } from '../backend';
import { text } from '../text';
import type { Toasts } from '../toasts.svelte';
import { visibleLine } from '../visible';
import type { Entry } from './entries';
import type { Library } from './library.svelte';

export type Deed = 'archive' | 'unarchive' | 'trash' | 'restore' | 'export' | 'import';

/** What could not be done with one session, and why. */
export interface Failure {
  id: string;
  title: string;
  message: string;
  hint: string;
}

/** How it went with many sessions. */
export interface Outcome {
  deed: Deed;
  done: Entry[];
  /** Those that it does not apply to. */
  left: Entry[];
  failed: Failure[];
  stopped: boolean;
}

// More at once would not be faster, and would keep the program from all else.
const AT_ONCE = 3;
// So many come back with one request, where only their ids are known.
const PART = 1000;

const applies: Record<Deed, (entry: Entry) => boolean> = {
  archive: ({ session }) => !session.foreign && session.archivedAt === null,
  unarchive: ({ session }) => !session.foreign && session.archivedAt !== null,
  trash: ({ session }) => !session.foreign,
  restore: () => true,
  export: ({ session }) => session.gone !== true,
  import: ({ session }) => session.foreign && session.gone !== true,
};

/** Those of some sessions that a deed applies to. */
export const fit = (deed: Deed, entries: readonly Entry[]): Entry[] => entries.filter(applies[deed]);

/** Does one thing with many sessions, says how far it is, and tells of each that it failed for. */
export class Bulk {
  /** What is under way. */
  running = $state.raw<{ deed: Deed; done: number; total: number } | null>(null);
  /** What is to be told of it afterwards, beyond a short message. */
  outcome = $state.raw<Outcome | null>(null);
  private stopped = false;

  constructor(
    private readonly backend: Backend,
    private readonly library: Library,
    private readonly toasts: Toasts,
  ) {}

  stop(): void {
    this.stopped = true;
  }

  /** Each of them on its own; null if something is under way already. */
  private async each(
    deed: Deed,
    entries: readonly Entry[],
    act: (entry: Entry) => Promise<unknown>,
  ): Promise<Outcome | null> {
    if (this.running) return null;
    const todo = fit(deed, entries);
    const outcome: Outcome = {
      deed,
      done: [],
      left: entries.filter((entry) => !todo.includes(entry)),
      failed: [],
      stopped: false,
    };
    this.stopped = false;
    this.outcome = null;
    this.running = { deed, done: 0, total: todo.length };
    const queue = todo.values();
    const work = async () => {
      for (const entry of queue) {
        if (this.stopped) break;
        await act(entry).then(
          () => outcome.done.push(entry),
          (cause: unknown) => outcome.failed.push(failure(entry, cause)),
        );
        this.running = { deed, done: outcome.done.length + outcome.failed.length, total: todo.length };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    outcome.stopped = this.stopped && outcome.done.length + outcome.failed.length < todo.length;
    this.running = null;
    return outcome;
  }

  /** Says how it went; what failed is listed. */
  private tell(outcome: Outcome, undo?: () => unknown, done?: string): void {
    this.toasts.show(said(outcome, done), outcome.done.length > 0 && undo ? { undo } : {});
    this.outcome = outcome.failed.length > 0 ? outcome : null;
    // What is done needs not be chosen any more; what failed can be tried again, and with what it does not apply to something else.
    if (outcome.deed !== 'export' && outcome.done.length + outcome.failed.length > 0)
      this.library.selection.drop([...outcome.done, ...outcome.left].map(({ session }) => session.id));
  }

  archive(entries: readonly Entry[], archived: boolean): Promise<void> {
    const { backend, library } = this;
    const changed: Session[] = [];
    const act = async ({ session: { id } }: Entry) =>
      changed.push(await (archived ? backend.archive(id) : backend.unarchive(id)));
    return this.do(archived ? 'archive' : 'unarchive', entries, act, (outcome) => {
      library.putAll(changed);
      this.tell(outcome, () => this.archive(library.entriesOf(idsOf(outcome)), !archived));
    });
  }

  trash(entries: readonly Entry[]): Promise<void> {
    const { library } = this;
    return this.do(
      'trash',
      entries,
      ({ session }) => this.backend.moveToTrash(session.id),
      (outcome) => {
        library.dropAll(idsOf(outcome));
        this.tell(outcome, () => this.restore(outcome.done));
      },
    );
  }

  restore(entries: readonly Entry[]): Promise<void> {
    const { library } = this;
    const back: Session[] = [];
    const act = async ({ session }: Entry) => back.push(await this.backend.restore(session.id));
    return this.do('restore', entries, act, (outcome) => {
      library.putAll(back);
      library.dropTrashed(idsOf(outcome));
      this.tell(outcome, () => this.trash(outcome.done));
    });
  }

  /** Brings back from the trash what is known by its ids alone, in parts; the list is read anew after that. */
  async bringBack(ids: readonly string[]): Promise<void> {
    if (this.running) return;
    this.stopped = false;
    let [at, done, failed, why] = [0, 0, 0, ''];
    try {
      for (; at < ids.length && !this.stopped; at += PART) {
        this.running = { deed: 'restore', done: at, total: ids.length };
        const part = await this.backend.restoreMany(ids.slice(at, at + PART));
        done += part.ids.length;
        failed += part.failedCount;
        why ||= part.failed[0]?.problem.message ?? '';
      }
    } catch (cause) {
      this.toasts.error(cause, () => this.bringBack(ids.slice(at)));
    }
    this.running = null;
    // They are back, however long a list of all takes.
    if (done + failed > 0) this.toasts.show(broughtBack(done, failed, why, this.stopped && at < ids.length));
    await this.library.load();
  }

  import(entries: readonly Entry[]): Promise<void> {
    const { library } = this;
    const copies: Session[] = [];
    const act = async ({ session }: Entry) => copies.push(await this.backend.importSession(session.id));
    return this.do('import', entries, act, (outcome) => {
      library.putAll(copies);
      this.tell(outcome);
    });
  }

  /** Writes them where the user wants them; nothing of them changes. */
  async export(entries: readonly Entry[], format: ExportFormat): Promise<void> {
    const count = fit('export', entries).length;
    if (this.running || count === 0) return;
    const place = await this.backend.exportPlace(count).catch((cause: unknown) => (this.toasts.error(cause), null));
    if (!place) return;
    let secrets = 0;
    const outcome = await this.each('export', entries, async ({ session, title }) => {
      secrets += await place.add({ id: session.id, title }, format);
    });
    if (!outcome) return;
    const name = await place.finish();
    const saved = name && text.bulk.savedIn(outcome.done.length, visibleLine(name, 200));
    this.tell(
      outcome,
      undefined,
      saved && secrets > 0 ? `${saved} ${text.bulk.leftOut(secrets)}` : (saved ?? undefined),
    );
  }

  private async do(
    deed: Deed,
    entries: readonly Entry[],
    act: (entry: Entry) => Promise<unknown>,
    then: (outcome: Outcome) => void,
  ): Promise<void> {
    const outcome = await this.each(deed, entries, act);
    if (outcome) then(outcome);
  }
}

const idsOf = ({ done }: Outcome) => done.map(({ session }) => session.id);

function failure(entry: Entry, cause: unknown): Failure {
  const { message, hint } = asBackendError(cause);
  return { id: entry.session.id, title: entry.title, message, hint };
}

function broughtBack(done: number, failed: number, why: string, stopped: boolean): string {
  const { bulk } = text;
  return [bulk.done.restore(done), failed > 0 ? bulk.notRestored(failed, why) : '', stopped ? bulk.stopped : '']
    .filter(Boolean)
    .join(' ');
}

/** One message about all of it. */
function said({ deed, done, left, failed, stopped }: Outcome, went?: string): string {
  const { bulk } = text;
  return [
    done.length > 0 || failed.length + left.length === 0 ? (went ?? bulk.done[deed](done.length)) : '',
    left.length > 0 ? bulk.left[deed](left.length) : '',
    failed.length > 0 ? bulk.failed[deed](failed.length) : '',
    stopped ? bulk.stopped : '',
  ]
    .filter(Boolean)
    .join(' ');
}
