import { sentence } from '../sentence';
import { visibleLine } from '../visible';

// Which conversation or form it is about is plain to see in a window, and what was put in wrongly is what the rest tells.
const ABOUT = /^(?:session [0-9A-HJKMNP-TV-Z]{26}: |bad input: |writing the provider: )+/;
const LONGEST = 1000;

/** An error with a message for people and, where there is one, what to do about it. */
export class BackendError extends Error {
  readonly hint: string;

  constructor(
    readonly code: string,
    message: string,
    hint = '',
  ) {
    // It may name files, and repeat what a server said.
    super(sentence(visibleLine(message.replace(ABOUT, ''), LONGEST)));
    this.name = 'BackendError';
    this.hint = sentence(visibleLine(hint, LONGEST));
  }
}

const OFFLINE = 'Palimpsest does not answer.';
const AWAY = new Set([502, 503, 504]);
const OFFLINE_HINT = 'Check that the program still runs, then try again.';

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Reads a problem document (RFC 9457 with a member `error`). */
export async function errorOf(response: Response): Promise<BackendError> {
  const body: unknown = await response.json().catch(() => null);
  const error = member(body, 'error');
  // A gateway that can't reach the program has no words of the program's.
  if (AWAY.has(response.status) && error === undefined) return new BackendError('offline', OFFLINE, OFFLINE_HINT);
  const message =
    text(member(error, 'message')) || text(member(body, 'detail')) || `The answer was ${response.status}.`;
  const code = response.status === 401 ? 'unauthorised' : text(member(error, 'code')) || 'failed';
  return new BackendError(code, message, text(member(error, 'hint')));
}

/** Bound methods fail with an Error whose message is `{"code","message","hint"}` as JSON. */
export function errorOfCall(cause: unknown): BackendError {
  const message = cause instanceof Error ? cause.message : String(cause);
  try {
    const parsed: unknown = JSON.parse(message);
    const said = text(member(parsed, 'message'));
    if (said) return new BackendError(text(member(parsed, 'code')) || 'failed', said, text(member(parsed, 'hint')));
  } catch {
    // Not JSON: the message is all there is.
  }
  return new BackendError('failed', message);
}

export function asBackendError(cause: unknown): BackendError {
  if (cause instanceof BackendError) return cause;
  if (cause instanceof DOMException && cause.name === 'AbortError')
    return new BackendError('aborted', 'Not wanted any more.');
  // What fetch throws when nobody listens has no words for people.
  if (cause instanceof TypeError) return new BackendError('offline', OFFLINE, OFFLINE_HINT);
  return new BackendError('failed', cause instanceof Error ? cause.message : String(cause));
}
