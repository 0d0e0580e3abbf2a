import type { App } from '../app.svelte';
import { later } from '../text/later';

/** Forgets conversations whose files are gone. What could not be is told, and stays chosen. */
export function forget({ backend, library, route, toasts }: App, ids: readonly string[]): Promise<void> {
  return toasts.attempt(async () => {
    const all = await backend.forget(ids);
    const gone = all.filter(({ problem }) => !problem).map(({ id }) => id);
    const failed = all.filter(({ problem }) => problem);
    library.dropAll(gone);
    if (gone.length > 0) toasts.show(later.forget.done(gone.length));
    if (failed.length > 0) toasts.show(later.forget.notDone(failed.length, failed[0]?.problem?.message ?? ''));
    if (route.session && gone.includes(route.session)) route.go(null);
  });
}
