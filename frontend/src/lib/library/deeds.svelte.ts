import type { Backend, Session } from '../backend';
import { text } from '../text';
import type { Toasts } from '../toasts.svelte';
import { visibleLine } from '../visible';
import { entryOf, type Entry } from './entries';
import type { Library } from './library.svelte';

/** What is done with one session: it is said, and can be taken back. */
export class Deeds {
  /** The session whose name is being edited. */
  renaming = $state<string | null>(null);
  /** Names that were typed and could not be given: the field holds them when it is opened again. */
  readonly typed = new Map<string, string>();
  private readonly moving = new Set<string>();

  constructor(
    private readonly backend: Backend,
    private readonly library: Library,
    private readonly toasts: Toasts,
    /** A session was made from another: it is to be shown. */
    private readonly onMade: (session: Session) => void,
  ) {}

  rename(id: string, name: string): Promise<void> {
    this.renaming = null;
    const before = this.library.find(id)?.name ?? '';
    const again = () => this.rename(id, name);
    this.typed.set(id, name);
    return this.toasts.attempt(async () => {
      const renamed = entryOf(await this.backend.rename(id, name.trim()));
      this.typed.delete(id);
      this.library.put(renamed.session);
      // A name that was given can be given again; one that is gone is not shown anywhere.
      if (!before) return;
      const said = name.trim()
        ? text.library.renamed(renamed.title)
        : text.library.nameCleared(visibleLine(before, 80));
      this.toasts.show(said, { undo: () => this.rename(id, before) });
    }, again);
  }

  archive(entry: Entry): Promise<void> {
    const { id } = entry.session;
    return this.toasts.attempt(async () => {
      this.library.put(await this.backend.archive(id));
      this.toasts.show(text.library.archivedNow(entry.title), { undo: () => this.unarchive(id) });
    });
  }

  unarchive(id: string, title?: string): Promise<void> {
    return this.toasts.attempt(async () => {
      this.library.put(await this.backend.unarchive(id));
      const entry = title && this.library.entry(id);
      if (entry) this.toasts.show(text.library.unarchivedNow(title), { undo: () => this.archive(entry) });
    });
  }

  moveToTrash(entry: Entry): Promise<void> {
    const { id } = entry.session;
    return this.once(id, async () => {
      await this.backend.moveToTrash(id);
      this.library.dropAll([id]);
      this.toasts.show(text.library.trashed(entry.title), { undo: () => this.restore(entry) });
    });
  }

  restore(entry: Entry): Promise<void> {
    const { id } = entry.session;
    return this.once(id, async () => {
      this.library.put(await this.backend.restore(id));
      this.library.dropTrashed([id]);
      this.toasts.show(text.library.restored(entry.title), { undo: () => this.moveToTrash(entry) });
    });
  }

  /** A key may be pressed again before the row is gone: to or from the trash a session goes once at a time. */
  private async once(id: string, act: () => Promise<void>): Promise<void> {
    if (this.moving.has(id)) return;
    this.moving.add(id);
    await this.toasts.attempt(act);
    this.moving.delete(id);
  }

  fork(session: Session, atSeq = 0): Promise<void> {
    return this.toasts.attempt(async () => {
      this.made(await this.backend.fork(session.id, atSeq));
      this.toasts.show(text.library.forked(entryOf(session).title));
    });
  }

  /** Makes a session of another agent one of ours, and opens that. */
  importSession(session: Session): Promise<void> {
    return this.toasts.attempt(async () => {
      this.made(await this.backend.importSession(session.id));
      this.toasts.show(text.library.imported(entryOf(session).title));
    });
  }

  private made(session: Session): void {
    this.library.put(session);
    this.onMade(session);
  }
}
