import { parseExactly } from '../json/exact';
import { asBackendError, errorOf } from './errors';

/** An id in an address: that of a session of another agent may hold anything. */
export const at = encodeURIComponent;

export type Headers = () => { Authorization?: string };

/** Asks the program, over a port and inside the window alike. */
export class Reader {
  /** This page, among those that look at the same session. */
  readonly viewer = Math.random().toString(36).slice(2);

  constructor(private readonly headers: Headers) {}

  put<T>(method: 'PUT' | 'POST', path: string, body: unknown, signal: AbortSignal | null = null): Promise<T> {
    const headers = { 'Content-Type': 'application/json' };
    return this.json<T>(path, { method, body: JSON.stringify(body), headers, signal });
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
