import type { Bytes } from './backend';
import { sessionOfRow } from './brief';
import { outlineOf } from './outline';
import { partsOf, wholeOf } from './parts';
import { at, type Reader } from './reader';
import type { IndexState, SavedSearch, SearchAnswer, SearchOptions, SessionAnswer, Steering } from './search';
import type { CompactionReview, DraftState, Fidelity, PlanOptions } from './compaction';
import type { KeptCopy, Retention, RetentionAsked } from './retention';
import type { CourseAsked, Ledger, LedgerFilter, Statistics, StatisticsFilter } from './stats';
import type { LocalServer, ModelList } from './models';
import type { KeptImage, Permissions, Turns } from './turns';
import type {
  Agent,
  Child,
  Config,
  Context,
  FindOptions,
  Finds,
  MatchOptions,
  Opening,
  Page,
  PageRange,
  PromptRange,
  Prompts,
  Session,
  Sizes,
} from './types';

/** The parameters that say something. */
function asked(values: Record<string, string | number | null>): URLSearchParams {
  const some = Object.entries(values).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return new URLSearchParams(some);
}

/** What stands beside the conversation: a browser asks for only a few things at a time, and this may be the last. */
const LATER: RequestInit = { priority: 'low' };

function searched({ text, scopes, matchCase, regex, cursor, count }: SearchOptions): URLSearchParams {
  const asked = new URLSearchParams({ q: text });
  if (scopes.length > 0) asked.set('scope', scopes.join());
  for (const [name, wanted] of Object.entries({ case: matchCase, regex, count })) if (wanted) asked.set(name, '1');
  if (cursor) asked.set('cursor', cursor);
  return asked;
}

