import { asBackendError, type Backend, type BackendError, type SavedSearch } from '../backend';
import { text } from '../text';
import type { Toasts } from '../toasts.svelte';
import { visibleLine } from '../visible';

export const KEY = 'searches';
export const MOST = 200;

/** Searches that were given a name, in the order in which they were saved. */
export class Saved {
  list = $state.raw<readonly SavedSearch[]>([]);
  error = $state.raw<BackendError | null>(null);
  /** The one whose name is being written, by its place. */
  renaming = $state<number | null>(null);
  /** Names that were typed and could not be given, by what they are for: the field holds them when it is opened again. */
  readonly typed = new Map<string, string>();

  constructor(
    private readonly backend: Pick<Backend, 'savedSearches' | 'saveSearches'>,
    private readonly toasts: Pick<Toasts, 'show' | 'error'>,
  ) {}

  async load(): Promise<void> {
    try {
      this.list = await this.backend.savedSearches();
      this.error = null;
    } catch (cause) {
      this.error = asBackendError(cause);
    }
  }

  has(q: string, matchCase = false): boolean {
    return this.list.some((one) => one.q === q && (one.case ?? false) === matchCase);
  }

  async add(q: string, matchCase = false): Promise<void> {
    if (this.list.length >= MOST) this.toasts.show(text.search.tooManySaved(MOST));
    else if (!this.has(q, matchCase)) {
      const one = { name: q.trim().slice(0, 80), q, ...(matchCase && { case: true }) };
      await this.put((list) => [...list, one]);
    }
  }

  async rename(at: number, name: string): Promise<void> {
    this.renaming = null;
    const wanted = name.trim();
    const was = this.list[at];
    if (was) this.typed.delete(nameless(was));
    if (was && wanted && wanted !== was.name) await this.give(was, wanted);
  }

  private async give(was: SavedSearch, name: string): Promise<void> {
    const key = nameless(was);
    const change = (list: readonly SavedSearch[]) => list.map((one) => (same(one, was) ? { ...one, name } : one));
    if (await this.put(change, () => this.give(was, name))) this.typed.delete(key);
    else this.typed.set(key, name);
  }

  async remove(at: number): Promise<void> {
    const gone = this.list[at];
    if (!gone || !(await this.put((list) => list.filter((one) => !same(one, gone))))) return;
    this.toasts.show(text.search.forgotten(visibleLine(gone.name, 60)), {
      undo: () => this.put((list) => [...list.slice(0, at), gone, ...list.slice(at)]),
    });
  }

  /** Changes what is saved now, which another window may have changed; what is shown changes at once, and back if that fails. */
  private async put(
    change: (list: readonly SavedSearch[]) => readonly SavedSearch[],
    again?: () => unknown,
  ): Promise<boolean> {
    const before = this.list;
    this.list = change(before);
    try {
      this.list = await this.backend.saveSearches(change(await this.backend.savedSearches()));
      return true;
    } catch (cause) {
      this.list = before;
      this.toasts.error(cause, again);
      return false;
    }
  }
}

/** What tells it from the others, whatever it is called. */
export const nameless = (one: SavedSearch): string => `${one.case ?? false} ${one.q}`;

const same = (a: SavedSearch, b: SavedSearch): boolean =>
  a.name === b.name && a.q === b.q && (a.case ?? false) === (b.case ?? false);
