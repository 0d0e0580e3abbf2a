import type { App } from './app.svelte';
import type { Outline } from './backend';
import { Fidelities } from './compaction/fidelities.svelte';
import type { Talk } from './composer/talk.svelte';
import { ContextSize } from './context/context.svelte';
import { Past } from './context/past.svelte';
import { Kin } from './library/kin.svelte';
import { isForeignId } from './transcript/excerpt';
import { Transcript } from './transcript/transcript.svelte';

/** What is open: a conversation and what the model sees of it. */
export interface Opened {
  id: string;
  transcript: Transcript;
  size: ContextSize;
  past: Past;
  talk: Talk;
  kin: Kin;
  /** What the summaries of its compactions keep. */
  fidelities: Fidelities;
}

/** Opens conversations, one at a time, and has them read. */
export class Opener {
  now = $state.raw<Opened | null>(null);
  /** The outline of what was opened last is shown, or why not. */
  private shown = Promise.resolve();
  /** What was asked for ahead of all else, by session; null where there was no answer. */
  private readonly outlines = new Map<string, Promise<Outline | null>>();
  private stopReview: (() => void) | null = null;

  constructor(private readonly app: App) {}

  /** Has the program read a session while the page asks for the rest. */
  ahead(session: string): void {
    const { backend } = this.app;
    if (isForeignId(session)) backend.opening(session, 1).catch(() => undefined);
    else
      this.outlines.set(
        session,
        backend.outline(session).catch(() => null),
      );
  }

  /** Opens a session in place of what is open; null for none. */
  open(session: string | null, seq: number | null, asLeft: boolean): void {
    const { app } = this;
    const { backend } = app;
    this.now?.transcript.close();
    app.talks.close();
    if (!session) {
      this.now = null;
      return;
    }
    const transcript = new Transcript(backend, session);
    const size = new ContextSize(backend, session);
    const past = new Past(backend, session, (moment) => {
      void app.attempt(() => transcript.lookAt(moment));
    });
    const kin = new Kin(app.library.families, session);
    const fidelities = new Fidelities(backend, session);
    const opened = { id: session, transcript, size, past, kin, fidelities, talk: app.talks.open(transcript) };
    this.now = opened;
    this.unfollow();
    // Not before connect() has been answered, which has it read.
    if (app.connection.ready) this.read(opened, seq, asLeft);
  }

  read(opened: Opened, seq: number | null, asLeft: boolean): void {
    this.unfollow();
    const known = this.outlines.get(opened.id) ?? null;
    this.outlines.clear();
    const shown = (this.shown = opened.transcript.open(seq, asLeft, known));
    // What changed before anybody listened was no news: it is asked for again behind the first look.
    if (known) void shown.then(() => opened.transcript.recorded());
    this.weigh(opened, shown);
    // What is asked of a session of another agent while it is being read waits for the end of that.
    void (isForeignId(opened.id) ? Promise.resolve() : shown).then(() => {
      if (this.now !== opened) return;
      void opened.talk.sync();
      void this.meet();
    });
    this.stopReview = this.app.reviews.follow(opened.id);
  }

  /** Settles once what is looked at first is drawn: what stands beside it would be read, and drawn, in its place. */
  async look(): Promise<void> {
    await this.shown;
    await this.now?.transcript.pages?.first;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  /** What the list leaves out is asked for: the session itself if an agent started it, and what it started. */
  async meet(): Promise<void> {
    const opened = this.now;
    if (!opened) return;
    await this.app.library.meet(opened.id);
    const session = this.app.library.find(opened.id);
    if (session) await opened.kin.meet(session);
  }

  /** Its file changed, or may have. */
  changed(): void {
    const opened = this.now;
    if (!opened) return;
    this.weigh(opened, opened.transcript.changed());
    opened.talk.noticed();
    void this.meet();
    this.app.reviews.changed(opened.id);
  }

  close(): void {
    this.unfollow();
    this.now?.transcript.close();
  }

  private unfollow(): void {
    this.stopReview?.();
    this.stopReview = null;
  }

  /** Asks what the model sees: of what has yet to be read, once that is done. */
  private weigh({ id, transcript, size }: Opened, shown: Promise<void>): void {
    if (!isForeignId(id)) void shown.then(() => size.load());
    else void shown.then(() => (transcript.excerpt ? undefined : size.load()));
  }
}
