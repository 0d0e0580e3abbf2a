import type { App } from '../app.svelte';
import { fit } from '../library/bulk.svelte';
import { canForget, canKeep, type Entry } from '../library/entries';
import type { Command } from './command';
import { subject } from './subject';

/** The session in question, where it is in the library and not in the trash. */
function live(app: App): Entry | null {
  const entry = subject(app);
  return entry && !app.library.isTrashed(entry) ? entry : null;
}

/** One of ours, which can be changed. */
function own(app: App): Entry | null {
  const entry = live(app);
  return entry?.session.foreign ? null : entry;
}

/** One of another agent of which a copy can be kept. */
function keepable(app: App): Entry | null {
  const entry = live(app);
  return entry && canKeep(entry.session) ? entry : null;
}

/** What would be written to files: the sessions that are chosen in the list, as long as that has the focus, else the one in question. */
function exportable(app: App): readonly Entry[] {
  const { library } = app;
  const inList = document.activeElement?.closest('[data-panel="library"]') ?? null;
  if (inList && library.selection.size > 0) {
    const chosen = library.selection.of(library.items);
    // Of those that can't be, it is said afterwards.
    return fit('export', chosen).length > 0 ? chosen : [];
  }
  const entry = live(app);
  return entry ? fit('export', [entry]) : [];
}

/** Where the menu of that opens: at the button for what is chosen, else at the row that has the focus, else at the menu of the conversation. */
function standing(several: boolean): Element {
  const row = document.activeElement?.closest('[data-testid="session-row"]');
  const [button] = document.querySelectorAll(`[data-testid="${several ? 'bulk-export' : 'conversation-menu'}"]`);
  return (several ? button : (row ?? button)) ?? document.body;
}

function about(which: (app: App) => Entry | null, run: (app: App, entry: Entry) => unknown): Command {
  return {
    run: (app) => {
      const entry = which(app);
      if (entry) return run(app, entry);
    },
    enabled: (app) => which(app) !== null,
  };
}

const where = (which: (app: App) => Entry | null, holds: (entry: Entry, app: App) => boolean) => (app: App) => {
  const entry = which(app);
  return entry && holds(entry, app) ? entry : null;
};

/** From one session to the one above or below it, as the list has them now. */
function walk(by: 1 | -1): Command {
  const next = (app: App) => {
    if (app.library.shelf === 'trash') return undefined;
    const shown = app.library.shown;
    const at = shown.findIndex(({ session }) => session.id === app.route.session);
    return at < 0 ? shown[0] : shown[at + by];
  };
  return {
    run: (app) => {
      const entry = next(app);
      if (entry) app.route.go(entry.session.id);
    },
    enabled: (app) => next(app) !== undefined,
  };
}

export const sessions = {
  new: {
    run: (app) => {
      app.navigation.begin();
    },
  },
  rename: about(own, (app, entry) => app.rename(entry.session.id)),
  fork: about(own, (app, { session }) => app.deeds.fork(session)),
  continueHere: about(
    where(live, (entry, app) => fit('import', [entry]).length > 0 && !app.connection.config?.readOnly),
    (app, { session }) => app.deeds.importSession(session),
  ),
  archive: about(
    where(own, ({ session }) => session.archivedAt === null),
    (app, entry) => app.deeds.archive(entry),
  ),
  unarchive: about(
    where(own, ({ session }) => session.archivedAt !== null),
    (app, entry) => app.deeds.unarchive(entry.session.id, entry.title),
  ),
  trash: about(own, (app, entry) => app.deeds.moveToTrash(entry)),
  restore: about(
    where(subject, (entry, app) => app.library.isTrashed(entry)),
    (app, entry) => app.deeds.restore(entry),
  ),
  export: {
    run: (app) => {
      const entries = exportable(app);
      if (entries.length > 0) app.exporting = { entries, at: standing(entries.length > 1) };
    },
    enabled: (app) => app.bulk.running === null && exportable(app).length > 0,
  },
  keepCopy: about(keepable, (app, { session }) => app.guard.keep([session.id])),
  dropCopy: about(
    where(live, ({ session }) => Boolean(session.keptAt)),
    (app, { session }) => {
      app.guard.show(session.id);
    },
  ),
  forget: about(
    where(live, ({ session }) => canForget(session)),
    (app, { session }) => (app.sheet = { kind: 'forget', ids: [session.id] }),
  ),
  rules: about(live, (app, { session }) => (app.sheet = { kind: 'rules', id: session.id })),
  reload: { run: (app) => app.library.load() },
  undo: {
    run: (app) => {
      app.toasts.undo();
    },
    enabled: (app) => app.toasts.undoable !== null,
  },
  previousSession: walk(-1),
  nextSession: walk(1),
} satisfies Record<string, Command>;
