import { createContext } from 'svelte';
import { asBackendError, type Backend, type News, type SearchPlace } from './backend';
import { Clock } from './clock.svelte';
import { focusPanel } from './commands/panels';
import { Reviews } from './compaction/reviews.svelte';
import { Connection } from './connection.svelte';
import { Talks } from './composer/talks.svelte';
import { Desk } from './desk/desk';
import { LastPlace } from './desk/place';
import { ViewState } from './desk/view';
import { Layout } from './layout.svelte';
import { Asking } from './notify/asking.svelte';
import { tellOfTurns } from './notify/tell';
import { Library } from './library/library.svelte';
import { Bulk } from './library/bulk.svelte';
import { Deeds } from './library/deeds.svelte';
import { Order } from './library/order.svelte';
import { Opener, type Opened } from './opened.svelte';
import { hashOf, NEW, placeOf, Route, type PagePlace, type Place } from './route.svelte';
import { NOTHING } from './search/asked';
import { Indexing } from './search/indexing.svelte';
import { KEY as SAVED, Saved } from './search/saved.svelte';
import { Search } from './search/search.svelte';
import { text } from './text';
import { ThemeChoice } from './theme.svelte';
import { Guard } from './retention/retention.svelte';
import { Toasts } from './toasts.svelte';
import { uncover } from './uncover';
import type { Reader } from './transcript/reader.svelte';
import { TurnEvents } from './turn-events';
import { Zoom } from './zoom.svelte';

// For so long, in milliseconds, what stands beside a conversation waits for it to be drawn.
const LOOK_MS = 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A dialog about one session: its rules for tools, or taking back what tools changed in files behind a record. */
export type Sheet = { kind: 'rules'; id: string } | { kind: 'undoFiles'; id: string; seq: number; until?: number };

export const [getApp, setApp] = createContext<App>();

/** The app as a whole: it owns every state, hears the news and passes them on. */
export class App {
  readonly clock = new Clock();
  readonly toasts = new Toasts();
  readonly theme = new ThemeChoice(() => {
    this.view.changed();
  });
  readonly zoom = new Zoom(() => {
    this.view.changed();
  });
  readonly layout = new Layout(() => {
    this.view.changed();
  });
  readonly order = new Order(() => {
    this.view.changed();
  });
  readonly connection: Connection;
  readonly desk: Desk;
  readonly place: LastPlace;
  readonly turnEvents = new TurnEvents();
  readonly asking: Asking;
  readonly reviews: Reviews;
  readonly talks: Talks;
  readonly library: Library;
  readonly deeds: Deeds;
  readonly bulk: Bulk;
  readonly route: Route;
  readonly search: Search;
  readonly saved: Saved;
  readonly indexing: Indexing;

  readonly opener = new Opener(this);
  get opened(): Opened | null {
    return this.opener.now;
  }
  /** Nothing is open but a conversation that is yet to begin. */
  beginning = $state(false);
  /** What other agents will delete, and what is kept. */
  readonly guard = new Guard(this);
  /** A page that is shown in place of a conversation. */
  page = $state.raw<PagePlace | null>(null);
  /** Told when the index has come further: what is made from it is asked for anew. */
  indexed = $state(0);
  /** A link that was pressed and not yet confirmed, with where it was pressed. */
  asked = $state.raw<{ url: string; anchor: Element } | null>(null);
  /** What lies over the window and keeps the focus until it is closed. */
  dialog = $state<'keys' | 'palette' | 'goTo' | 'settings' | 'retention' | null>(null);
  /** A dialog about one session, and which. */
  sheet = $state.raw<Sheet | null>(null);
  /** The log that is shown, for the keys that move through it. */
  log = $state.raw<Reader | null>(null);

  /** What was found in a session that is about to be shown: it is looked for there. */
  private sought: { id: string; index: number; word: string; matchCase: boolean } | null = null;
  /** The search was asked for, and not come back to. */
  private searchWanted = false;
  private readonly view: ViewState;
  private stopView: (() => void) | null = null;
  /** What was said of something that could not be kept, until all of it is. */
  private unkept: string | null = null;

