import { flushSync } from 'svelte';
import type { App } from '../app.svelte';
import type { Entry } from '../library/entries';

/** The session that a command is about: the one whose row has the focus, or the one that is open, though its files be gone. */
export function subject(app: App): Entry | null {
  const row = document.activeElement?.closest('[data-testid="session-row"]');
  const shown = app.search.isOpen ? null : app.opened;
  const id = row instanceof HTMLElement ? row.dataset.id : shown?.id;
  return (id && app.library.entry(id)) || null;
}

/** Gives the focus to the one thing of that kind, and at once: the next key is meant for it. */
export function focusOn(testid: string): void {
  // What it stands in may only have been asked for.
  flushSync();
  document.querySelector<HTMLElement>(`[data-testid="${testid}"]`)?.focus();
}

/** Presses a button that knows best what it does. */
export function press(testid: string): void {
  document.querySelector<HTMLElement>(`[data-testid="${testid}"]`)?.click();
}

export function isThere(testid: string): boolean {
  return document.querySelector(`[data-testid="${testid}"]`) !== null;
}
