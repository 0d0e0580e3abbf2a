import type { App } from '../app.svelte';
import type { Opened } from '../opened.svelte';
import { text } from '../text';
import { messageAsMarkdown } from './as-markdown';
import { plainText } from './record';
import { recordOf } from './reading.svelte';
import type { RecordRow } from './rows';
import { rawText, readWhole, withBlobs } from './whole';

/** What can be done with one record of a conversation. */
export function rowActions(app: App, { id, transcript }: Opened, row: RecordRow) {
  const { index } = row.entry;
  /** All of it: one that came cut is read first. */
  const whole = async () => {
    const known = recordOf(transcript, row);
    if (known !== row.record || row.record.truncated !== true) return known;
    return readWhole(app.backend, id, row.seq, row.entry, () => undefined);
  };
  const copy = (as: (record: RecordRow['record']) => string) =>
    app.attempt(async () => {
      await app.copy(as(await withBlobs(app.backend, id, await whole())), text.app.copied);
    });
  const show = (form: 'source' | 'raw') => {
    if (transcript.forms.get(index) === form) transcript.forms.delete(index);
    else transcript.forms.set(index, form);
  };
  return {
    copy: () => copy(plainText),
    copyMarkdown: () => copy(messageAsMarkdown),
    copyRaw: () =>
      app.attempt(async () => {
        await app.copy(await rawText(app.backend, id, row), text.app.copied);
      }),
    copyLink: () => app.copyLink(id, row.seq),
    fork: () => {
      const session = app.library.find(id);
      if (session) return app.deeds.fork(session, row.seq);
    },
    undoFiles: () => {
      app.sheet = { kind: 'undoFiles', id, seq: row.seq };
    },
    compactHere: () => {
      app.reviews.upTo = row.seq;
      app.route.review(id);
    },
    toggleSource: () => {
      show('source');
    },
    toggleRaw: () => {
      show('raw');
    },
  };
}

/** Copies all that is shown in the view chosen, however long that takes; it can be cancelled meanwhile. */
export async function copyConversation(app: App, { id, transcript }: Opened): Promise<void> {
  await app.attempt(async () => {
    const copied = await transcript.copying.gather(app.library.find(id)?.name ?? '', transcript.view);
    if (!copied) {
      app.toasts.show(text.reading.cancelled);
      return;
    }
    const { markdown, size, messages, cut } = copied;
    const said = cut ? text.reading.copiedSome(size, messages) : text.reading.copiedAll(size);
    try {
      await app.backend.copy(markdown);
      app.toasts.show(said);
    } catch {
      // A browser may want to see a hand for it, and the one that asked is long gone.
      app.toasts.show(text.reading.copyReady(size), {
        label: text.reading.copyNow,
        offer: () => app.copy(markdown, said),
      });
    }
  });
}
