import type { App } from '../app.svelte';
import { enabledNow, isCovered } from './commands';

// What can be done is looked at this often, in milliseconds, while things change.
const EVERY = 250;
// A press beside everything takes the focus away and gives it to nothing.
const FOCUS = ['focusin', 'focusout'] as const;

/**
 * Tells the menus of the system what can be done now, whenever that may have changed: what a command needs shows in the
 * page, or has the focus there. Returns a function that ends it.
 */
export function tellMenus(app: App): () => void {
  const { backend } = app;
  if (!backend.offer) return () => undefined;
  let told: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    timer = undefined;
    // What is chosen closes a dialog first, and what it covers has the focus again: until then what could be done before it
    // was opened is what can be done.
    if (told !== null && isCovered(app)) return;
    const ids = enabledNow(app);
    const now = ids.join();
    if (now === told) return;
    told = now;
    backend.offer?.(ids).catch(() => {
      told = null;
    });
  }
  function later(): void {
    timer ??= setTimeout(tell, EVERY);
  }

  const watch = new MutationObserver(later);
  watch.observe(document.body, { childList: true, subtree: true, attributes: true });
  for (const kind of FOCUS) document.addEventListener(kind, later);
  later();
  return () => {
    watch.disconnect();
    clearTimeout(timer);
    for (const kind of FOCUS) document.removeEventListener(kind, later);
  };
}
