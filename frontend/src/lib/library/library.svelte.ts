import { asBackendError, type Backend, type BackendError, type ExportPlace, type News, type Session } from '../backend';
import { Breath } from '../breath';
import type { Clock } from '../clock.svelte';
import { text } from '../text';
import type { Toasts } from '../toasts.svelte';
import { isForeignId } from '../transcript/excerpt';
import { visibleLine } from '../visible';
import { arrange, sorted } from './arrange';
import { compare, entryOf, withEntries, withEntry, withoutEntries, withoutEntry, type Entry } from './entries';
import { Families } from './families.svelte';
import { filterEntries } from './filter';
import { Filtering } from './filtering';
import { Order } from './order.svelte';
import { Selection } from './selection.svelte';

export type Shelf = 'sessions' | 'trash';

/** All sessions, what of them is shown, and what can be done with them. */
export class Library {
  query = $state('');
  archivedToo = $state(false);
  shelf = $state<Shelf>('sessions');
  loaded = $state(false);
  error = $state.raw<BackendError | null>(null);
  /** The session whose name is being edited. */
  renaming = $state<string | null>(null);
  /** Names that were typed and could not be given: the field holds them when it is opened again. */
  readonly typed = new Map<string, string>();

  private all = $state.raw<readonly Entry[]>([]);
  private readonly moving = new Set<string>();
  private trashed = $state.raw<readonly Entry[]>([]);
  private readonly live = $derived(this.all.filter(({ session }) => session.archivedAt === null));
  readonly shelved = $derived(this.shelf === 'trash' ? this.trashed : this.archivedToo ? this.all : this.live);
  private readonly ordered = $derived.by(() => sorted(this.shelved, this.order.sort));
  private readonly filtering = new Filtering();
  readonly shown = $derived(this.filtering.of(this.ordered, this.query));
  /** How many the list would show if those that are archived were in it: asked where it shows none. */
  readonly putAway = $derived(
    this.shelf === 'sessions' && !this.archivedToo && this.shown.length === 0
      ? filterEntries(this.all, this.query).length
      : 0,
  );
  readonly items = $derived.by(() =>
    arrange(this.shown, {
      group: this.order.group,
      sort: this.order.sort,
      today: this.clock.today,
      shut: this.order.shut,
      below: this.families.shown,
    }),
  );
  /** The agents that there are sessions of. */
  readonly agents = $derived(
    [...new Set(this.shelved.map(({ session }) => session.agent ?? ''))].filter(Boolean).sort(),
  );

  readonly families: Families;
  readonly selection = new Selection();

  private request = 0;
  private readonly refreshing = new Map<string, 'running' | 'again'>();

  constructor(
    private readonly backend: Backend,
    private readonly clock: Clock,
    private readonly toasts: Toasts,
    private readonly onFork: (session: Session) => void,
    readonly order: Order = new Order(),
  ) {
    this.families = new Families(backend);
  }

  /** A session that is not in the trash, in the list or below one that is. */
  find(id: string): Session | undefined {
    return (this.all.find((entry) => entry.session.id === id) ?? this.families.entry(id))?.session;
  }

  /** Sees to it that something is known of a session that the list leaves out. */
  async meet(id: string): Promise<void> {
    if (!this.loaded || this.find(id)) return;
    const session = await this.backend.session(id).catch(() => null);
    if (session) this.families.keep(session);
  }

  /** Every session that is not in the trash, newest first. */
  get everything(): readonly Entry[] {
    return this.all;
  }

  /** A session of the library, or of the trash where that is shown. */
  entry(id: string): Entry | undefined {
    const has = ({ session }: Entry) => session.id === id;
    const trashed = this.shelf === 'trash' ? this.trashed.find(has) : undefined;
    return trashed ?? this.all.find(has) ?? this.families.entry(id);
  }

  isTrashed(entry: Entry): boolean {
    return this.trashed.includes(entry);
  }

