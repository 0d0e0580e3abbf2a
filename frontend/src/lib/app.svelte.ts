import { createContext } from 'svelte';
import type { Backend } from './backend';
import { Clock } from './clock.svelte';
import { Reviews } from './compaction/reviews.svelte';
import { Connection } from './connection.svelte';
import { Talks } from './composer/talks.svelte';
import { Desk } from './desk/desk';
import { LastPlace } from './desk/place';
import { Unkept } from './desk/unkept';
import { ViewState } from './desk/view';
import { Layout } from './layout.svelte';
import { Asking } from './notify/asking.svelte';
import { tellOfTurns } from './notify/tell';
import type { Entry } from './library/entries';
import { Library } from './library/library.svelte';
import { Bulk } from './library/bulk.svelte';
import { Deeds } from './library/deeds.svelte';
import { Order } from './library/order.svelte';
import { Navigation } from './navigation.svelte';
import { askAnew, passOn } from './news';
import { Opener, type Opened } from './opened.svelte';
import { hashOf, Route } from './route.svelte';
import { Indexing } from './search/indexing.svelte';
import { Saved } from './search/saved.svelte';
import { Search } from './search/search.svelte';
import { text } from './text';
import { ThemeChoice } from './theme.svelte';
import { Guard } from './retention/retention.svelte';
import { Toasts } from './toasts.svelte';
import type { Reader } from './transcript/reader.svelte';
import { TurnEvents } from './turn-events';
import { Zoom } from './zoom.svelte';

// For so long, in milliseconds, what stands beside a conversation waits for it to be drawn.
const LOOK_MS = 1000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A dialog about sessions: rules for tools, taking back what tools changed in files behind a record, or what forgetting them means. */
type Sheet =
  | { kind: 'rules'; id: string }
  | { kind: 'undoFiles'; id: string; seq: number; until?: number }
  | { kind: 'forget'; ids: readonly string[] };

export const [getApp, setApp] = createContext<App>();

/** The app as a whole: it owns every state, and begins and ends what goes on. */
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

  readonly navigation = new Navigation(this);
  readonly opener = new Opener(this);
  get opened(): Opened | null {
    return this.opener.now;
  }
  /** What other agents will delete, and what is kept. */
  readonly guard = new Guard(this);
  /** Told when the index has come further: what is made from it is asked for anew. */
  indexed = $state(0);
  /** A link that was pressed and not yet confirmed, with where it was pressed. */
  asked = $state.raw<{ url: string; anchor: Element } | null>(null);
  /** What lies over the window and keeps the focus until it is closed. */
  dialog = $state<'keys' | 'palette' | 'goTo' | 'settings' | 'retention' | null>(null);
  /** A dialog about sessions, and which. */
  sheet = $state.raw<Sheet | null>(null);
  /** Sessions that are to be written to files, once it is chosen to which, and where that is asked. */
  exporting = $state.raw<{ entries: readonly Entry[]; at: Element } | null>(null);
  /** The log that is shown, for the keys that move through it. */
  log = $state.raw<Reader | null>(null);

  private readonly view: ViewState;
  /** The list, asked for before anybody was let in; what is to be called once its rows may be shown. */
  private early: { list: Promise<void>; show: () => void } | null = null;

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
        passOn(this, news);
      },
      onTurn: (event) => {
        this.turnEvents.emit(event);
      },
      onMissed: () => {
        askAnew(this);
      },
    });
    const unkept = new Unkept(this.toasts);
    this.desk = new Desk(
      backend,
      (cause) => {
        unkept.tell(cause);
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
          this.navigation.open(session.id, null);
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
    this.indexing = new Indexing(backend);
    this.route = new Route((place) => {
      this.navigation.follow(place);
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
    this.view.ask();
    this.navigation.ahead();
    const stops = [
      this.clock.start(),
      zoom,
      this.view.start(),
      this.route.start(),
      this.desk.start(),
      tellOfTurns(this),
    ];
    return () => {
      this.connection.close();
      this.search.stop();
      this.opener.close();
      this.talks.close();
      for (const stop of stops) stop();
    };
  }

  /** Asks for the list while it is not known yet whether anybody is let in. */
  askForList(): void {
    let show = (): void => undefined;
    const shown = new Promise<void>((resolve) => (show = resolve));
    this.early = { list: this.library.load(shown), show };
  }

  private async begun(): Promise<void> {
    await this.view.begin();
    await this.navigation.resume();
    if (this.search.isOpen) this.showSearch();
    this.reviews.start();
    if (this.opened && !this.reviews.current) await Promise.race([this.opener.look(), pause(LOOK_MS)]);
    const { early } = this;
    this.early = null;
    early?.show();
    this.desk.retry();
    void this.asking.load();
    await early?.list;
    // What was asked for before anybody was let in may have been refused.
    if (!early || this.library.error) await this.library.load();
    await this.opener.meet();
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
    await this.attempt(() => transcript.setView(transcript.shown.otherView, this.log?.view.top ?? null));
  }

  /** Opens the field for the name of a session, where its row is. */
  rename(id: string): void {
    this.layout.showLibrary();
    this.library.reveal(id);
    this.deeds.renaming = id;
  }

  /** What is beside the answer of a search is asked for anew each time somebody comes to it. */
  showSearch(): void {
    void this.indexing.load();
    void this.saved.load();
    if (this.search.error) this.search.askNow();
  }
}
