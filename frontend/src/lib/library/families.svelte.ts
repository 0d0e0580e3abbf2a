import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Backend, Child, Session } from '../backend';
import type { Below } from './arrange';
import { entryOf, type Entry } from './entries';

/** Sub-agents: what an agent started below a session. The list has none of them until their session is unfolded. */
export class Families {
  /** Sessions that are unfolded. */
  private readonly unfolded = new SvelteSet<string>();
  private readonly below = new SvelteMap<string, readonly Entry[]>();
  /** Sessions that the list leaves out, by id. */
  private readonly aside = new SvelteMap<string, Entry>();

  constructor(private readonly backend: Pick<Backend, 'children'>) {}

  isOpen(id: string): boolean {
    return this.unfolded.has(id);
  }

  /** What stands below a session in the list; null where none is unfolded. */
  get shown(): Below | null {
    return this.unfolded.size === 0 ? null : (id) => (this.unfolded.has(id) ? this.below.get(id) : undefined);
  }

  entry(id: string): Entry | undefined {
    return this.aside.get(id);
  }

  /** A session that the list leaves out, as it is now. */
  keep(session: Session): void {
    const entry = entryOf(session);
    this.aside.set(session.id, entry);
    const siblings = session.parent ? this.below.get(session.parent) : undefined;
    if (session.parent && siblings?.some((other) => other.session.id === session.id)) {
      this.below.set(
        session.parent,
        siblings.map((other) => (other.session.id === session.id ? entry : other)),
      );
    }
  }

  fold(id: string): void {
    this.unfolded.delete(id);
  }

  async unfold(id: string): Promise<void> {
    if (!this.below.has(id)) await this.load(id, true);
    this.unfolded.add(id);
  }

  /** Asks for the sub-agents of a session; not `quick`: with the calls that started them. */
  async load(id: string, quick: boolean): Promise<Child[]> {
    const children = await this.backend.children(id, { quick });
    const entries = children.map(entryOf);
    for (const entry of entries) this.aside.set(entry.session.id, entry);
    this.below.set(id, entries);
    return children;
  }

  /** A session has changed: it may have started more. */
  async changed(id: string): Promise<void> {
    if (!this.below.has(id)) return;
    if (this.unfolded.has(id)) await this.load(id, true).catch(() => undefined);
    else this.below.delete(id);
  }
}