  constructor(readonly backend: Backend) {
    this.asking = new Asking(backend);
    this.connection = new Connection(backend, {
      onConfig: (config) => {
        this.theme.follow(config.theme);
        this.talks.models.follow(config);
        this.reviews.settingsRead();
      },
      onReady: () => this.begun(),
      onNews: (news) => {
        this.onNews(news);
      },
      onTurn: (event) => {
        this.turnEvents.emit(event);
      },
      onMissed: () => {
        this.refresh();
      },
    });
    this.desk = new Desk(
      backend,
      (cause) => {
        this.sayUnkept(cause);
      },
      () => this.connection.ready,
    );
    this.place = new LastPlace(this.desk);
    this.view = new ViewState(this.desk, this.theme, this.layout, this.zoom, this.order);
    this.reviews = new Reviews(backend, this.turnEvents, this.desk);
    this.talks = new Talks(
      backend,
      this.turnEvents,
      {
        onSettings: (config) => {
          this.connection.follow(config);
        },
        onBegun: (session) => {
          this.library.put(session);
          this.reopen(session.id, null);
          this.route.replace(hashOf(session.id));
        },
      },
      this.desk,
    );
    this.library = new Library(backend, this.clock, this.toasts, this.order);
    this.deeds = new Deeds(backend, this.library, this.toasts, (session) => {
      this.route.go(session.id);
    });
    this.bulk = new Bulk(backend, this.library, this.toasts);
    this.search = new Search(backend, (asked) => {
      this.route.searches(asked);
    });
    this.saved = new Saved(backend, this.toasts);
    this.indexing = new Indexing(backend, () => {
      this.search.grew();
    });
    this.route = new Route((place) => {
      this.onPlace(place);
    });
  }

  /** Returns a function that ends everything it started. */
  start(): () => void {
    this.theme.apply();
    const zoom = this.zoom.start((room) => {
      this.layout.fit(room);
    });
    // First of all, since a browser asks for only a few things at a time: what is shown first waits for these.
    void this.connection.connect();
    this.ahead();
    const stops = [this.clock.start(), zoom, this.route.start(), this.desk.start(), tellOfTurns(this)];
    return () => {
      this.connection.close();
      this.stopView?.();
      this.search.stop();
      this.opener.close();
      this.talks.close();
      for (const stop of stops) stop();
    };
  }

  /** The program reads what the address names while the page asks for the rest. */
  private ahead(): void {
    const { session, seq, isNew } = placeOf(location.hash);
    if (seq === null && !isNew) this.place.ask(session);
    if (session) this.opener.ahead(session);
  }

  private async begun(): Promise<void> {
    this.stopView ??= this.view.start();
    await this.resume();
    if (this.search.isOpen) this.showSearch();
    this.reviews.start();
    if (this.opened && !this.reviews.current) await Promise.race([this.opener.look(), pause(LOOK_MS)]);
    this.desk.retry();
    void this.asking.load();
    await this.library.load();
    await this.opener.meet();
  }

  /** Where somebody read last, unless the address says otherwise. */
  private async resume(): Promise<void> {
    const asked = placeOf(location.hash);
    const last = asked.seq === null && !asked.isNew ? await this.place.find(asked.session) : null;
    if (asked.session === null && last && !location.hash.startsWith('#/')) {
      // First: the address, which tells at once, would have it opened at its end.
      this.reopen(last.session, last.seq, true);
      this.route.replace(hashOf(last.session));
    } else if (this.opened) {
      const { opened } = this;
      const seq = last?.session === opened.id ? last.seq : asked.seq;
      const asLeft = last?.session === opened.id;
      if (opened.transcript.pages) {
        this.reopen(opened.id, seq, asLeft);
        return;
      }
      this.place.went(opened.id, seq);
      this.opener.read(opened, seq, asLeft);
    }
  }

  /** Looks through every session: for a text, or for what was looked for last. */
  searchEverything(words?: string): void {
    this.layout.reveal();
    const asked = words === undefined ? this.search.asked : { ...NOTHING, text: words };
    if (this.search.isOpen) {
      this.search.open(asked, 'field');
      this.route.searches(asked);
      return;
    }
    this.searchWanted = true;
    this.route.search(asked);
  }

  /** Opens a session where something was found, and looks for the word there. */
  goToFound(id: string, place: SearchPlace | null, word: string, matchCase: boolean): void {
    const index = place?.index ?? null;
    this.sought = index !== null && word ? { id, index, word, matchCase } : null;
    this.route.go(id, place?.seq ?? undefined);
    if (this.sought === null) focusPanel('conversation');
  }

  begin(): void {
    this.talks.wantFocus();
    this.route.to(NEW);
  }

