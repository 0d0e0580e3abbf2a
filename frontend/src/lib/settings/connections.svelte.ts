import {
  asBackendError,
  type BackendError,
  type KeyPlace,
  type ModelList,
  type NewProvider,
  type Undo,
} from '../backend';
import type { App } from '../app.svelte';

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

  /** Returns what adds it again as it was, its key being where it is kept; null if it could not be removed. */
  async remove(name: string): Promise<(() => Promise<void>) | null> {
    const was = this.list?.providers.find((one) => one.name === name);
    const wasInUse = this.list?.inUse === name;
    this.removing = name;
    const removed = await this.attempt(name, () => this.app.backend.removeProvider(name));
    this.removing = null;
    if (!removed || !was) return null;
    const { baseUrl, model, window } = was;
    const { app } = this;
    // What goes wrong then has no place here: the settings may be closed.
    return () =>
      app.attempt(async () => {
        await app.backend.setProvider({ name, baseUrl, model, window: window ?? 0 });
        if (wasInUse) app.connection.follow(await app.backend.useProvider(name, ''));
        await this.read();
      });
  }

  keep(place: KeyPlace, key: string): Promise<Taken> {
    return this.take(place, () => this.app.backend.setKey(place, key));
  }

  forget(place: KeyPlace): Promise<Taken> {
    return this.take(place, () => this.app.backend.forgetKey(place));
  }

  /** Puts back what was taken; what goes wrong then has no place here: the settings may be closed. */
  putBack(undo: Undo): Promise<void> {
    return this.app.attempt(async () => {
      await this.app.backend.putBack(undo);
      await this.read();
    });
  }

  /** Changes a key; null if that failed, and else with what puts back the one there was, if one was. */
  private async take({ provider }: KeyPlace, action: () => Promise<Undo | null>): Promise<Taken> {
    let undo: Undo | null = null;
    const done = await this.attempt(provider ?? '', async () => {
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
