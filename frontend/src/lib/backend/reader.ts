import type { Bytes } from './backend';
import { parseExactly } from '../json/exact';
import { valuesOf } from './lines';
import { asBackendError, errorOf } from './errors';
import type { IndexState, SavedSearch, SearchAnswer, SearchOptions, SessionAnswer } from './search';
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
  Opening,
  Outline,
  Page,
  PageRange,
  PromptRange,
  Prompts,
  Session,
  Sizes,
} from './types';

/** An id in an address: that of a session of another agent may hold anything. */
export const at = encodeURIComponent;

/** The parameters that say something. */
function asked(values: Record<string, string | number | null>): URLSearchParams {
  const some = Object.entries(values).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  return new URLSearchParams(some);
}

/** What stands beside the conversation: a browser asks for only a few things at a time, and this may be the last. */
const LATER: RequestInit = { priority: 'low' };

export type Headers = () => { Authorization?: string };

function searched({ text, scopes, matchCase, regex, cursor, count }: SearchOptions): URLSearchParams {
  const asked = new URLSearchParams({ q: text });
  if (scopes.length > 0) asked.set('scope', scopes.join());
  for (const [name, wanted] of Object.entries({ case: matchCase, regex, count })) if (wanted) asked.set(name, '1');
  if (cursor) asked.set('cursor', cursor);
  return asked;
}

/** The reads, which are the same over a port and inside the window. */
export class Reader {
  /** This page, among those that look at the same session. */
  readonly viewer = Math.random().toString(36).slice(2);

  constructor(private readonly headers: Headers) {}

  sessions = async ({ archived, quick }: { archived: boolean; quick: boolean }) => {
    const response = await this.ask(`sessions?archived=${archived ? 1 : 0}&quick=${quick ? 1 : 0}&lines=1`);
    return valuesOf<Session>(response);
  };
  session = (id: string) => this.json<Session>(`sessions/${at(id)}`);
  trash = () => this.json<Session[]>('trash');
  children = (id: string, { quick }: { quick: boolean }) =>
    this.json<Child[]>(`sessions/${at(id)}/children?quick=${quick ? 1 : 0}`);
  statistics = (filter: StatisticsFilter, course: CourseAsked) =>
    this.json<Statistics>(`statistics?${asked({ ...filter, ...course })}`);
  ledger = (filter: LedgerFilter, cursor: string | null) =>
    this.json<Ledger>(`ledger?${asked({ ...filter, limit: 500, cursor })}`);
  opening = (id: string, limit: number) =>
    this.json<Opening>(`sessions/${at(id)}/opening?limit=${limit}&viewer=${this.viewer}`);
  outline = (id: string, asOf = 0) => this.json<Outline>(`sessions/${at(id)}/outline${asOf ? `?at=${asOf}` : ''}`);
  find = (id: string, { query, from, limit, matchCase }: FindOptions) => {
    const asked = new URLSearchParams({ q: query, from: String(from), limit: String(limit) });
    if (matchCase) asked.set('case', '1');
    return this.json<Finds>(`sessions/${at(id)}/find?${asked}`);
  };
  search = (options: SearchOptions, signal: AbortSignal | null = null) =>
    this.json<SearchAnswer>(`search?${searched(options)}`, { signal });
  searchIn = (id: string, options: SearchOptions, signal: AbortSignal | null = null) => {
    const asked = searched(options);
    asked.set('session', id);
    return this.json<SessionAnswer>(`search?${asked}`, { signal });
  };
  savedSearches = async () => (await this.json<{ searches: SavedSearch[] }>('searches')).searches;
  saveSearches = async (searches: readonly SavedSearch[]) =>
    (await this.put<{ searches: SavedSearch[] }>('PUT', 'searches', { searches })).searches;
  indexState = () => this.json<IndexState>('index');
  steerIndex = (action: 'pause' | 'resume') => this.put<IndexState>('POST', 'index', { action });

