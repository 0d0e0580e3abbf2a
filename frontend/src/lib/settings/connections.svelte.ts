import {
  asBackendError,
  type BackendError,
  type KeyPlace,
  type ModelList,
  type NewProvider,
  type Undo,
} from '../backend';
import type { App } from '../app.svelte';
import { text } from '../text';

type Taken = { undo: Undo | null } | null;

/** The servers that the settings name, as they can be changed. A key goes through here, and stays nowhere. */
export class Connections {
  /** What went wrong last, and where: the name of a provider, '' for the server without one, null for a new one. */
  failure = $state.raw<{ at: string | null; error: BackendError } | null>(null);
  /** Why the list is not what it is by now. */
  unread = $state.raw<BackendError | null>(null);
  busy = $state(false);
  /** The one that is being removed from here. */
  removing = $state<string | null>(null);

  constructor(private readonly app: App) {}

  /** As it is known now, whichever window changed it last. */
  get list(): ModelList | null {
    return this.app.talks.models.list;
  }

  async load(): Promise<void> {
    await this.read();
  }

  use(name: string): Promise<boolean> {
    return this.attempt(name, async () => {
      this.app.connection.follow(await this.app.backend.useProvider(name, ''));
    });
  }

  save(provider: NewProvider, isNew: boolean): Promise<boolean> {
    return this.attempt(isNew ? null : provider.name, () => this.app.backend.setProvider(provider));
  }

  async remove(name: string): Promise<Taken> {
    this.removing = name;
    const taken = await this.take(name, () => this.app.backend.removeProvider(name));
    this.removing = null;
    return taken;
  }

  keep(place: KeyPlace, key: string): Promise<Taken> {
    return this.take(place.provider ?? '', () => this.app.backend.setKey(place, key));
  }

  forget(place: KeyPlace): Promise<Taken> {
    return this.take(place.provider ?? '', () => this.app.backend.forgetKey(place));
  }

  /** What was done here, with a way back where something was taken. */
  tell(what: string, { undo }: NonNullable<Taken>): void {
    this.app.toasts.show(what, undo ? { undo: () => this.putBack(undo) } : {});
  }

  /** What goes wrong then has no place here: the settings may be closed. */
  private putBack(undo: Undo): Promise<void> {
    return this.app.attempt(async () => {
      if (!(await this.app.backend.putBack(undo))) this.app.toasts.show(text.settings.elsewhere);
      await this.read();
    });
  }

  /** Takes something out of the settings; null if that failed, and else with what puts it back, if there was any of it. */
  private async take(at: string, action: () => Promise<Undo | null>): Promise<Taken> {
    let undo: Undo | null = null;
    const done = await this.attempt(at, async () => {
      undo = await action();
    });
    return done ? { undo } : null;
  }

  /** Does something and reads anew what there is then; false if it failed. What was done is done, whatever can be read then. */
  private async attempt(at: string | null, action: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.failure = null;
    try {
      await action();
      await this.read();
      return true;
    } catch (cause) {
      this.failure = { at, error: asBackendError(cause) };
      return false;
    } finally {
      this.busy = false;
    }
  }

  private async read(): Promise<void> {
    const { connection, talks } = this.app;
    await connection.reread();
    await talks.models.load(false);
    this.unread = talks.models.error;
  }
}
