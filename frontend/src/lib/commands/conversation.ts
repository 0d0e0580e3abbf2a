import type { App } from '../app.svelte';
import { accept } from '../compaction/actions';
import { askToUndo } from '../compaction/undo';
import { rowActions } from '../transcript/actions';
import type { Move } from '../transcript/moves';
import { isForeign, isReading, isWhole, reading, type Command } from './command';
import { focusOn, isThere, press } from './subject';

const moves = (move: Move): Command => ({
  run: (app) => app.log?.move(move),
  enabled: (app) => isReading(app) && app.log !== null,
});

/** The record that the keys stand on, whatever stands beside it. */
export function current(app: App) {
  const row = app.log && reading(app)?.transcript.pages?.row(app.log.cursor.position);
  return row?.kind === 'record' ? row : null;
}

const newReview = (app: App) => (app.reviews.current?.kind === 'new' ? app.reviews.current : null);

export const conversation = {
  next: moves('next'),
  previous: moves('previous'),
  start: moves('first'),
  end: moves('last'),
  modelOnly: {
    run: (app) => app.toggleView(),
    enabled: (app) => isWhole(app) && Boolean(reading(app)?.transcript.pages),
  },
  goTo: { run: (app) => (app.dialog = 'goTo'), enabled: isWhole },
  firstDamage: {
    run: (app) => {
      const transcript = reading(app)?.transcript;
      const first = transcript?.outline?.damage[0];
      if (transcript && first) return app.attempt(() => transcript.goToIndex(first.index));
    },
    enabled: (app) => (reading(app)?.transcript.outline?.damage.length ?? 0) > 0,
  },
  write: {
    run: () => {
      focusOn('message-field');
    },
    enabled: () => isThere('message-field'),
  },
  send: {
    run: () => {
      press('send');
    },
    enabled: () => isThere('send'),
  },
  stop: {
    run: (app) => app.attempt(async () => reading(app)?.talk.stop()),
    enabled: (app) => Boolean(reading(app)?.talk.turn),
  },
  retry: {
    run: (app) => reading(app)?.talk.retry(),
    enabled: () => isThere('retry'),
  },
  model: {
    run: () => {
      press('model');
    },
    enabled: () => isThere('model'),
  },
  attach: {
    run: () => {
      press('attach');
    },
    enabled: () => isThere('attach'),
  },
  copyMessage: {
    run: (app) => {
      const row = current(app);
      if (row && app.opened) return rowActions(app, app.opened, row).copy();
    },
    enabled: (app) => current(app)?.record.recordType === 'message',
  },
  copyLink: {
    run: (app) => {
      const row = current(app);
      if (row && app.opened) return app.copyLink(app.opened.id, row.seq);
    },
    enabled: (app) => (current(app)?.seq ?? 0) > 0,
  },
  forkHere: {
    run: (app) => {
      const row = current(app);
      const session = app.opened && app.library.find(app.opened.id);
      if (row && session) return app.deeds.fork(session, row.seq);
    },
    enabled: (app) => current(app)?.record.recordType === 'message' && !isForeign(app),
  },
  compact: {
    run: (app) => {
      if (app.opened) app.route.review(app.opened.id);
    },
    enabled: (app) => isReading(app) && !isForeign(app),
  },
  accept: {
    run: (app) => {
      const review = newReview(app);
      if (review) return accept(app, review);
    },
    enabled: (app) => newReview(app)?.acceptable ?? false,
  },
  leaveReview: {
    run: (app) => {
      if (app.reviews.current) app.route.leaveReview(app.reviews.current.id);
    },
    enabled: (app) => app.reviews.current !== null,
  },
  undoCompaction: {
    run: (app) => {
      askToUndo(app);
    },
    enabled: (app) => isReading(app) && !isForeign(app) && !app.opened?.transcript.moment,
  },
} satisfies Record<string, Command>;
