import type { Backend, NewsListener } from './backend';
import { app as texts } from '../text/app';
import type { Compacted, CompactRequest, DraftRequest, DraftState, Fidelity, MeasureRequest } from './compaction';
import { errorOfCall } from './errors';
import { deliver, NewsGate } from './news';
import { Reader } from './reader';
import { reads } from './reads';
import type { Cleaned, CleanupRule, Forgotten, Kept, RestoredMany } from './retention';
import type { NewProvider } from './models';
import type {
  AnswerRequest,
  Answered,
  FileUndo,
  NewSession,
  Permissions,
  Rule,
  SendRequest,
  Sent,
  UndoRequest,
} from './turns';
import type { Session } from './types';

/** The methods the program binds into its window. */
interface BoundApp {
  Rename(id: string, name: string): Promise<Session>;
  Archive(id: string): Promise<Session>;
  Unarchive(id: string): Promise<Session>;
  Trash(id: string): Promise<unknown>;
  Restore(id: string): Promise<Session>;
  RestoreMany(ids: readonly string[]): Promise<RestoredMany>;
  Fork(id: string, atSeq: number): Promise<Session>;
  Import(id: string): Promise<Session>;
  Keep(ids: readonly string[]): Promise<Kept[]>;
  DropCopies(ids: readonly string[]): Promise<unknown>;
  Forget(ids: readonly string[]): Promise<Forgotten[]>;
  CleanUp(rule: CleanupRule): Promise<Cleaned>;
  Revert(id: string, seq: number): Promise<{ committedSeq: number }>;
  UndoFiles(id: string, request: UndoRequest): Promise<FileUndo>;
  SetPermissions(id: string, rules: Rule[], base: Rule[]): Promise<Permissions>;
  AddSample(): Promise<Session>;
  Create(request: NewSession): Promise<Session>;
  Send(id: string, request: SendRequest): Promise<Sent>;
  GiveUp(id: string, key: string): ReturnType<Backend['giveUp']>;
  EndTurn(id: string, turnId: string): ReturnType<Backend['endTurn']>;
  Answer(id: string, turnId: string, answer: AnswerRequest): Promise<Answered>;
  UseModel(baseUrl: string, model: string): Promise<unknown>;
  UseProvider(name: string, model: string): Promise<void>;
  SetProvider(provider: NewProvider): Promise<void>;
  RemoveProvider(name: string): Promise<string>;
  SetKey(place: { provider: string; baseUrl: string }, key: string): Promise<string>;
  ForgetKey(place: { provider: string; baseUrl: string }): Promise<string>;
  PutBack(undo: string): Promise<boolean>;
  StartDraft(id: string, request: DraftRequest): Promise<DraftState>;
  Leave(id: string, viewer: string): Promise<unknown>;
  CancelDraft(id: string, draftId: string): Promise<unknown>;
  Fidelity(id: string, request: MeasureRequest): Promise<Fidelity>;
  Compact(id: string, request: CompactRequest): Promise<Compacted>;
  Notify(title: string, body: string, session: string): Promise<unknown>;
  ChooseFolder(from: string): Promise<string>;
  Export(id: string, format: string, folder: string): Promise<{ path: string; secretsLeftOut: number }>;
  OpenLink(url: string): Promise<unknown>;
  Offer(ids: readonly string[]): Promise<unknown>;
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
  const reader = new Reader(() => ({}));
  const read = reads(reader);
  return {
    ...read,
    rename: (id, name) => call(app.Rename(id, name)),
    archive: (id) => call(app.Archive(id)),
    unarchive: (id) => call(app.Unarchive(id)),
    moveToTrash: async (id) => void (await call(app.Trash(id))),
    restore: (id) => call(app.Restore(id)),
    restoreMany: (ids) => call(app.RestoreMany(ids)),
    fork: (id, atSeq) => call(app.Fork(id, atSeq)),
    importSession: (id) => call(app.Import(id)),
    keep: (ids) => call(app.Keep(ids)),
    dropCopies: async (ids) => void (await call(app.DropCopies(ids))),
    forget: (ids) => call(app.Forget(ids)),
    cleanUp: (rule) => call(app.CleanUp(rule)),
    revert: (id, seq) => call(app.Revert(id, seq)),
    undoFiles: (id, request) => call(app.UndoFiles(id, request)),
    setPermissions: (id, rules, base) => call(app.SetPermissions(id, rules, base)),
    addSample: () => call(app.AddSample()),
    createSession: (request) => call(app.Create(request)),
    send: (id, request) => call(app.Send(id, request)),
    giveUp: (id, key) => call(app.GiveUp(id, key)),
    endTurn: (id, turnId) => call(app.EndTurn(id, turnId)),
    answer: (id, turnId, answer) => call(app.Answer(id, turnId, answer)),
    useModel: async (baseUrl, model) => {
      await call(app.UseModel(baseUrl, model));
      return read.config();
    },
    useProvider: async (name, model) => {
      await call(app.UseProvider(name, model));
      return read.config();
    },
    setProvider: (provider) => call(app.SetProvider(provider)),
    removeProvider: async (name) => (await call(app.RemoveProvider(name))) || null,
    setKey: async ({ provider, baseUrl }, key) =>
      (await call(app.SetKey({ provider: provider ?? '', baseUrl }, key))) || null,
    forgetKey: async ({ provider, baseUrl }) =>
      (await call(app.ForgetKey({ provider: provider ?? '', baseUrl }))) || null,
    putBack: (undo) => call(app.PutBack(undo)),
    startDraft: (id, request) => call(app.StartDraft(id, request)),
    leave: async (id) => void (await call(app.Leave(id, reader.viewer))),
    cancelDraft: async (id, draftId) => void (await call(app.CancelDraft(id, draftId))),
    measure: (id, request) => call(app.Fidelity(id, request)),
    compact: (id, request) => call(app.Compact(id, request)),

    openLink: async (url) => void (await call(app.OpenLink(url))),
    copy: async (text) => {
      if (!(await runtime?.ClipboardSetText(text))) throw new Error(texts.noClipboard);
    },
    // The window has no address that means anything elsewhere.
    linkTo: (hash) => hash,
    subscribe: (listener: NewsListener) => {
      const gate = new NewsGate(listener);
      const stop = runtime?.EventsOn('palimpsest', (payload) => {
        deliver(payload, gate, listener);
      });
      return () => stop?.();
    },
    onCommand: (chosen) => runtime?.EventsOn('palimpsest:command', chosen) ?? (() => undefined),
    offer: async (ids) => void (await call(app.Offer(ids))),
    notices: {
      allowed: 'yes',
      ask: () => Promise.resolve(),
      show: async ({ title, body, session }) => void (await call(app.Notify(title, body, session))),
      onOpen: (open) =>
        runtime?.EventsOn('palimpsest:open', (session) => {
          if (typeof session === 'string') open(session);
        }) ?? (() => undefined),
    },
    chooseFolder: (from) => call(app.ChooseFolder(from)),
    exportPlace: async () => {
      const folder = await call(app.ChooseFolder(''));
      let some = false;
      return folder === ''
        ? null
        : {
            add: async ({ id }, format) => {
              const { secretsLeftOut } = await call(app.Export(id, format, folder));
              some = true;
              return secretsLeftOut;
            },
            finish: () => Promise.resolve(some ? folder : null),
          };
    },
    signIn: null,
  };
}