  async addSample(): Promise<void> {
    await this.attempt(async () => {
      const session = await this.backend.addSample();
      this.library.put(session);
      this.route.go(session.id);
    });
  }

  attempt(action: () => Promise<void>): Promise<void> {
    return this.toasts.attempt(action);
  }

  async copy(what: string, said: string): Promise<void> {
    await this.attempt(async () => {
      await this.backend.copy(what);
      this.toasts.show(said);
    });
  }

  /** Copies the address of a record, and makes it the address of the window without moving the view. */
  async copyLink(session: string, seq: number): Promise<void> {
    const hash = hashOf(session, seq);
    this.route.note(hash);
    await this.copy(this.backend.linkTo(hash), text.transcript.linkCopied);
  }

  /** The whole log, or only what the model sees; what is being read stays in view. */
  async toggleView(): Promise<void> {
    const transcript = this.opened?.transcript;
    if (!transcript) return;
    await this.attempt(() => transcript.setView(transcript.otherView, this.log?.top ?? null));
  }

  /** Opens the field for the name of a session, where its row is. */
  rename(id: string): void {
    this.layout.showLibrary();
    this.library.reveal(id);
    this.deeds.renaming = id;
  }

  private onPlace({ session, seq, review, isNew, search, page }: Place): void {
    if (search) {
      this.reviews.close();
      this.search.open(search, this.searchWanted ? 'field' : 'row');
      this.searchWanted = false;
      // Not before the program has let somebody in.
      if (this.connection.ready) this.showSearch();
      return;
    }
    // What was opened over a search goes with it.
    if (this.search.isOpen) uncover(this);
    this.search.close();
    this.page = page ?? null;
    const left = this.reviews.current?.id === session && !review;
    if (session && review) this.reviews.open(session, review);
    else this.reviews.close();
    const opened = this.opened;
    if (session && opened?.id === session) {
      // Behind a review the conversation stands where it was.
      if (seq !== null && !left) void this.attempt(() => opened.transcript.goToSeq(seq));
      this.seek();
      return;
    }
    this.layout.reveal();
    this.toasts.left();
    this.sheet = null;
    this.reopen(session, seq);
    this.seek();
    this.beginning = isNew ?? false;
  }

  private reopen(session: string | null, seq: number | null, asLeft = false): void {
    this.beginning = false;
    // Before the program has answered nobody has gone anywhere.
    if (this.connection.config) this.place.went(session, seq);
    this.opener.open(session, seq, asLeft);
  }

  private seek(): void {
    const { sought, opened } = this;
    this.sought = null;
    if (sought && opened?.id === sought.id) opened.transcript.find.openAt(sought.index, sought.word, sought.matchCase);
  }

  /** What is beside the answer of a search is asked for anew each time somebody comes to it. */
  private showSearch(): void {
    void this.indexing.load();
    void this.saved.load();
    if (this.search.error) this.search.askNow();
  }

  /** Said once: whoever writes on a full disk knows it by then. It must not stay said once it is no longer so. */
  private sayUnkept(cause: unknown): void {
    if (cause === null) {
      const said = this.toasts.list.find(({ message }) => message === this.unkept);
      if (said) this.toasts.dismiss(said.id);
      this.unkept = null;
    } else if (this.unkept === null) {
      this.unkept = text.app.unkept(asBackendError(cause).message);
      this.toasts.show(this.unkept);
    }
  }

  private onNews(news: News): void {
    if (news.piece) this.desk.onNews(news.piece);
    if (this.search.isOpen) {
      if (news.kind === 'index') void this.indexing.load();
      if (news.kind === 'created' || news.kind === 'removed') this.search.grew();
      if (news.piece?.key === SAVED) void this.saved.load();
    }
    void this.library.onNews(news);
    if (news.kind === 'index') this.indexed++;
    if (news.kind === 'config') {
      void this.connection.reread();
      void this.talks.models.load(false);
    }
    if (this.opened && news.sessionId === this.opened.id) {
      if (news.part) this.opened.transcript.progress(news.part);
      else this.opener.changed();
    }
  }

  /** Some news were missed: everything shown is asked for again. */
  private refresh(): void {
    void this.library.load();
    void this.connection.reread();
    void this.talks.models.load(false);
    this.desk.retry();
    this.turnEvents.gap();
    if (this.search.isOpen) {
      this.showSearch();
      this.search.grew();
    }
    this.opener.changed();
  }
}
