import type { App } from './app.svelte';
import type { SearchPlace } from './backend';
import { focusPanel } from './commands/panels';
import { hashOf, NEW, placeOf, type PagePlace, type Place } from './route.svelte';
import { NOTHING } from './search/asked';
import type { Sought } from './search/search.svelte';
import { uncover } from './uncover';

/** Where one is in the window, and what it takes to get somewhere else. */
export class Navigation {
  /** Nothing is open but a conversation that is yet to begin. */
  beginning = $state(false);
  /** A page that is shown in place of a conversation. */
  page = $state.raw<PagePlace | null>(null);
  /** What was found in a session that is about to be shown: it is looked for there. */
  private sought: ({ id: string; index: number } & Sought) | null = null;
  /** The search was asked for, and not come back to. */
  private searchWanted = false;

  constructor(private readonly app: App) {}

  /** The program reads what the address names while the page asks for the rest. */
  ahead(): void {
    const { session, seq, isNew } = placeOf(location.hash);
    if (seq === null && !isNew) this.app.place.ask(session);
    if (session) this.app.opener.ahead(session);
    else this.app.askForList();
  }

  /** Where somebody read last, unless the address says otherwise. */
  async resume(): Promise<void> {
    const asked = placeOf(location.hash);
    const last = asked.seq === null && !asked.isNew ? await this.app.place.find(asked.session) : null;
    if (asked.session === null && last && !location.hash.startsWith('#/')) {
      // First: the address, which tells at once, would have it opened at its end.
      this.open(last.session, last.seq, true);
      this.app.route.replace(hashOf(last.session));
    } else if (this.app.opened) {
      const { opened } = this.app;
      const seq = last?.session === opened.id ? last.seq : asked.seq;
      const asLeft = last?.session === opened.id;
      if (opened.transcript.pages) {
        this.open(opened.id, seq, asLeft);
        return;
      }
      this.app.place.went(opened.id, seq);
      this.app.opener.read(opened, seq, asLeft);
    }
  }

  /** Looks through every session: for a text, or for what was looked for last. */
  searchEverything(words?: string): void {
    this.app.layout.reveal();
    const asked = words === undefined ? this.app.search.asked : { ...NOTHING, text: words };
    if (this.app.search.isOpen) {
      this.app.search.open(asked, 'field');
      this.app.route.searches(asked);
      return;
    }
    this.searchWanted = true;
    this.app.route.search(asked);
  }

  /** Opens a session where something was found, and looks for the word there. */
  goToFound(id: string, place: SearchPlace | null, sought: Sought): void {
    const index = place?.index ?? null;
    this.sought = index !== null && sought.word ? { id, index, ...sought } : null;
    this.app.route.go(id, place?.seq ?? undefined);
    if (this.sought === null) focusPanel('conversation');
  }

  /** Shows a conversation that is yet to begin. */
  begin(): void {
    this.app.talks.wantFocus();
    this.app.route.to(NEW);
  }

  /** The address tells of another place. */
  follow({ session, seq, review, isNew, search, page }: Place): void {
    if (search) {
      this.app.reviews.close();
      this.app.search.open(search, this.searchWanted ? 'field' : 'row');
      this.searchWanted = false;
      // Not before the program has let somebody in.
      if (this.app.connection.ready) this.app.showSearch();
      return;
    }
    // What was opened over a search goes with it.
    if (this.app.search.isOpen) uncover(this.app);
    this.app.search.close();
    this.page = page ?? null;
    const left = this.app.reviews.current?.id === session && !review;
    if (session && review) this.app.reviews.open(session, review);
    else this.app.reviews.close();
    const opened = this.app.opened;
    if (session && opened?.id === session) {
      // Behind a review the conversation stands where it was.
      if (seq !== null && !left) void this.app.attempt(() => opened.transcript.goToSeq(seq));
      this.seek();
      return;
    }
    this.app.layout.reveal();
    this.app.toasts.left();
    this.app.sheet = null;
    this.open(session, seq);
    this.seek();
    this.beginning = isNew ?? false;
  }

  /** Opens a session in place of what is open, at a record or at its end. */
  open(session: string | null, seq: number | null, asLeft = false): void {
    this.beginning = false;
    // Before the program has answered nobody has gone anywhere.
    if (this.app.connection.config) this.app.place.went(session, seq);
    this.app.opener.open(session, seq, asLeft);
  }

  private seek(): void {
    const { sought } = this;
    const { opened } = this.app;
    this.sought = null;
    if (sought && opened?.id === sought.id) opened.transcript.find.openAt(sought.index, sought.word, sought);
  }
}
