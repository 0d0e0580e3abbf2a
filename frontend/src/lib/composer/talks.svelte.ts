import type { Backend, Config, Session } from '../backend';
import type { Transcript } from '../transcript/transcript.svelte';
import type { TurnEvents } from '../turn-events';
import type { Desk } from '../desk/desk';
import type { Chosen } from './kinds';
import { Models } from './models.svelte';
import { Talk } from './talk.svelte';
import { Unsent } from './unsent';

interface Hooks {
  onSettings: (config: Config) => void;
  /** A conversation was made for a first message, which is sent once it is open. */
  onBegun: (session: Session) => void;
}

/** Talking, wherever one is: in the conversation that is open, or in one that is yet to begin. */
export class Talks {
  readonly models: Models;
  /** The conversation that is yet to begin. */
  readonly fresh: Talk;
  /** Where its tools will work; empty for no folder, and no tools. */
  folder = $state('');
  private readonly unsent: Unsent;
  private current: { talk: Talk; stop: () => void } | null = null;
  private focusWanted = false;

  constructor(
    private readonly backend: Backend,
    private readonly events: TurnEvents,
    private readonly hooks: Hooks,
    desk: Desk,
  ) {
    this.unsent = new Unsent(desk);
    this.models = new Models(backend, hooks.onSettings);
    this.fresh = new Talk(backend, 'new', this.unsent, {
      onRecord: () => Promise.resolve(),
      onSent: () => undefined,
      begin: (chosen) => this.begin(chosen),
    });
  }

  open(transcript: Transcript): Talk {
    this.close();
    const talk = new Talk(this.backend, transcript.id, this.unsent, {
      onRecord: () => transcript.recorded(),
      onSent: () => {
        transcript.toEnd();
      },
    });
    this.current = { talk, stop: this.events.on(talk) };
    return talk;
  }

  close(): void {
    this.current?.stop();
    this.current?.talk.close();
    this.current = null;
  }

  /** Whoever writes goes on writing: the field of the conversation that begins takes the focus. */
  wantFocus(): void {
    this.focusWanted = true;
  }

  takeFocus(): boolean {
    const wanted = this.focusWanted;
    this.focusWanted = false;
    return wanted;
  }

  private async begin(chosen: Chosen): Promise<void> {
    const cwd = this.folder.trim();
    const session = await this.backend.createSession({ ...chosen, ...(cwd ? { cwd, cwdMustExist: true } : {}) });
    this.folder = '';
    this.wantFocus();
    this.hooks.onBegun(session);
    this.current?.talk.takeOver(this.fresh);
  }
}
