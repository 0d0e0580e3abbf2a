import { SvelteSet } from 'svelte/reactivity';
import type { TurnEvent } from '../backend';
import type { TurnListener } from '../turn-events';

/** The sessions whose turns wait for an answer of the user's, as far as that was heard. */
export class Asking implements TurnListener {
  private readonly ids = new SvelteSet<string>();

  has(session: string): boolean {
    return this.ids.has(session);
  }

  onTurn({ sessionId, kind }: TurnEvent): void {
    if (kind === 'permission') this.ids.add(sessionId);
    else if (kind === 'answered' || kind === 'done') this.ids.delete(sessionId);
  }

  onGap(): void {
    this.ids.clear();
  }
}
