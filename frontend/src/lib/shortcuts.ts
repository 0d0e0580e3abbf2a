import { tinykeys } from 'tinykeys';
import type { App } from './app.svelte';
import { text } from './text';

const TYPING = 'input, textarea, select, [contenteditable], dialog, [role="menu"]';

/** Keys that work wherever the focus is, but never while someone types. */
export function bindShortcuts(app: App): () => void {
  const free = (action: () => void) => (event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(TYPING))) return;
    event.preventDefault();
    action();
  };
  return tinykeys(window, {
    '/': free(() => {
      focusFilter(app);
    }),
    '[': free(() => {
      app.layout.toggleLibrary();
    }),
    ']': free(() => {
      app.layout.toggleContext();
    }),
    u: free(() => {
      askToUndo(app);
    }),
    // Which keys make a question mark depends on the keyboard.
    '(\\?)': free(() => (app.keysShown = true)),
    'Shift+(\\?)': free(() => (app.keysShown = true)),
  });
}

function focusFilter(app: App): void {
  app.layout.library = true;
  // The field may be part of a panel that opens only now.
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('[data-testid="filter"]')?.focus());
}

function askToUndo(app: App): void {
  const transcript = app.opened?.transcript;
  const inForce = transcript?.inForce;
  if (!inForce) {
    if (app.opened) app.toasts.show(text.band.none);
    return;
  }
  app.toasts.show(text.band.ask(inForce.messages), { undo: () => app.undoCompaction(transcript, inForce) });
}
