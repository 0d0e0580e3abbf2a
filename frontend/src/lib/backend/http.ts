import type { Backend, NewsListener } from './backend';
import { copyText } from './clipboard';
import { downloads } from './exporting';
import { browserNotices } from './notices';
import { at, Reader } from './reader';
import { reads } from './reads';
import { follow } from './stream';
import { storeToken, takeToken, tokenIn } from './token';
import type { Undo } from './models';
import type { Session } from './types';

interface Undoable {
  undo: Undo | null;
}

/** The program behind a port, as `palimpsest serve` offers it. */
export function httpBackend(): Backend {
  let token = takeToken();
  const reader = new Reader(() => (token ? { Authorization: `Bearer ${token}` } : {}));

  const send = <T>(method: string, path: string, body?: unknown, more: RequestInit = {}): Promise<T> =>
    reader.json<T>(path, {
      ...more,
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  // A name may be given as the page goes.
  const patch = (id: string, change: unknown) =>
    send<Session>('PATCH', `sessions/${at(id)}`, change, { keepalive: true });

  return {
    ...reads(reader),
    rename: (id, name) => patch(id, { name }),
    archive: (id) => patch(id, { archived: true }),
    unarchive: (id) => patch(id, { archived: false }),
    moveToTrash: async (id) => void (await send('DELETE', `sessions/${at(id)}`)),
    restore: (id) => send('POST', `trash/${id}/restore`),
    restoreMany: (ids) => send('POST', 'restores', { ids }),
    fork: (id, atSeq) => send('POST', `sessions/${at(id)}/forks`, atSeq > 0 ? { at: atSeq } : {}),
    importSession: (id) => send('POST', 'imports', { id }),
    keep: (ids) => send('POST', 'kept', { ids }),
    dropCopies: async (ids) => void (await send('POST', 'drops', { ids })),
    forget: (ids) => send('POST', 'index/forget', { ids }),
    cleanUp: (rule) => send('POST', 'cleanup', rule),
    revert: (id, seq) => send('POST', `sessions/${at(id)}/reverts`, { targetSeq: seq }),
    undoFiles: (id, request) => send('POST', `sessions/${at(id)}/undos`, request),
    setPermissions: (id, permissions, base) => send('PUT', `sessions/${at(id)}/permissions`, { permissions, base }),
    addSample: () => send('POST', 'sample'),
    createSession: (request) => send('POST', 'sessions', request),
    send: (id, request) => send('POST', `sessions/${at(id)}/messages`, request),
    giveUp: (id, key) => send('DELETE', `sessions/${at(id)}/messages/${encodeURIComponent(key)}`),
    endTurn: (id, turnId) => send('DELETE', `sessions/${at(id)}/turns/${encodeURIComponent(turnId)}`),
    answer: (id, turnId, answer) =>
      send('POST', `sessions/${at(id)}/turns/${encodeURIComponent(turnId)}/answers`, answer),
    useModel: (baseUrl, model) => send('PUT', 'models', { baseUrl, model }),
    useProvider: (provider, model) => send('PUT', 'models', { provider, model }),
    setProvider: async ({ name, ...provider }) =>
      void (await send('PUT', `models/providers/${encodeURIComponent(name)}`, provider)),
    removeProvider: async (name) =>
      (await send<Undoable>('DELETE', `models/providers/${encodeURIComponent(name)}`)).undo,
    setKey: async (place, key) => (await send<Undoable>('PUT', 'models/key', { ...place, key })).undo,
    forgetKey: async (place) => (await send<Undoable>('DELETE', 'models/key', place)).undo,
    putBack: async (undo) => (await send<{ asItWas: boolean }>('POST', 'models/undos', { undo })).asItWas,
    startDraft: (id, request) => send('POST', `sessions/${at(id)}/drafts`, request),
    leave: async (id) => void (await send('DELETE', `sessions/${at(id)}/opening?viewer=${reader.viewer}`)),
    cancelDraft: async (id, draftId) =>
      void (await send('DELETE', `sessions/${at(id)}/drafts/${encodeURIComponent(draftId)}`)),
    measure: (id, request) => send('POST', `sessions/${at(id)}/fidelity`, request),
    compact: (id, request) => send('POST', `sessions/${at(id)}/compactions`, request),

    openLink: (url) => {
      window.open(url, '_blank', 'noopener,noreferrer');
      return Promise.resolve();
    },
    copy: copyText,
    linkTo: (hash) => location.origin + location.pathname + hash,
    subscribe: (listener: NewsListener) => {
      const stop = new AbortController();
      void follow(reader, listener, stop.signal);
      return () => {
        stop.abort();
      };
    },
    exportPlace: (count) => Promise.resolve(downloads(reader, count)),
    notices: browserNotices(),
    chooseFolder: null,
    signIn: (pasted) => {
      token = tokenIn(pasted);
      storeToken(token);
    },
  };
}
