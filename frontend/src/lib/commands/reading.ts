import type { App } from '../app.svelte';
import { text } from '../text';
import { copyConversation, rowActions } from '../transcript/actions';
import { isReading, isWhole, reading, type Command } from './command';
import { current } from './conversation';
import { backToNow } from '../context/back';

const hasLog = (app: App) => isReading(app) && app.log !== null;
const hasAll = (app: App) => hasLog(app) && isWhole(app);

/** Something that is done to the record that the keys stand on. */
function onRow(what: keyof ReturnType<typeof rowActions>, message = false): Command {
  const possible = (app: App) => {
    const row = current(app);
    return row !== null && (!message || row.record.recordType === 'message');
  };
  return {
    run: (app) => {
      const row = current(app);
      if (row && app.opened && possible(app)) return rowActions(app, app.opened, row)[what]();
    },
    enabled: possible,
  };
}

function toPrompt(by: 1 | -1): Command {
  return {
    run: (app) => {
      const { opened, log } = app;
      if (!opened || !log) return;
      return app.attempt(async () => {
        if (!(await log.toPrompt(by))) app.toasts.show(by === 1 ? text.reading.noNext : text.reading.noPrevious);
      });
    },
    enabled: hasAll,
  };
}

/** Shows the branch beside the one that is shown, at the last place before the reader where it goes on in several ways. */
function toBranch(by: 1 | -1): Command {
  return {
    run: async (app) => {
      if (app.log && !(await app.log.toBranch(by))) app.toasts.show(text.transcript.noBranches);
    },
    enabled: (app) => hasAll(app) && reading(app)?.transcript.ways.branched === true,
  };
}

function fold(open: boolean): Command {
  return {
    run: (app) =>
      app.log?.keep(() => {
        app.opened?.transcript.folds.setAll(open);
      }),
    enabled: hasLog,
  };
}

function find(by: 0 | 1 | -1): Command {
  return {
    run: (app) => {
      const finding = reading(app)?.transcript.find;
      if (!finding) return;
      const selected = getSelection()?.toString().trim() ?? '';
      const wasOpen = finding.isOpen;
      finding.open(selected.length <= 200 && !selected.includes('\n') ? selected : '');
      if (by === 0) finding.asked++;
      else if (wasOpen) finding.step(by);
    },
    enabled: hasAll,
  };
}

export const inReading = {
  find: find(0),
  findNext: find(1),
  findPrevious: find(-1),
  nextPrompt: toPrompt(1),
  previousPrompt: toPrompt(-1),
  previousBranch: toBranch(-1),
  nextBranch: toBranch(1),
  prompts: {
    run: (app) => {
      const transcript = reading(app)?.transcript;
      if (transcript) transcript.promptsShown = !transcript.promptsShown;
    },
    enabled: hasAll,
  },
  foldAll: fold(false),
  unfoldAll: fold(true),
  backToNow: {
    run: (app) => {
      backToNow(app);
    },
    enabled: (app) => isReading(app) && Boolean(app.opened?.past.moment),
  },
  messageMenu: {
    run: (app) => {
      if (app.log) app.log.openMenu(app.log.cursor.position);
    },
    enabled: (app) => current(app) !== null,
  },
  copyMarkdown: onRow('copyMarkdown', true),
  copyRaw: onRow('copyRaw'),
  showSource: onRow('toggleSource', true),
  showRaw: onRow('toggleRaw'),
  undoFilesHere: onRow('undoFiles', true),
  compactHere: onRow('compactHere', true),
  copyConversation: {
    run: (app) => {
      if (app.opened) return copyConversation(app, app.opened);
    },
    enabled: isWhole,
  },
} satisfies Record<string, Command>;
