import {
  asBackendError,
  isWhole,
  withCounts,
  withDetails,
  type Backend,
  type BackendError,
  type News,
  type Session,
} from '../backend';
import type { Clock } from '../clock.svelte';
import type { Toasts } from '../toasts.svelte';
import { isForeignId } from '../transcript/excerpt';
import { arrange, DEEP, sorted, type Item } from './arrange';
import { AskedAnew } from './asked-anew';
import { Coming } from './coming';
import { compare, entryOf, withEntries, withEntry, withoutEntries, type Entry } from './entries';
import { Families } from './families.svelte';
import { filterEntries } from './filter';
import { Filtering } from './filtering';
import { Order } from './order.svelte';
import { Selection } from './selection.svelte';

type Shelf = 'sessions' | 'trash';

/** All sessions, and what of them is shown. */
export class Library {
  query = $state('');
  archivedToo = $state(false);
  shelf = $state<Shelf>('sessions');
  /** There are rows to look at, or there are none. */
  loaded = $state(false);
  /** All rows are there. */
  complete = $state(false);
  /** How many of how many rows are there, until all are. */
  progress = $state.raw<{ there: number; of: number } | null>(null);
  error = $state.raw<BackendError | null>(null);

  all = $state.raw<readonly Entry[]>([]);
  private trashed = $state.raw<readonly Entry[]>([]);
  /** Those that are not archived. */
  readonly live = $derived(this.all.filter(({ session }) => session.archivedAt === null));
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
  readonly items = $derived.by(() => this.arranged(this.shown));
  /** The agents that there are sessions of. */
  readonly agents = $derived(
    [...new Set(this.shelved.map(({ session }) => session.agent ?? ''))].filter(Boolean).sort(),
  );

  readonly families: Families;
  readonly selection = new Selection();

  private coming: Coming | null = null;
  private readonly changed = new AskedAnew(
    (id) => this.askFor(id),
    () => this.load(),
  );

  constructor(
    private readonly backend: Backend,
    private readonly clock: Clock,
    private readonly toasts: Toasts,
    readonly order: Order = new Order(),
  ) {
    this.families = new Families(backend);
  }

  /** A session that is not in the trash, in the list or below one that is. */
  find(id: string): Session | undefined {
    return (this.all.find((entry) => entry.session.id === id) ?? this.families.entry(id))?.session;
  }

  /** The session whose row stands for one: itself, or the uppermost above it that is folded. */
  standsFor(id: string): string {
    let row = id;
    const above = ({ relation, parent }: Session) =>
      relation === 'subagent' && parent ? this.find(parent) : undefined;
    for (let at = this.find(id), deep = 0; at && deep < DEEP; at = above(at), deep++) {
      if (at.id !== id && !this.families.isOpen(at.id)) row = at.id;
    }
    return row;
  }

  /** Sees to it that all is known of a session, also of one that the list leaves out: its rows tell only what they show. */
  async meet(id: string): Promise<void> {
    const before = this.find(id);
    if (!this.loaded || (before && isWhole(before))) return;
    const session = await this.backend.session(id).catch(() => null);
    // What the list knows besides is from the index, which a session by itself is not asked for.
    if (session && before) this.put(withDetails(before, session));
    else if (session) this.families.keep(session);
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
    return this.complete && this.all.length === 0;
  }

  /**
   * Reads the whole list: what is known at once first, then with what has to be counted. `shown` is for the first time, and settles once
   * rows may be shown.
   */
  async load(shown?: Promise<void>): Promise<void> {
    this.error = null;
    let isRead = await this.read(true, shown);
    if (isRead && this.all.some(({ session }) => session.messageCount === null)) isRead = await this.read(false);
    if (!isRead || this.shelf !== 'trash') return;
    await this.loadTrash().catch((cause: unknown) => {
      if (!this.coming) this.error = asBackendError(cause);
    });
  }

  async openShelf(shelf: Shelf): Promise<void> {
    this.shelf = shelf;
    this.query = '';
    this.selection.clear();
    if (shelf === 'trash') await this.toasts.attempt(() => this.loadTrash());
  }

