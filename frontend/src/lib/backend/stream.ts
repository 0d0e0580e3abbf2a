import type { NewsListener } from './backend';
import { BackendError } from './errors';
import { deliver, NewsGate } from './news';
import type { Reader } from './reader';
import { parseExactly } from '../json/exact';
import { backOff, EventParser } from './sse';

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

// A connection that lasted this long was a good one: the next try need not wait.
const LASTED = 10_000;

/**
 * Follows /api/events until aborted, connecting again whenever the stream ends. An EventSource would do the
 * same but can't send the token in a header, and a token in an address ends up in logs.
 */
export async function follow(reader: Reader, listener: NewsListener, signal: AbortSignal): Promise<void> {
  const gate = new NewsGate(listener);
  let failures = 0;
  let connectedBefore = false;
  let answers = true;
  const tell = (now: boolean) => {
    if (now !== answers) listener.onConnection(now);
    answers = now;
  };
  while (!signal.aborted) {
    try {
      const response = await reader.ask('events', { signal, headers: { Accept: 'text/event-stream' } });
      tell(true);
      if (connectedBefore) listener.onGap();
      connectedBefore = true;
      const since = Date.now();
      await readEvents(response, gate, listener);
      if (Date.now() - since > LASTED) failures = 0;
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof BackendError && cause.code === 'unauthorised') {
        listener.onUnauthorised();
        return;
      }
      tell(false);
    }
    gate.forget();
    await wait(backOff(failures++), signal);
  }
}

async function readEvents(response: Response, gate: NewsGate, listener: NewsListener): Promise<void> {
  const body = response.body?.getReader();
  if (!body) return;
  // By hand: a stream of text between the two costs several tasks for each word of an answer.
  const decoder = new TextDecoder();
  const parser = new EventParser();
  for (;;) {
    const { done, value } = await body.read();
    if (done) return;
    const events = parser.push(decoder.decode(value, { stream: true }));
    for (const data of events) deliver(parseJson(data), gate, listener);
  }
}

function parseJson(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return null;
  }
}
