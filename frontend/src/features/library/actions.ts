import type { App } from '../../lib/app.svelte';
import { labelOf } from '../../lib/commands/registry';
import { fit } from '../../lib/library/bulk.svelte';
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
  const forget = () => (app.sheet = { kind: 'forget', ids: gone });
  return [
    {
      id: 'archive',
      label: text.bulk.archive,
      run: () => void bulk.archive(chosen, true),
      on: fit('archive', chosen).length > 0 || fit('unarchive', chosen).length === 0,
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
    { id: 'trash', label: text.bulk.trash, run: () => void bulk.trash(chosen), on: true },
  ].filter(({ on }) => on);
}
