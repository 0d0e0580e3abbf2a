import type { App } from '../app.svelte';

/** What a command does, and whether it can be done now. */
export interface Command {
  run: (app: App) => unknown;
  enabled?: (app: App) => boolean;
}

/** The conversation that is open and can be read; none while a search lies over it. */
export function reading(app: App): App['opened'] {
  return app.search.isOpen || app.opened?.transcript.gone ? null : app.opened;
}

/** It belongs to another agent: nothing can be changed in it. */
export const isForeign = (app: App): boolean =>
  app.opened !== null && (app.library.find(app.opened.id)?.foreign ?? false);

/** All of it can be read: as long as only the newest part is shown, what goes through all of it has to wait. */
export const isWhole = (app: App): boolean => reading(app) !== null && app.opened?.transcript.excerpt === null;

export const isReading = (app: App): boolean => reading(app) !== null;
