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
    else if (!this.has(q, matchCase))
      await this.put([...this.list, { name: q.trim().slice(0, 80), q, ...(matchCase && { case: true }) }]);
  }

  async rename(at: number, name: string): Promise<void> {
    this.renaming = null;
    const wanted = name.trim();
    if (wanted && wanted !== this.list[at]?.name)
      await this.put(this.list.map((one, n) => (n === at ? { ...one, name: wanted } : one)));
  }

  async remove(at: number): Promise<void> {
    const gone = this.list[at];
    if (!gone || !(await this.put(this.list.filter((_, n) => n !== at)))) return;
    this.toasts.show(text.search.forgotten(visibleLine(gone.name, 60)), {
      undo: () => this.put([...this.list.slice(0, at), gone, ...this.list.slice(at)]),
    });
  }

  /** Lays them down; what is shown changes at once, and back if that fails. */
  private async put(list: readonly SavedSearch[]): Promise<boolean> {
    const before = this.list;
    this.list = list;
    try {
      this.list = await this.backend.saveSearches(list);
      return true;
    } catch (cause) {
      this.list = before;
      this.toasts.error(cause);
      return false;
    }
  }
}
