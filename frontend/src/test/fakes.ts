import { vi } from 'vitest';
import {
  BackendError,
  type Backend,
  type Config,
  type Context,
  type Entry,
  type ModelList,
  type Outline,
  type Page,
  type RawRecord,
  type Session,
} from '../lib/backend';

export const ID = '01JD0000000000000000000001';

export function session(id: string, more: Partial<Session> = {}): Session {
  return {
    id,
    name: `session ${id}`,
    createdAt: '2026-11-20T10:00:00Z',
    lastMessageAt: '2026-11-21T10:00:00Z',
    model: 'm',
    messageCount: 1,
    compactions: 0,
    source: 'interactive',
    cwd: null,
    key: null,
    archivedAt: null,
    firstMessage: null,
    agent: 'palimpsest',
    foreign: false,
    path: '',
    ...more,
  };
}

export function message(seq: number, role: string, content: unknown, more: RawRecord = {}): RawRecord {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return {
    recordType: 'message',
    schemaVersion: 1,
    seq,
    role,
    content: blocks,
    timestamp: '2026-11-21T10:00:00Z',
    ...more,
  };
}

export function entry(index: number, more: Partial<Entry> = {}): Entry {
  return { index, line: index + 1, offset: index * 100, bytes: 100, state: 'fresh', reason: '', ...more };
}

export function outline(more: Partial<Outline> = {}): Outline {
  return {
    sessionId: ID,
    total: 0,
    modelTotal: 0,
    bytes: 0,
    messages: 0,
    records: 0,
    newer: 0,
    compactions: [],
    branches: [],
    damage: [],
    ...more,
  };
}

export function context(more: Partial<Context> = {}): Context {
  return {
    sessionId: ID,
    at: null,
    tokens: { estimate: 900, calibrated: 1000, reported: null, window: 128_000, reserve: 16_384, clamped: false },
    parts: { injected: 0, summary: 0, kept: 0, fresh: 1000 },
    model: null,
    compactionSeq: null,
    repairs: [],
    ...more,
  };
}

export function config(more: Partial<Config> = {}): Config {
  const home = '/home/u/.agent';
  return {
    theme: 'system',
    readOnly: false,
    model: '',
    baseUrl: '',
    notifications: true,
    path: `${home}/config.yaml`,
    problems: [],
    home,
    version: '0',
    ...more,
  };
}

export function models(more: Partial<ModelList> = {}): ModelList {
  const error = { code: 'no_model', message: 'no model is configured', hint: '' };
  return {
    provider: null,
    baseUrl: '',
    model: '',
    hasKey: false,
    keyFrom: null,
    inUse: null,
    default: null,
    providers: [],
    models: [],
    error: more.baseUrl ? null : error,
    ...more,
  };
}

/** A page of a log of records, of which `index` and `limit` choose some. */
export function pageOf(records: RawRecord[], index: number, limit: number): Page {
  const some = records.slice(index, index + limit);
  return {
    sessionId: ID,
    first: index,
    count: some.length,
    total: records.length,
    next: null,
    records: some,
    entries: some.map((_, i) => entry(index + i)),
    damage: [],
    truncated: false,
  };
}

const missing = () => Promise.reject(new BackendError('not_found', 'There is no such thing.'));

/** A list that comes in parts, so many rows in each. */
export const listOf = (rows: Session[] = [], size = Infinity): Backend['sessions'] =>
  async function* () {
    let from = 0;
    do {
      yield await Promise.resolve({ rows: rows.slice(from, from + size), from, total: rows.length });
      from += size;
    } while (from < rows.length);
  };

/** A list that comes when a test lets it. */
export const listLater = (rows: Promise<Session[]>): Backend['sessions'] =>
  async function* (options) {
    yield* listOf(await rows)(options);
  };

/** A backend of which a test says only what it needs; all the rest is not found. */
export function fakeBackend(parts: Partial<Backend> = {}): Backend {
  return {
    sessions: listOf(),
    lastList: () => Promise.resolve(null),
    opening: () => Promise.resolve({ ...pageOf([], 0, 0), excerpt: null }),
    session: missing,
    trash: () => Promise.resolve([]),
    statistics: missing,
    ledger: missing,
    children: () => Promise.resolve([]),
    records: missing,
    recordsFrom: missing,
    recordBytes: missing,
    outline: missing,
    find: missing,
    matches: missing,
    search: missing,
    searchIn: missing,
    savedSearches: () => Promise.resolve([]),
    saveSearches: (searches) => Promise.resolve([...searches]),
    indexState: missing,
    steerIndex: missing,
    prompts: missing,
    context: () => Promise.resolve(context()),
    sizes: missing,
    blob: missing,
    config: () => Promise.resolve(config()),
    agents: () => Promise.resolve([]),
    retention: () => Promise.resolve({ agents: [], sessions: [], total: 0, open: 0 }),
    keptCopies: () => Promise.resolve([]),
    keep: () => Promise.resolve([]),
    dropCopies: () => Promise.resolve(),
    forget: (ids) => Promise.resolve(ids.map((id) => ({ id, problem: null }))),
    cleanUp: () =>
      Promise.resolve({ sessions: [], ids: [], next: null, count: 0, bytes: 0, failed: [], failedCount: 0 }),
    turns: () =>
      Promise.resolve({ running: null, queued: [], canRetry: false, heldBy: null, readOnly: false, noTools: null }),
    permissions: () => Promise.resolve({ sessionId: ID, permissions: [], inherited: [], noTools: null }),
    models: () => Promise.resolve(models()),
    asking: () => Promise.resolve([]),
    localServers: () => Promise.resolve([]),
    rename: missing,
    archive: missing,
    unarchive: missing,
    moveToTrash: missing,
    restore: missing,
    restoreMany: (ids) => Promise.resolve({ ids: [...ids], failed: [], failedCount: 0 }),
    fork: missing,
    importSession: missing,
    revert: missing,
    undoFiles: missing,
    setPermissions: missing,
    addSample: missing,
    createSession: missing,
    send: missing,
    giveUp: missing,
    endTurn: missing,
    answer: missing,
    useModel: missing,
    useProvider: missing,
    setProvider: missing,
    removeProvider: missing,
    setKey: missing,
    forgetKey: missing,
    putBack: missing,
    plan: missing,
    compactionReview: missing,
    fidelity: missing,
    measure: missing,
    draft: missing,
    startDraft: missing,
    leave: () => Promise.resolve(),
    cancelDraft: missing,
    compact: missing,
    deskPiece: () => Promise.resolve(null),
    layOnDesk: () => Promise.resolve(),
    keepImage: missing,
    deskImage: missing,
    openLink: vi.fn(() => Promise.resolve()),
    copy: vi.fn(() => Promise.resolve()),
    linkTo: (hash) => hash,
    subscribe: () => () => undefined,
    chooseFolder: null,
    exportPlace: () => Promise.resolve(null),
    notices: {
      allowed: 'no',
      ask: () => Promise.resolve(),
      show: () => Promise.resolve(),
      onOpen: () => () => undefined,
    },
    signIn: null,
    ...parts,
  };
}

/** A promise and the way to settle it, for answers that come in an order of the test's choosing. */
export function later<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (cause: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything that is already settled run its course. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 60; i++) await Promise.resolve();
}
