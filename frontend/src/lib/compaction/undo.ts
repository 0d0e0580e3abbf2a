import type { App } from '../app.svelte';
import type { CompactionInfo } from '../backend';
import { text } from '../text';
import type { Transcript } from '../transcript/transcript.svelte';

// Both are told which conversation and which compaction: what is open, or in force, may be another by the time that
// somebody presses what a toast offers. The program refuses what does not apply any more.

export function undoCompaction(app: App, transcript: Transcript, compaction: CompactionInfo): Promise<void> {
  return app.attempt(async () => {
    await transcript.undo(compaction);
    app.toasts.show(text.band.undone, {
      here: true,
      label: text.app.redo,
      undo: () => redoCompaction(app, transcript, compaction.index),
    });
  });
}

export function redoCompaction(app: App, transcript: Transcript, index: number): Promise<void> {
  return app.attempt(async () => {
    const redone = await transcript.redo(index);
    // What offered this, and what it undid, is over.
    app.toasts.clear();
    app.toasts.show(redone ? text.band.redone : text.band.nothingToRedo);
  });
}

/** A key undoes nothing by itself: it asks. */
export function askToUndo(app: App): void {
  const transcript = app.opened?.transcript;
  const inForce = transcript?.inForce;
  if (!inForce) {
    if (app.opened) app.toasts.show(text.band.none);
    return;
  }
  app.toasts.show(text.band.ask(inForce.messages), {
    here: true,
    offer: () => undoCompaction(app, transcript, inForce),
  });
}
