import type { App } from '../../lib/app.svelte';
import { labelOf } from '../../lib/commands/registry';
import { fit, type Deed } from '../../lib/library/bulk.svelte';
import { canForget, type Entry } from '../../lib/library/entries';
import { text } from '../../lib/text';

/** The files that sessions can be written to. */
export function exports({ bulk }: App, entries: readonly Entry[]) {
  return (['markdown', 'jsonl', 'pi'] as const).map((format) => ({
    label: text.bulk.formats[format],
    run: () => void bulk.export(entries, format),
  }));
}

/** What can be done with the sessions that are chosen. */
export function bulkActions(app: App, chosen: readonly Entry[]) {
  const { bulk } = app;
  if (app.library.shelf === 'trash')
    return [{ id: 'restore', label: text.bulk.restore, run: () => void bulk.restore(chosen) }];
  const gone = chosen.filter(({ session }) => canForget(session)).map(({ session }) => session.id);
  // Where none of them is in view, what could be done with others stands there, and can't be pressed.
  const can = (deed: Deed) => chosen.length === 0 || fit(deed, chosen).length > 0;
  const forget = () => (app.sheet = { kind: 'forget', ids: gone });
  return [
    {
      id: 'archive',
      label: text.bulk.archive,
      run: () => void bulk.archive(chosen, true),
      on: can('archive'),
    },
    {
      id: 'unarchive',
      label: text.bulk.unarchive,
      run: () => void bulk.archive(chosen, false),
      on: fit('unarchive', chosen).length > 0,
    },
    {
      id: 'import',
      label: text.bulk.import,
      run: () => void bulk.import(chosen),
      on: fit('import', chosen).length > 0,
    },
    { id: 'forget', label: labelOf('forget'), run: forget, on: gone.length > 0 },
    { id: 'trash', label: text.bulk.trash, run: () => void bulk.trash(chosen), on: can('trash') },
  ].filter(({ on }) => on);
}
