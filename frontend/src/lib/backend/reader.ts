import type { Bytes } from './backend';
import { asBackendError, errorOf } from './errors';
import type { CompactionReview, DraftState, PlanOptions } from './compaction';
import type {
  Config,
  Context,
  FindOptions,
  Finds,
  LocalServer,
  ModelList,
  Outline,
  Page,
  Permissions,
  PromptRange,
  Prompts,
  Session,
  Turns,
  View,
} from './types';

export type Headers = () => { Authorization?: string };

/** The reads, which are the same over a port and inside the window. */
export class Reader {
  constructor(private readonly headers: Headers) {}

  sessions = ({ archived, quick }: { archived: boolean; quick: boolean }) =>
    this.json<Session[]>(`sessions?archived=${archived ? 1 : 0}&quick=${quick ? 1 : 0}`);
  session = (id: string) => this.json<Session>(`sessions/${id}`);
  trash = () => this.json<Session[]>('trash');
  outline = (id: string) => this.json<Outline>(`sessions/${id}/outline`);
  find = (id: string, { query, from, limit, matchCase }: FindOptions) => {
    const asked = new URLSearchParams({ q: query, from: String(from), limit: String(limit) });
    if (matchCase) asked.set('case', '1');
    return this.json<Finds>(`sessions/${id}/find?${asked}`);
  };
  prompts = (id: string, range: PromptRange) => {
    const asked = new URLSearchParams(Object.entries(range).map(([name, n]) => [name, String(n)]));
    return this.json<Prompts>(`sessions/${id}/prompts?${asked}`);
  };
  context = (id: string) => this.json<Context>(`sessions/${id}/context?messages=0`);
  config = () => this.json<Config>('config');
  turns = (id: string) => this.json<Turns>(`sessions/${id}/turns`);
  permissions = (id: string) => this.json<Permissions>(`sessions/${id}/permissions`);
  models = (refresh: boolean, provider = '') =>
    this.json<ModelList>(`models?refresh=${refresh ? 1 : 0}&provider=${encodeURIComponent(provider)}`);
  localServers = async () => (await this.json<{ servers: LocalServer[] }>('models/local')).servers;

  plan = (id: string, { cut, keepRecent, propose }: PlanOptions) => {
    const asked = new URLSearchParams();
    if (cut !== undefined) asked.set('cut', String(cut));
    if (keepRecent !== undefined) asked.set('keepRecent', String(keepRecent));
    if (propose) asked.set('propose', '1');
    return this.json<CompactionReview>(`sessions/${id}/compactions/plan?${asked}`);
  };
  compactionReview = (id: string, seq: number) => this.json<CompactionReview>(`sessions/${id}/compactions/${seq}`);
  draft = (id: string, draftId: string) =>
    this.json<DraftState>(`sessions/${id}/drafts/${encodeURIComponent(draftId)}`);

  deskPiece = async (key: string) => (await this.json<{ value: unknown }>(`desk/${key}`)).value;
  layOnDesk = async (key: string, value: unknown, by: string, last: boolean): Promise<void> => {
    const body = JSON.stringify(value);
    await this.ask(`desk/${key}?by=${by}`, {
      method: 'PUT',
      body,
      headers: { 'Content-Type': 'application/json' },
      // So much a browser sends for a page that is gone.
      keepalive: last && body.length < 20_000,
    });
  };

  records = (id: string, { index, limit, view }: { index: number; limit: number; view: View }) =>
    this.json<Page>(`sessions/${id}/records?index=${index}&limit=${limit}&view=${view}`);
  recordsFrom = (id: string, seq: number, limit: number) =>
    this.json<Page>(`sessions/${id}/records?from=${seq}&limit=${limit}`);

  recordBytes = async (id: string, seq: number, offset: number, limit: number): Promise<Bytes> => {
    const response = await this.ask(`sessions/${id}/records/${seq}?offset=${offset}&limit=${limit}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, total: Number(response.headers.get('X-Record-Bytes')) || offset + bytes.length };
  };

  blob = async (id: string, sha: string): Promise<Blob> =>
    (await this.ask(`sessions/${id}/blobs/${encodeURIComponent(sha)}`)).blob();

  async json<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await this.ask(path, init);
    return (await response.json()) as T;
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