  prompts = (id: string, range: PromptRange) => {
    const asked = new URLSearchParams(Object.entries(range).map(([name, n]) => [name, String(n)]));
    return this.json<Prompts>(`sessions/${at(id)}/prompts?${asked}`);
  };
  context = (id: string, seq = 0) => this.json<Context>(`sessions/${at(id)}/context?at=${seq}&messages=0`);
  sizes = (id: string) => this.json<Sizes>(`sessions/${at(id)}/sizes`);
  config = () => this.json<Config>('config');
  agents = () => this.json<Agent[]>('agents');
  retention = ({ limit, open }: RetentionAsked) =>
    this.json<Retention>(`retention?${asked({ limit, open: open ? 1 : 0 })}`, LATER);
  keptCopies = () => this.json<KeptCopy[]>('kept', LATER);
  turns = (id: string) => this.json<Turns>(`sessions/${at(id)}/turns`);
  permissions = (id: string) => this.json<Permissions>(`sessions/${at(id)}/permissions`);
  models = (refresh: boolean, provider = '') =>
    this.json<ModelList>(`models?refresh=${refresh ? 1 : 0}&provider=${encodeURIComponent(provider)}`, LATER);
  asking = async () => (await this.json<{ sessions: string[] }>('asking', LATER)).sessions;
  localServers = async () => (await this.json<{ servers: LocalServer[] }>('models/local', LATER)).servers;

  plan = (id: string, { cut, keepRecent, propose }: PlanOptions) => {
    const asked = new URLSearchParams();
    if (cut !== undefined) asked.set('cut', String(cut));
    if (keepRecent !== undefined) asked.set('keepRecent', String(keepRecent));
    if (propose) asked.set('propose', '1');
    return this.json<CompactionReview>(`sessions/${at(id)}/compactions/plan?${asked}`);
  };
  compactionReview = (id: string, seq: number) => this.json<CompactionReview>(`sessions/${at(id)}/compactions/${seq}`);
  fidelity = (id: string, seq: number) =>
    this.json<Fidelity | null>(`sessions/${at(id)}/compactions/${seq}/fidelity`, LATER);
  draft = (id: string, draftId: string) =>
    this.json<DraftState>(`sessions/${at(id)}/drafts/${encodeURIComponent(draftId)}`);

  // Of sessions of other agents nothing is written, and nothing lies unfinished. Where somebody read is where it opens.
  deskPiece = async (key: string) => {
    if (key.includes(':')) return null;
    return (await this.json<{ value: unknown }>(`desk/${key}`, /^(?:place|view)\b/.test(key) ? {} : LATER)).value;
  };
  layOnDesk = async (key: string, value: unknown, by: string, last: boolean): Promise<void> => {
    if (key.includes(':')) return;
    const body = JSON.stringify(value);
    await this.ask(`desk/${key}?by=${by}`, {
      method: 'PUT',
      body,
      headers: { 'Content-Type': 'application/json' },
      // So much a browser sends for a page that is gone.
      keepalive: last && body.length < 20_000,
    });
  };

  keepImage = (bytes: ArrayBuffer) =>
    this.json<KeptImage>('images', {
      method: 'POST',
      body: bytes,
      headers: { 'Content-Type': 'application/octet-stream' },
    });
  deskImage = async (sha: string): Promise<Blob> => (await this.ask(`images/${encodeURIComponent(sha)}`)).blob();

  records = (id: string, { index, limit, view, asOf = 0 }: PageRange) =>
    this.json<Page>(
      `sessions/${at(id)}/records?index=${index}&limit=${limit}&view=${view}${asOf ? `&at=${asOf}` : ''}`,
    );
  recordsFrom = (id: string, seq: number, limit: number) =>
    this.json<Page>(`sessions/${at(id)}/records?from=${seq}&limit=${limit}`);

  recordBytes = async (id: string, seq: number, offset: number, limit: number): Promise<Bytes> => {
    const response = await this.ask(`sessions/${at(id)}/records/${seq}?offset=${offset}&limit=${limit}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, total: Number(response.headers.get('X-Record-Bytes')) || offset + bytes.length };
  };

  blob = async (id: string, sha: string): Promise<Blob> =>
    (await this.ask(`sessions/${at(id)}/blobs/${encodeURIComponent(sha)}`)).blob();

  private put<T>(method: 'PUT' | 'POST', path: string, body: unknown): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    return this.json<T>(path, { method, body: JSON.stringify(body), headers });
  }

  async json<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await this.ask(path, init);
    return parseExactly(await response.text()) as T;
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(`/api/${path}`, { ...init, headers: { ...this.headers(), ...init.headers } });
    } catch (cause) {
      throw asBackendError(cause);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}
