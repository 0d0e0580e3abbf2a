import type { TurnEvent } from '../backend';
import type { Notices } from '../backend/notices';
import { text } from '../text';
import { isObject, str } from '../transcript/record';
import type { TurnListener } from '../turn-events';
import { visibleLine } from '../visible';

// Of an answer its first line is told, and this is enough of it.
const BEGINNING = 2000;
const LINE = 160;

interface Surroundings {
  notices: Notices;
  /** Whether the settings want it. */
  wanted: () => boolean;
  nameOf: (session: string) => string;
  /** Whether somebody looks at the window. */
  inFront: () => boolean;
  /** Whether it is the session that is shown. */
  isShown: (session: string) => boolean;
  /** Says in the window that a session asks which is not shown. */
  sayHere: (session: string) => void;
  /** Offers to allow it, where the browser has to be asked. */
  offer: () => void;
}

/** Tells of turns that end or ask while nobody looks. */
export class Notifier implements TurnListener {
  /** What the turns that run have answered since their last tool, as far as it was heard. */
  private readonly answers = new Map<string, string>();
  private offered = false;

  constructor(private readonly around: Surroundings) {}

  onTurn({ sessionId, turnId, kind, data }: TurnEvent): void {
    if (kind === 'started') this.answers.set(turnId, '');
    else if (kind === 'text') this.hear(turnId, str(data.text));
    else if (kind === 'toolCall') this.answers.set(turnId, '');
    else if (kind === 'permission') this.ask(sessionId, turnId, data);
    else if (kind === 'done') {
      const said = this.answers.get(turnId);
      this.answers.delete(turnId);
      this.tell(sessionId, turnId, ended(data, said));
    }
  }

  onGap(): void {
    this.answers.clear();
  }

  private hear(turnId: string, piece: string): void {
    const known = this.answers.get(turnId);
    if (known !== undefined && known.length < BEGINNING) this.answers.set(turnId, known + piece);
  }

  /** A question holds its turn up: who looks at something else is told as well, whatever the settings say of the desktop. */
  private ask(session: string, turn: string, data: Record<string, unknown>): void {
    const { inFront, isShown, sayHere } = this.around;
    if (!inFront()) this.tell(session, turn, asked(data));
    else if (!isShown(session)) sayHere(session);
  }

  private tell(session: string, tag: string, body: string): void {
    const { notices, wanted, inFront, nameOf, offer } = this.around;
    if (!body || !wanted() || inFront()) return;
    if (notices.allowed === 'yes') {
      // A desktop that shows none is no reason to stop, nor to say so each time.
      notices.show({ title: nameOf(session), body, session, tag }).catch(() => undefined);
    } else if (notices.allowed === 'ask' && !this.offered) {
      this.offered = true;
      offer();
    }
  }
}

function asked(data: Record<string, unknown>): string {
  const paths = Array.isArray(data.paths) ? data.paths.map(str) : [];
  const what = [str(data.tool), firstLine(str(data.command)) || paths.join(', ')].filter(Boolean).join(' ');
  return text.notify.asks(visibleLine(what, LINE));
}

/** What is said of a turn that ended; nothing of one that somebody stopped, or that said nothing on purpose. */
function ended(data: Record<string, unknown>, said: string | undefined): string {
  if (data.status === 'error') {
    const why = isObject(data.error) ? str(data.error.message) : '';
    return text.notify.failed(visibleLine(why, LINE));
  }
  if (data.status !== 'ok' || said === '') return '';
  return visibleLine(firstLine(said ?? ''), LINE) || text.notify.done;
}

function firstLine(answer: string): string {
  return answer.trimStart().split('\n', 1)[0] ?? '';
}
