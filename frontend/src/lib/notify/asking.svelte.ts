import { SvelteSet } from 'svelte/reactivity';
import type { Backend, TurnEvent } from '../backend';
import type { TurnListener } from '../turn-events';

/** The sessions whose turns wait for an answer of the user's: those that did when it was asked, and what was heard since. */
export class Asking implements TurnListener {
  private readonly ids = new SvelteSet<string>();
  /** The sessions heard of since it was asked last: what the answer says of them is older. */
  private heard = new Set<string>();

  constructor(private readonly backend: Pick<Backend, 'asking'>) {}

  has(session: string): boolean {
    return this.ids.has(session);
  }

  onTurn({ sessionId, kind }: TurnEvent): void {
    if (kind !== 'permission' && kind !== 'answered' && kind !== 'done') return;
    this.heard.add(sessionId);
    if (kind === 'permission') this.ids.add(sessionId);
    else this.ids.delete(sessionId);
  }

  onGap(): void {
    this.ids.clear();
    void this.load();
  }

  async load(): Promise<void> {
    const heard = (this.heard = new Set<string>());
    // Without an answer only what is heard from now on is known.
    const asking = await this.backend.asking().catch((): string[] => []);
    if (heard !== this.heard) return;
    for (const id of asking) if (!heard.has(id)) this.ids.add(id);
  }
}
