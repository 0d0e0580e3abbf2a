import { tinykeys } from 'tinykeys';
import type { App } from './app.svelte';
import { text } from './text';

const TYPING = 'input, textarea, select, [contenteditable], dialog, [role="menu"]';

/** Keys that work wherever the focus is, but never while someone types. */
export function bindShortcuts(app: App): () => void {
  const free =
    (action: () => void, overReview = false) =>
    (event: KeyboardEvent) => {
      if (event.defaultPrevented || (event.target instanceof Element && event.target.closest(TYPING))) return;
      // What lies behind a review takes no keys.
      if (app.reviews.current && !overReview) return;
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
    n: free(() => {
      app.begin();
    }),
    // A browser keeps this one for itself; the window does not.
    '$mod+n': (event) => {
      event.preventDefault();
      if (!app.reviews.current) app.begin();
    },
    r: free(() => {
      document.querySelector<HTMLElement>('[data-testid="message-field"]')?.focus();
    }),
    u: free(() => {
      askToUndo(app);
    }),
    c: free(() => {
      if (app.opened && !app.opened.transcript.gone) app.route.review(app.opened.id);
    }),
    // Which keys make a question mark depends on the keyboard.
    '(\\?)': free(() => (app.keysShown = true), true),
    'Shift+(\\?)': free(() => (app.keysShown = true), true),
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
