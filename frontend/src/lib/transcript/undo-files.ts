import type { App } from '../app.svelte';
import type { FileUndo, UndoRequest } from '../backend';
import { text } from '../text';
import { visibleLine } from '../visible';

/** Those files that can be taken back. */
export const undoable = (plan: FileUndo) => plan.files.filter(({ blocked }) => blocked === null);

/** The one undo that a record says was made. */
const thatUndo = (seq: number) => ({ sinceSeq: seq - 1, untilSeq: seq });

/** Takes back what tools changed in files, and offers to take that back in turn: that alone, not what came behind it. */
export async function undoFiles(app: App, id: string, request: UndoRequest, said = text.undo.done): Promise<void> {
  const { files, committedSeq, problem } = await app.backend.undoFiles(id, request);
  if (problem) app.toasts.error(new Error(visibleLine(problem.message)));
  if (committedSeq === null) return;
  const n = files.filter(({ blocked }) => blocked === null).length;
  app.toasts.show(said(n), {
    undo: () => app.attempt(() => undoFiles(app, id, thatUndo(committedSeq), text.undo.again)),
  });
}
