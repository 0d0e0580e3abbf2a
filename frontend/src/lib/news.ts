import type { App } from './app.svelte';
import type { News } from './backend';
import { KEY as SAVED } from './search/saved.svelte';

/** What the program tells of goes to all that show it. */
export function passOn(app: App, news: News): void {
  if (news.piece) app.desk.onNews(news.piece);
  if (['index', 'created', 'removed'].includes(news.kind)) app.search.grew();
  if (app.search.isOpen) {
    if (news.kind === 'index') void app.indexing.load();
    if (news.piece?.key === SAVED) void app.saved.load();
  }
  void app.library.onNews(news);
  if (news.kind === 'index') app.indexed++;
  if (news.kind === 'config') {
    void app.connection.reread();
    void app.talks.models.load(false);
  }
  if (app.opened && news.sessionId === app.opened.id) {
    if (news.part) app.opened.transcript.progress(news.part);
    else app.opener.changed();
  }
}

/** Some news were missed: everything shown is asked for again. */
export function askAnew(app: App): void {
  void app.library.load();
  void app.connection.reread();
  void app.talks.models.load(false);
  app.desk.retry();
  app.turnEvents.gap();
  app.search.grew();
  if (app.search.isOpen) app.showSearch();
  app.opener.changed();
}
