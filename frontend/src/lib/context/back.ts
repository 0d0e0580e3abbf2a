import type { App } from '../app.svelte';

/** Shows the conversation as it is now; whoever looked at an earlier moment goes on where it was chosen. */
export function backToNow(app: App): void {
  app.opened?.past.back();
  // What was pressed is gone with the moment.
  const slider = document.getElementById('moments');
  (slider?.checkVisibility() ? slider : document.getElementById('conversation'))?.focus({ preventScroll: true });
}