/** The reads, which are the same over a port and inside the window. */
export function reads(reader: Reader) {
  return {
    sessions: ({ archived, quick }: { archived: boolean; quick: boolean }) =>
      partsOf(reader, `sessions?archived=${archived ? 1 : 0}&quick=${quick ? 1 : 0}&brief=1`, sessionOfRow),
    lastList: async () => {
      for await (const part of partsOf(reader, 'sessions?last=1&brief=1', sessionOfRow))
        return part.rows.length > 0 ? part : null;
      return null;
    },
    session: (id: string) => reader.json<Session>(`sessions/${at(id)}`),
    trash: () => wholeOf(partsOf(reader, 'trash?brief=1', sessionOfRow)),
    children: (id: string, { quick }: { quick: boolean }) =>
      wholeOf(partsOf(reader, `sessions/${at(id)}/children?quick=${quick ? 1 : 0}`, (row) => row as Child)),
    statistics: (filter: StatisticsFilter, course: CourseAsked) =>
      reader.json<Statistics>(`statistics?${asked({ ...filter, ...course })}`),
    ledger: (filter: LedgerFilter, cursor: string | null) =>
      reader.json<Ledger>(`ledger?${asked({ ...filter, limit: 500, cursor })}`),
    opening: (id: string, limit: number) =>
      reader.json<Opening>(`sessions/${at(id)}/opening?limit=${limit}&viewer=${reader.viewer}`),
    outline: (id: string, asOf = 0) => outlineOf(reader, id, asOf),
    find: (id: string, { query, from, limit, matchCase, regex }: FindOptions, signal: AbortSignal | null = null) => {
      const asked = new URLSearchParams({ q: query, from: String(from), limit: String(limit) });
      for (const [name, wanted] of Object.entries({ case: matchCase, regex })) if (wanted) asked.set(name, '1');
      return reader.json<Finds>(`sessions/${at(id)}/find?${asked}`, { signal });
    },
    matches: async ({ expression, matchCase, texts }: MatchOptions, signal: AbortSignal | null = null) => {
      const asked = { q: expression, case: matchCase, texts };
      return (await reader.put<{ matches: number[][] }>('POST', 'matches', asked, signal)).matches;
    },
    search: (options: SearchOptions, signal: AbortSignal | null = null) =>
      reader.json<SearchAnswer>(`search?${searched(options)}`, { signal }),
    searchIn: (id: string, options: SearchOptions, signal: AbortSignal | null = null) => {
      const asked = searched(options);
      asked.set('session', id);
      return reader.json<SessionAnswer>(`search?${asked}`, { signal });
    },
    savedSearches: async () => (await reader.json<{ searches: SavedSearch[] }>('searches')).searches,
    saveSearches: async (searches: readonly SavedSearch[]) =>
      (await reader.put<{ searches: SavedSearch[] }>('PUT', 'searches', { searches })).searches,
    indexState: () => reader.json<IndexState>('index'),
    steerIndex: (action: Steering) => reader.put<IndexState>('POST', 'index', { action }),

    prompts: (id: string, range: PromptRange) => {
      const asked = new URLSearchParams(Object.entries(range).map(([name, n]) => [name, String(n)]));
      return reader.json<Prompts>(`sessions/${at(id)}/prompts?${asked}`);
    },
    context: (id: string, seq = 0) => reader.json<Context>(`sessions/${at(id)}/context?at=${seq}&messages=0`),
    sizes: (id: string) => reader.json<Sizes>(`sessions/${at(id)}/sizes`),
    config: () => reader.json<Config>('config'),
    agents: () => reader.json<Agent[]>('agents'),
    retention: ({ limit, open }: RetentionAsked) =>
      reader.json<Retention>(`retention?${asked({ limit, open: open ? 1 : 0 })}`, LATER),
    keptCopies: () => wholeOf(partsOf(reader, 'kept', (row) => row as KeptCopy, LATER)),
    turns: (id: string) => reader.json<Turns>(`sessions/${at(id)}/turns`),
    permissions: (id: string) => reader.json<Permissions>(`sessions/${at(id)}/permissions`),
    models: (refresh: boolean, provider = '') =>
      reader.json<ModelList>(`models?refresh=${refresh ? 1 : 0}&provider=${encodeURIComponent(provider)}`, LATER),
    asking: async () => (await reader.json<{ sessions: string[] }>('asking', LATER)).sessions,
    localServers: async () => (await reader.json<{ servers: LocalServer[] }>('models/local', LATER)).servers,

    plan: (id: string, { cut, keepRecent, propose }: PlanOptions) => {
      const asked = new URLSearchParams();
      if (cut !== undefined) asked.set('cut', String(cut));
      if (keepRecent !== undefined) asked.set('keepRecent', String(keepRecent));
      if (propose) asked.set('propose', '1');
      return reader.json<CompactionReview>(`sessions/${at(id)}/compactions/plan?${asked}`);
    },
    compactionReview: (id: string, seq: number) =>
      reader.json<CompactionReview>(`sessions/${at(id)}/compactions/${seq}`),
    fidelity: (id: string, seq: number) =>
      reader.json<Fidelity | null>(`sessions/${at(id)}/compactions/${seq}/fidelity`, LATER),
    draft: (id: string, draftId: string) =>
      reader.json<DraftState>(`sessions/${at(id)}/drafts/${encodeURIComponent(draftId)}`),

    // Of sessions of other agents nothing is written, and nothing lies unfinished. Where somebody read is where it opens.
    deskPiece: async (key: string) => {
      if (key.includes(':')) return null;
      return (await reader.json<{ value: unknown }>(`desk/${key}`, /^(?:place|view)\b/.test(key) ? {} : LATER)).value;
    },
    layOnDesk: async (key: string, value: unknown, by: string, last: boolean): Promise<void> => {
      if (key.includes(':')) return;
      const body = JSON.stringify(value);
      await reader.ask(`desk/${key}?by=${by}`, {
        method: 'PUT',
        body,
        headers: { 'Content-Type': 'application/json' },
        // So much a browser sends for a page that is gone.
        keepalive: last && body.length < 20_000,
      });
    },

    keepImage: (bytes: ArrayBuffer) =>
      reader.json<KeptImage>('images', {
        method: 'POST',
        body: bytes,
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
    deskImage: async (sha: string): Promise<Blob> => (await reader.ask(`images/${encodeURIComponent(sha)}`)).blob(),

    records: (id: string, { index, limit, view, asOf = 0 }: PageRange) =>
      reader.json<Page>(
        `sessions/${at(id)}/records?index=${index}&limit=${limit}&view=${view}${asOf ? `&at=${asOf}` : ''}`,
      ),
    recordsFrom: (id: string, seq: number, limit: number) =>
      reader.json<Page>(`sessions/${at(id)}/records?from=${seq}&limit=${limit}`),

    recordBytes: async (id: string, seq: number, offset: number, limit: number): Promise<Bytes> => {
      const response = await reader.ask(`sessions/${at(id)}/records/${seq}?offset=${offset}&limit=${limit}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, total: Number(response.headers.get('X-Record-Bytes')) || offset + bytes.length };
    },

    blob: async (id: string, sha: string): Promise<Blob> =>
      (await reader.ask(`sessions/${at(id)}/blobs/${encodeURIComponent(sha)}`)).blob(),
  };
}
