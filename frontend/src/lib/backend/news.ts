import type { NewsListener } from './backend';
import type { TurnEvent } from './turns';
import type { News } from './types';

/** Passes news on in order and says when some were missed: their numbers rise by one. */
export class NewsGate {
  private last: number | null = null;

  constructor(private readonly listener: NewsListener) {}

  /** A new connection counts from wherever the program stands. */
  forget(): void {
    this.last = null;
  }

  receive(news: News): void {
    const before = this.last;
    if (before !== null && news.n <= before) {
      // The same news again is nothing new; a count that began anew is a program that was restarted.
      if (news.n === before) return;
      this.last = news.n;
      this.listener.onGap();
      return;
    }
    this.last = news.n;
    if (before !== null && news.n !== before + 1) this.listener.onGap();
    else this.listener.onNews(news);
  }
}

/** One event as it came in, to whom it belongs: those of turns and drafts have an id and a count of their own. */
export function deliver(value: unknown, gate: NewsGate, listener: NewsListener): void {
  const turn = parseTurn(value);
  if (turn) {
    listener.onTurn(turn);
    return;
  }
  const news = parseNews(value);
  if (news) gate.receive(news);
}

export function parseNews(value: unknown): News | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sessionId, turnId, n, kind, data } = value as Record<string, unknown>;
  if (typeof n !== 'number' || typeof kind !== 'string' || typeof turnId === 'string') return null;
  const news: News = { sessionId: typeof sessionId === 'string' ? sessionId : null, n, kind };
  if (kind === 'reading') return { ...news, part: partOf(data) };
  if (kind !== 'desk') return news;
  const { key, by } = (data ?? {}) as Record<string, unknown>;
  return { ...news, piece: { key: typeof key === 'string' ? key : '', by: typeof by === 'string' ? by : '' } };
}

function partOf(data: unknown): News['part'] {
  const { bytesRead, bytesTotal } = (data ?? {}) as Record<string, unknown>;
  const known = typeof bytesRead === 'number' && typeof bytesTotal === 'number';
  return known ? { bytesRead, bytesTotal } : undefined;
}

function parseTurn(value: unknown): TurnEvent | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sessionId, turnId, n, kind, data } = value as Record<string, unknown>;
  if (typeof sessionId !== 'string' || typeof turnId !== 'string') return null;
  if (typeof n !== 'number' || typeof kind !== 'string') return null;
  const known = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  return { sessionId, turnId, n, kind, data: known };
}
