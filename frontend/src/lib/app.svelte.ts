import { createContext } from 'svelte';
import { asBackendError, type Backend, type BackendError, type Config, type News } from './backend';
import { Clock } from './clock.svelte';
import { Reviews } from './compaction/reviews.svelte';
import type { Talk } from './composer/talk.svelte';
import { Talks } from './composer/talks.svelte';
import { ContextSize } from './context/context.svelte';
import { Layout } from './layout.svelte';
import { Library } from './library/library.svelte';
import { hashOf, NEW, placeOf, Route, type Place } from './route.svelte';
import { text } from './text';
import { ThemeChoice } from './theme.svelte';
import { Toasts } from './toasts.svelte';
import type { Reader } from './transcript/reader.svelte';
import { Transcript } from './transcript/transcript.svelte';
import { TurnEvents } from './turn-events';
import { Zoom } from './zoom.svelte';

/** What is open: a conversation and what the model sees of it. */
export interface Opened {
  id: string;
  transcript: Transcript;
  size: ContextSize;
  talk: Talk;
}

export const [getApp, setApp] = createContext<App>();

/** The app as a whole: it owns every state, hears the news and passes them on. */
export class App {
  readonly clock = new Clock();
  readonly toasts = new Toasts();
  readonly theme = new ThemeChoice();
  readonly zoom = new Zoom();
  readonly layout = new Layout();
  readonly turnEvents = new TurnEvents();
  readonly reviews: Reviews;
  readonly talks: Talks;
  readonly library: Library;
  readonly route: Route;

  config = $state.raw<Config | null>(null);
  error = $state.raw<BackendError | null>(null);
  unauthorised = $state(false);
  refused = $state(false);
  opened = $state.raw<Opened | null>(null);
  /** Nothing is open but a conversation that is yet to begin. */
  beginning = $state(false);
  /** A link that was pressed and not yet confirmed, with where it was pressed. */
  asked = $state.raw<{ url: string; anchor: Element } | null>(null);
  /** What lies over the window and keeps the focus until it is closed. */
  dialog = $state<'keys' | 'palette' | 'goTo' | null>(null);
  /** The log that is shown, for the keys that move through it. */
  log = $state.raw<Reader | null>(null);

  private unsubscribe: (() => void) | null = null;

  constructor(readonly backend: Backend) {
    this.reviews = new Reviews(backend, this.turnEvents);
    this.talks = new Talks(backend, this.turnEvents, {
      onSettings: (config) => {
        this.follow(config);
      },
      onBegun: (session) => {
        this.library.put(session);
        this.reopen(session.id, null);
        this.route.replace(hashOf(session.id));
      },
    });
    this.library = new Library(backend, this.clock, this.toasts, (fork) => {
      this.route.go(fork.id);
    });
    this.route = new Route((place) => {
      this.onPlace(place);
    });
  }

  /** Returns a function that ends everything it started. */
  start(): () => void {
    this.theme.apply();
    this.zoom.apply();
    const stops = [this.clock.start(), this.layout.start(), this.route.start()];
    void this.connect();
    return () => {
      this.unsubscribe?.();
      this.opened?.transcript.close();
      this.talks.close();
      for (const stop of stops) stop();
    };
  }

  /** Asks for the settings first: whether the page may ask at all shows there. */
  async connect(): Promise<void> {
    this.error = null;
    let config: Config;
    try {
      config = await this.backend.config();
    } catch (cause) {
      this.fail(cause);
      return;
    }
    this.follow(config);
    this.unauthorised = false;
    this.refused = false;
    // Before anything is read: what changes while it is read must not be missed.
    this.unsubscribe?.();
    this.unsubscribe = this.backend.subscribe({
      onNews: (news) => {
        this.onNews(news);
      },
      onTurn: (event) => {
        this.turnEvents.emit(event);
      },
      onGap: () => {
        this.refresh();
        this.turnEvents.gap();
      },
      onUnauthorised: () => {
        this.unauthorised = true;
      },
    });
    if (this.opened) this.reopen(this.opened.id, placeOf(location.hash).seq);
    void this.reviews.current?.load();
    await this.library.load();
  }

  signIn(token: string): void {
    this.backend.signIn?.(token);
    void this.connect();
  }

  begin(): void {
    this.talks.wantFocus();
    location.hash = NEW;
  }

  async addSample(): Promise<void> {
    try {
      const session = await this.backend.addSample();
      this.library.put(session);
      this.route.go(session.id);
    } catch (cause) {
      this.toasts.error(cause);
    }
  }

  async attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (cause) {
      this.toasts.error(cause);
    }
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
    history.replaceState(null, '', hash);
    await this.copy(this.backend.linkTo(hash), text.transcript.linkCopied);
  }

  /** The whole log, or only what the model sees; what is being read stays in view. */
  async toggleView(): Promise<void> {
    const transcript = this.opened?.transcript;
    if (!transcript) return;
    const view = transcript.view === 'all' ? 'model' : 'all';
    await this.attempt(() => transcript.setView(view, this.log?.top ?? null));
  }

  /** Opens the field for the name of a session, where its row is. */
  rename(id: string): void {
    this.layout.library = true;
    this.library.reveal(id);
    this.library.renaming = id;
  }

  private onPlace({ session, seq, review, isNew }: Place): void {
    const left = this.reviews.current?.id === session && !review;
    if (session && review) this.reviews.open(session, review);
    else this.reviews.close();
    const opened = this.opened;
    if (session && opened?.id === session) {
      // Behind a review the conversation stands where it was.
      if (seq !== null && !left) void this.attempt(() => opened.transcript.goToSeq(seq));
      return;
    }
    this.layout.reveal();
    this.reopen(session, seq);
    this.beginning = isNew ?? false;
  }

  private reopen(session: string | null, seq: number | null): void {
    this.opened?.transcript.close();
    this.talks.close();
    this.beginning = false;
    if (!session) {
      this.opened = null;
      return;
    }
    const transcript = new Transcript(this.backend, session);
    const size = new ContextSize(this.backend, session);
    const opened = { id: session, transcript, size, talk: this.talks.open(transcript) };
    this.opened = opened;
    // Not before connect() has been answered, which opens it anew.
    if (this.unauthorised || !this.config) return;
    void opened.transcript.open(seq);
    void opened.size.load();
    void opened.talk.sync();
  }

  private onNews(news: News): void {
    void this.library.onNews(news);
    if (news.kind === 'config') void this.readConfig();
    if (this.opened && news.sessionId === this.opened.id) this.refreshOpened();
  }

  /** Some news were missed: everything shown is asked for again. */
  private refresh(): void {
    void this.library.load();
    void this.readConfig();
    this.refreshOpened();
  }

  private refreshOpened(): void {
    void this.opened?.transcript.changed();
    void this.opened?.size.load();
    if (this.opened) this.reviews.changed(this.opened.id);
  }

  private async readConfig(): Promise<void> {
    try {
      this.follow(await this.backend.config());
    } catch (cause) {
      this.fail(cause);
    }
  }

  private follow(config: Config): void {
    this.config = config;
    this.theme.follow(config.theme);
    this.talks.models.follow(config);
  }

  private fail(cause: unknown): void {
    const error = asBackendError(cause);
    if (error.code === 'unauthorised') {
      this.refused = this.unauthorised;
      this.unauthorised = true;
    } else if (!this.config) {
      this.error = error;
    }
  }
}
