import type { Backend, NewsListener } from './backend';
import { errorOfCall } from './errors';
import { reads } from './http';
import { NewsGate, parseNews } from './news';
import { Reader } from './reader';
import type { Session } from './types';

/** The methods the program binds into its window. */
interface BoundApp {
  Rename(id: string, name: string): Promise<Session>;
  Archive(id: string): Promise<Session>;
  Unarchive(id: string): Promise<Session>;
  Trash(id: string): Promise<unknown>;
  Restore(id: string): Promise<Session>;
  Fork(id: string, atSeq: number): Promise<Session>;
  Revert(id: string, seq: number): Promise<{ committedSeq: number }>;
  AddSample(): Promise<Session>;
  OpenLink(url: string): Promise<unknown>;
}

interface WindowRuntime {
  EventsOn(name: string, callback: (payload: unknown) => void): () => void;
  ClipboardSetText(text: string): Promise<boolean>;
}

interface WailsWindow {
  go?: { main?: { App?: BoundApp } };
  runtime?: WindowRuntime;
}

export function boundApp(): BoundApp | undefined {
  return (window as WailsWindow).go?.main?.App;
}

async function call<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (cause) {
    throw errorOfCall(cause);
  }
}

/** The program around this window: reads go through the page's own origin, commands through bound methods. */
export function windowBackend(app: BoundApp): Backend {
  const runtime = (window as WailsWindow).runtime;
  return {
    ...reads(new Reader(() => ({}))),
    rename: (id, name) => call(app.Rename(id, name)),
    archive: (id) => call(app.Archive(id)),
    unarchive: (id) => call(app.Unarchive(id)),
    moveToTrash: async (id) => void (await call(app.Trash(id))),
    restore: (id) => call(app.Restore(id)),
    fork: (id, atSeq) => call(app.Fork(id, atSeq)),
    revert: (id, seq) => call(app.Revert(id, seq)),
    addSample: () => call(app.AddSample()),

    openLink: async (url) => void (await call(app.OpenLink(url))),
    copy: async (text) => {
      if (!(await runtime?.ClipboardSetText(text))) throw new Error('The clipboard is not available.');
    },
    // The window has no address that means anything elsewhere.
    linkTo: (hash) => hash,
    subscribe: (listener: NewsListener) => {
      const gate = new NewsGate(listener);
      const stop = runtime?.EventsOn('palimpsest', (payload) => {
        const news = parseNews(payload);
        if (news) gate.receive(news);
      });
      return () => stop?.();
    },
    signIn: null,
  };
}
