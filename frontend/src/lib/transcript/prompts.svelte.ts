import { SvelteMap } from 'svelte/reactivity';
import { asBackendError, type Backend, type BackendError, type Prompt } from '../backend';

const PAGE = 100;
const BATCH = 500;

/** What the user wrote in a session: read as it is scrolled to, or all of it where it is filtered. */
export class PromptList {
  total = $state<number | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** While all are read to be filtered. */
  looking = $state(false);
  private readonly known = new SvelteMap<number, Prompt>();
  private readonly asked = new Set<number>();
  private filter = $state('');
  private found = $state.raw<readonly number[]>([]);
  private run = 0;

  constructor(
    private readonly backend: Pick<Backend, 'prompts'>,
    private readonly id: string,
  ) {}

  /** How many are shown. */
  get count(): number {
    return this.filter ? this.found.length : (this.total ?? 0);
  }

  /** The n-th of those shown; undefined while it is not read. */
  at(n: number): Prompt | undefined {
    return this.known.get(this.filter ? (this.found[n] ?? -1) : n);
  }

  /** Reads those around the n-th. */
  async want(n: number): Promise<void> {
    const page = Math.floor(n / PAGE);
    if (this.filter || this.asked.has(page)) return;
    this.asked.add(page);
    try {
      await this.read(page * PAGE, PAGE);
    } catch (cause) {
      this.asked.delete(page);
      this.error = asBackendError(cause);
    }
  }

  /** The last one in front of a line, or at it. */
  async before(index: number): Promise<number> {
    const page = await this.backend.prompts(this.id, { before: index + 1, limit: 1 });
    this.total = page.total;
    return page.first;
  }

  async look(filter: string): Promise<void> {
    const run = ++this.run;
    this.filter = filter.trim().toLowerCase();
    this.found = [];
    this.looking = this.filter !== '';
    try {
      for (let first = 0; this.looking && first < (this.total ?? 1);) {
        const count =
          this.known.has(first) && this.known.has(first + BATCH - 1) ? BATCH : await this.read(first, BATCH);
        if (run !== this.run) return;
        const more: number[] = [];
        for (let n = first; n < first + count; n++) {
          if (this.known.get(n)?.text.toLowerCase().includes(this.filter)) more.push(n);
        }
        if (more.length > 0) this.found = [...this.found, ...more];
        if (count === 0) break;
        first += count;
      }
    } catch (cause) {
      if (run === this.run) this.error = asBackendError(cause);
    }
    if (run === this.run) this.looking = false;
  }

  /** How many came; a page may hold fewer than were asked for. */
  private async read(first: number, limit: number): Promise<number> {
    let read = 0;
    while (read < limit) {
      const page = await this.backend.prompts(this.id, { first: first + read, limit: limit - read });
      this.total = page.total;
      page.prompts.forEach((prompt, n) => this.known.set(page.first + n, prompt));
      read += page.prompts.length;
      if (page.prompts.length === 0 || first + read >= page.total) break;
    }
    return read;
  }
}
