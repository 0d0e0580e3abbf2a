import type { App } from '../app.svelte';
import type { Opened } from '../opened.svelte';
import { undoCompaction } from './undo';

/** What was pressed while a turn ran, is done once nothing runs or waits. To be called as a component is made. */
export function undoWhenIdle(app: App, opened: () => Opened): void {
  $effect(() => {
    const { talk, transcript } = opened();
    const wanted = talk.undoLater;
    if (!wanted || talk.turn !== null || talk.queued.length > 0) return;
    talk.undoLater = null;
    void undoCompaction(app, transcript, wanted);
  });
}