  async onNews(news: News): Promise<void> {
    const id = news.sessionId;
    if (!id) return;
    if (news.kind === 'removed' && !isForeignId(id)) {
      this.dropAll([id]);
      // An answer of before may be on its way, and would bring it back.
      if (this.changed.has(id)) await this.changed.now(id);
      if (this.shelf === 'trash') await this.loadTrash().catch(() => undefined);
    } else if (news.kind === 'removed' || news.kind === 'changed' || news.kind === 'created') {
      // Of another agent's whose files went the index may still know: its row stays, and whoever looks at it stays there.
      await this.changed.now(id);
    }
  }

  entriesOf(ids: readonly string[]): Entry[] {
    const wanted = new Set(ids);
    return this.all.filter(({ session }) => wanted.has(session.id));
  }

  /**
   * Does once what the first key of the filter does with thousands of sessions, for nothing: code is slow the first time, and so are texts
   * that nobody has looked at yet.
   */
  rehearse(): void {
    this.arranged(filterEntries(this.shelved, 'e'));
  }

  /** Puts a session in its place, new or known. */
  put(session: Session): void {
    const { parent } = session;
    const isBelow = () => !this.complete || this.all.some((entry) => entry.session.id === parent);
    if (session.relation === 'subagent' && parent && isBelow()) {
      this.families.keep(session);
    } else {
      this.coming?.heard([session.id]);
      this.all = withEntry(this.all, entryOf(session));
    }
  }

  /** Puts many sessions in their places at once. */
  putAll(sessions: readonly Session[]): void {
    if (sessions.length === 0) return;
    this.coming?.heard(sessions.map(({ id }) => id));
    this.all = withEntries(this.all, sessions.map(entryOf));
  }

  /** Takes sessions out of the list, which they have left. */
  dropAll(ids: readonly string[]): void {
    this.coming?.heard(ids);
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
    return this.toasts.attempt(async () => {
      if (this.families.isOpen(id)) this.families.fold(id);
      else await this.families.unfold(id);
    });
  }

  /**
   * Asks for the list, and shows it once all of it is there; of the first that there is each part at once. False if that failed, or if
   * somebody has asked again meanwhile.
   */
  private async read(quick: boolean, shown?: Promise<void>): Promise<boolean> {
    const before = new Map(this.all.map((entry) => [entry.session.id, entry]));
    const coming = new Coming((id) => before.get(id) ?? this.families.entry(id));
    this.coming = coming;
    try {
      for await (const part of this.backend.sessions({ archived: true, quick })) {
        if (this.coming === coming) await coming.take(part);
        await shown;
        if (this.coming !== coming) return false;
        if (!this.complete && coming.count < part.total) this.showPart(coming, part.total);
      }
    } catch (cause) {
      if (this.coming !== coming) return false;
      this.coming = null;
      this.error = asBackendError(cause);
      return false;
    }
    this.coming = null;
    this.all = coming.inPlaceOf(this.all);
    this.progress = null;
    this.loaded = this.complete = true;
    return true;
  }

  private showPart(coming: Coming, of: number): void {
    this.all = coming.over(this.all);
    this.progress = { there: coming.count, of };
    this.loaded = true;
  }

  private arranged(entries: readonly Entry[]): Item[] {
    return arrange(entries, {
      group: this.order.group,
      sort: this.order.sort,
      today: this.clock.today,
      shut: this.order.shut,
      below: this.families.shown,
    });
  }

  private async loadTrash(): Promise<void> {
    this.trashed = (await this.backend.trash()).map(entryOf).sort(compare);
  }

  private async askFor(id: string): Promise<void> {
    try {
      const session = await this.backend.session(id);
      const before = this.find(id);
      this.put(before ? withCounts(session, before) : session);
      if (this.shelf === 'trash') this.dropTrashed([id]);
      await this.families.changed(id);
    } catch (cause) {
      if (asBackendError(cause).code === 'not_found') this.dropAll([id]);
    }
  }
}