  /** Sees to it that the list shows a session. */
  reveal(id: string): void {
    const entry = this.all.find(({ session }) => session.id === id);
    if (!entry) return;
    this.shelf = 'sessions';
    if (entry.session.archivedAt !== null) this.archivedToo = true;
    if (!this.shown.includes(entry)) this.query = '';
  }

  get isEmpty(): boolean {
    return this.loaded && this.all.length === 0;
  }

  /** Reads the whole list: what is known at once first, then with what has to be counted. */
  async load(): Promise<void> {
    const request = ++this.request;
    this.error = null;
    try {
      const quick = await this.backend.sessions({ archived: true, quick: true });
      if (request !== this.request || !(await this.show(quick, request))) return;
      if (quick.some((session) => session.messageCount === null)) {
        const counted = await this.backend.sessions({ archived: true, quick: false });
        if (request !== this.request || !(await this.show(counted, request))) return;
      }
      if (this.shelf === 'trash') await this.loadTrash();
    } catch (cause) {
      if (request === this.request) this.error = asBackendError(cause);
    }
  }

  async openShelf(shelf: Shelf): Promise<void> {
    this.shelf = shelf;
    this.query = '';
    this.selection.clear();
    if (shelf === 'trash') await this.attempt(() => this.loadTrash());
  }

  async onNews(news: News): Promise<void> {
    const id = news.sessionId;
    if (!id) return;
    if (news.kind === 'removed' && !isForeignId(id)) {
      this.drop(id);
      if (this.shelf === 'trash') await this.loadTrash().catch(() => undefined);
    } else if (news.kind === 'removed' || news.kind === 'changed' || news.kind === 'created') {
      // Of another agent's whose files went the index may still know: its row stays, and whoever looks at it stays there.
      await this.refresh(id);
    }
  }

