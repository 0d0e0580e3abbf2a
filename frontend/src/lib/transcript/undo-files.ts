import type { App } from '../app.svelte';
import type { FileUndo } from '../backend';
import { text } from '../text';
import { visibleLine } from '../visible';

/** Those files that can be taken back. */
export const undoable = (plan: FileUndo) => plan.files.filter(({ blocked }) => blocked === null);

/** Takes back what tools changed in files behind a record, and offers to take that back in turn. */
export async function undoFiles(app: App, id: string, sinceSeq: number, said = text.undo.done): Promise<void> {
  const { files, committedSeq, problem } = await app.backend.undoFiles(id, sinceSeq, false);
  if (problem) app.toasts.error(new Error(visibleLine(problem.message)));
  if (committedSeq === null) return;
  const n = files.filter(({ blocked }) => blocked === null).length;
  app.toasts.show(said(n), {
    undo: () => app.attempt(() => undoFiles(app, id, committedSeq - 1, text.undo.again)),
  });
}
