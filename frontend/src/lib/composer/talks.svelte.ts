import type { Backend, Config, Session } from '../backend';
import type { Transcript } from '../transcript/transcript.svelte';
import type { TurnEvents } from '../turn-events';
import type { Desk } from '../desk/desk';
import type { Attachment } from './file';
import type { Chosen } from './kinds';
import { Models } from './models.svelte';
import { Talk } from './talk.svelte';
import { Unsent } from './unsent';

interface Hooks {
  onSettings: (config: Config) => void;
  /** A conversation was made for a first message, which is sent once it is open. */
  onBegun: (session: Session) => void;
}

/** Talking in one conversation, until it ends. */
interface Held {
  talk: Talk;
  end: () => void;
}

/** Talking, wherever one is: in the conversation that is open, or in one that is yet to begin. */
export class Talks {
  readonly models: Models;
  /** The conversation that is yet to begin. */
  readonly fresh: Talk;
  /** Where its tools will work; empty for no folder, and no tools. */
  folder = $state('');
  private readonly unsent: Unsent;
  private current: Held | null = null;
  private shown: Transcript | null = null;
  /** Those that somebody went away from while something of theirs was under way, by conversation. */
  private readonly left = new Map<string, Held>();
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
      begin: (chosen, key) => this.begin(chosen, key),
    });
    events.on(this.fresh);
  }

  /** Whoever comes back before what was under way is done finds it as it stands. */
  open(transcript: Transcript): Talk {
    this.close();
    this.shown = transcript;
    this.current = this.left.get(transcript.id) ?? this.hold(transcript.id);
    this.left.delete(transcript.id);
    return this.current.talk;
  }

  close(): void {
    const { current } = this;
    this.current = null;
    this.shown = null;
    if (current?.talk.isUnderWay) this.left.set(current.talk.id, current);
    else current?.end();
    for (const [id, { talk, end }] of this.left) {
      // Why something failed is yet to be seen.
      if (talk.isUnderWay || talk.failure) continue;
      this.left.delete(id);
      end();
    }
  }

  /** Puts something back into the field of a conversation in which somebody talked, wherever one is by now. */
  giveBack(before: Talk, text: string, files: readonly Attachment[] = []): void {
    const { written } = before === this.fresh ? before : this.standing(before.id);
    if (text) written.add(text);
    written.attached.putBack(files);
  }

  /** Whoever talks in a conversation now; nobody needs to see it. */
  private standing(id: string): Talk {
    if (this.current?.talk.id === id) return this.current.talk;
    const held = this.left.get(id) ?? this.hold(id);
    this.left.set(id, held);
    return held.talk;
  }

  private hold(id: string): Held {
    const shown = () => (this.shown?.id === id ? this.shown : null);
    const talk = new Talk(this.backend, id, this.unsent, {
      onRecord: () => shown()?.recorded() ?? Promise.resolve(),
      onSent: () => shown()?.shown.toEnd(),
    });
    const stop = this.events.on(talk);
    const end = () => {
      stop();
      talk.close();
    };
    return { talk, end };
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

  private async begin(chosen: Chosen, first: string): Promise<void> {
    const cwd = this.folder.trim();
    const session = await this.backend.createSession({ ...chosen, ...(cwd ? { cwd, cwdMustExist: true } : {}), first });
    this.folder = '';
    this.wantFocus();
    this.hooks.onBegun(session);
    this.current?.talk.takeOver(this.fresh);
  }
}
