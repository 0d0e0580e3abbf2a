import { afterEach, beforeEach, vi } from 'vitest';
import type { Answered, Sent, TurnEvent, Turns } from '../lib/backend';
import { Answer } from '../lib/composer/answer.svelte';
import { Talk } from '../lib/composer/talk.svelte';
import { Unsent } from '../lib/composer/unsent';
import { ID } from './fakes';

export const IDLE: Turns = { running: null, queued: [], canRetry: false, heldBy: null, readOnly: false, noTools: null };
export const running = (more: Partial<NonNullable<Turns['running']>> = {}): Turns => ({
  ...IDLE,
  running: {
    turnId: 't1',
    n: 5,
    state: 'streaming',
    text: 'Hello',
    answer: 'So far',
    thinking: '',
    toolCalls: [],
    callsSeq: null,
    asking: null,
    retry: null,
    ...more,
  },
});

export const backend = {
  turns: vi.fn((): Promise<Turns> => Promise.resolve(IDLE)),
  send: vi.fn((): Promise<Sent> => Promise.resolve({ turnId: 't1', queued: false, seq: 7, ahead: 0 })),
  giveUp: vi.fn(() => Promise.resolve({ taken: false })),
  endTurn: vi.fn(() => Promise.resolve({ withdrawn: true, text: '' })),
  keepImage: vi.fn(() => Promise.reject(new Error('none'))),
  answer: vi.fn((): Promise<Answered> => Promise.resolve({ callId: 'c1', answer: 'once', rules: [], problem: null })),
};
/** A desk on which everything lies at once. */
export const pieces = new Map<string, unknown>();
export const desk = {
  by: 'here',
  follow: (key: string, listener: (value: unknown) => void) => {
    void Promise.resolve().then(() => {
      listener(pieces.get(key) ?? null);
    });
    return () => undefined;
  },
  lay: (key: string, value: unknown) => void pieces.set(key, value),
  laid: (): Promise<unknown> => Promise.resolve(null),
};
export const onRecord = vi.fn(() => Promise.resolve());
export const onSent = vi.fn();
/** The one that is tried: new for each test. */
export let talk: Talk;

/** The conversation is talked in at another desk. */
export function talkAt(where: typeof desk): void {
  talk = new Talk(backend, ID, new Unsent(where), { onRecord, onSent });
}

/** Events of a turn, counted as they come. */
export function turn(id: string) {
  let n = 0;
  return (kind: string, data: Record<string, unknown> = {}, at = ++n) => {
    const event: TurnEvent = { sessionId: ID, turnId: id, n: (n = at), kind, data };
    talk.onTurn(event);
  };
}
export const shown = () =>
  talk.parts.map((part) => (part instanceof Answer ? `answer: ${part.text}` : `said: ${part.text}`));
// What came in is shown no later than this, however slow the machine.
export const frame = () => vi.advanceTimersByTimeAsync(250);

beforeEach(() => {
  vi.useFakeTimers();
  pieces.clear();
  backend.turns.mockReset().mockResolvedValue(IDLE);
  backend.send.mockReset().mockResolvedValue({ turnId: 't1', queued: false, seq: 7, ahead: 0 });
  backend.giveUp.mockReset().mockResolvedValue({ taken: false });
  backend.endTurn.mockReset().mockResolvedValue({ withdrawn: true, text: '' });
  onRecord.mockReset().mockResolvedValue(undefined);
  onSent.mockReset();
  talkAt(desk);
});

afterEach(() => {
  vi.useRealTimers();
});