  rename(id: string, name: string): Promise<void> {
    this.renaming = null;
    const before = this.find(id)?.name ?? '';
    const again = () => this.rename(id, name);
    this.typed.set(id, name);
    return this.attempt(async () => {
      const renamed = entryOf(await this.backend.rename(id, name.trim()));
      this.typed.delete(id);
      this.put(renamed.session);
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
    return this.attempt(async () => {
      this.put(await this.backend.archive(id));
      this.toasts.show(text.library.archivedNow(entry.title), { undo: () => this.unarchive(id) });
    });
  }

  unarchive(id: string, title?: string): Promise<void> {
    return this.attempt(async () => {
      this.put(await this.backend.unarchive(id));
      const entry = title && this.entry(id);
      if (entry) this.toasts.show(text.library.unarchivedNow(title), { undo: () => this.archive(entry) });
    });
  }

  moveToTrash(entry: Entry): Promise<void> {
    const { id } = entry.session;
    return this.once(id, async () => {
      await this.backend.moveToTrash(id);
      this.drop(id);
      this.toasts.show(text.library.trashed(entry.title), { undo: () => this.restore(entry) });
    });
  }

  restore(entry: Entry): Promise<void> {
    return this.once(entry.session.id, async () => {
      this.put(await this.backend.restore(entry.session.id));
      this.trashed = withoutEntry(this.trashed, entry.session.id);
      this.toasts.show(text.library.restored(entry.title), { undo: () => this.moveToTrash(entry) });
    });
  }

  /** A key may be pressed again before the row is gone: to or from the trash a session goes once at a time. */
  private async once(id: string, act: () => Promise<void>): Promise<void> {
    if (this.moving.has(id)) return;
    this.moving.add(id);
    await this.attempt(act);
    this.moving.delete(id);
  }

  fork(session: Session, atSeq = 0): Promise<void> {
    return this.attempt(async () => {
      const fork = await this.backend.fork(session.id, atSeq);
      this.put(fork);
      this.onFork(fork);
      this.toasts.show(text.library.forked(entryOf(session).title));
    });
  }

  /** Makes a session of another agent one of ours, and opens that. */
  importSession(session: Session): Promise<void> {
    return this.attempt(async () => {
      const copy = await this.backend.importSession(session.id);
      this.put(copy);
      this.onFork(copy);
      this.toasts.show(text.library.imported(entryOf(session).title));
    });
  }

  /** What is done with one of many sessions; where they stand then is put in order once, by who does it. */
  readonly setArchived = (id: string, archived: boolean) =>
    archived ? this.backend.archive(id) : this.backend.unarchive(id);
  readonly toTrash = (id: string) => this.backend.moveToTrash(id);
  readonly fromTrash = (id: string) => this.backend.restore(id);
  readonly copyOf = (id: string) => this.backend.importSession(id);

  exportPlace(count: number): Promise<ExportPlace | null> {
    return this.backend.exportPlace(count);
  }

  entriesOf(ids: readonly string[]): Entry[] {
    const wanted = new Set(ids);
    return this.all.filter(({ session }) => wanted.has(session.id));
  }

  /** Puts a session in its place, new or known. */
  put(session: Session): void {
    const { parent } = session;
    if (session.relation === 'subagent' && parent && this.all.some((entry) => entry.session.id === parent)) {
      this.families.keep(session);
    } else this.all = withEntry(this.all, entryOf(session));
  }

  /** Puts many sessions in their places at once. */
  putAll(sessions: readonly Session[]): void {
    if (sessions.length > 0) this.all = withEntries(this.all, sessions.map(entryOf));
  }

  /** Takes sessions out of the list, which they have left. */
  dropAll(ids: readonly string[]): void {
    this.all = withoutEntries(this.all, ids);
    this.selection.drop(ids);
  }

  /** Takes sessions out of the trash, which they have left. */
  dropTrashed(ids: readonly string[]): void {
    this.trashed = withoutEntries(this.trashed, ids);
    this.selection.drop(ids);
  }

  /** Unfolds a session, or folds it again. */
  toggleFamily(id: string): Promise<void> {
    return this.attempt(async () => {
      if (this.families.isOpen(id)) this.families.fold(id);
      else await this.families.unfold(id);
    });
  }

  private drop(id: string): void {
    this.dropAll([id]);
  }

  /** Shows the list that was asked for, unless another one is by now: of thousands the page goes on in between. */
  private async show(sessions: readonly Session[], request: number): Promise<boolean> {
    const entries: Entry[] = [];
    const before = this.all;
    const breath = new Breath();
    for (const session of sessions) {
      entries.push(entryOf(session));
      if (breath.due) await breath.take();
    }
    if (request !== this.request) return false;
    // What came meanwhile is newer than the list.
    const known = new Set(before);
    const news = this.all.filter((entry) => !known.has(entry));
    const gone = new Set(before.map(({ session }) => session.id));
    for (const { session } of this.all) gone.delete(session.id);
    this.all = withEntries(withoutEntries(entries, [...gone]), news);
    this.loaded = true;
    return true;
  }

  private async loadTrash(): Promise<void> {
    this.trashed = (await this.backend.trash()).map(entryOf).sort(compare);
  }

  /** One question at a time for each session, however often it changes meanwhile. */
  private async refresh(id: string): Promise<void> {
    if (this.refreshing.has(id)) {
      this.refreshing.set(id, 'again');
      return;
    }
    do {
      this.refreshing.set(id, 'running');
      try {
        this.put(await this.backend.session(id));
        if (this.shelf === 'trash') this.dropTrashed([id]);
        await this.families.changed(id);
      } catch (cause) {
        if (asBackendError(cause).code === 'not_found') this.drop(id);
      }
    } while (this.refreshing.get(id) === 'again');
    this.refreshing.delete(id);
  }

  private async attempt(action: () => Promise<void>, again?: () => unknown): Promise<void> {
    try {
      await action();
    } catch (cause) {
      this.toasts.error(cause, again);
    }
  }
}
