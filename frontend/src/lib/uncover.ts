import type { App } from './app.svelte';

/**
 * Whether all that lies over the window may go; a dialog asks first, where something in it would be lost. What lies over that one
 * goes, so that it is seen to ask.
 */
function mayGo(app: App): boolean {
  if (!app.dialog && !app.sheet) return true;
  const dialogs = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].reverse();
  const stays = dialogs.findIndex((dialog) => !dialog.dispatchEvent(new Event('cancel', { cancelable: true })));
  for (const above of dialogs.slice(0, Math.max(0, stays))) above.close();
  return stays < 0;
}

/** Closes all that lies over the window, if it may go. */
export function uncover(app: App): boolean {
  if (!mayGo(app)) return false;
  app.dialog = null;
  app.asked = null;
  app.sheet = null;
  app.bulk.outcome = null;
  return true;
}
