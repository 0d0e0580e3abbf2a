import type { TurnEvent } from './backend';

export interface TurnListener {
  onTurn(event: TurnEvent): void;
  /** Events may have been missed: whoever follows a turn or a draft asks how it stands. */
  onGap(): void;
}

/** Hands the events of turns and drafts on to whoever follows one. */
export class TurnEvents {
  private readonly listeners = new Set<TurnListener>();

  /** Returns a function that ends it. */
  on(listener: TurnListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  emit(event: TurnEvent): void {
    for (const listener of [...this.listeners]) listener.onTurn(event);
  }

  gap(): void {
    for (const listener of [...this.listeners]) listener.onGap();
  }
}
