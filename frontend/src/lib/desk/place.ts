import type { Desk } from './desk';

const KEY = 'place';
const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Where somebody is reading: in which conversation, and the record at the top of the view; null at the end. */
interface ReadingPlace {
  session: string;
  seq: number | null;
}

/** The place that was read last, so that the next window opens there. */
export class LastPlace {
  private now: ReadingPlace | null = null;
  private asked: { key: string; value: Promise<unknown> } | null = null;

  constructor(private readonly desk: Pick<Desk, 'get' | 'lay'>) {}

  /** Asks for what `find` is about to be asked, while it is not known yet whether anybody is let in. */
  ask(session: string | null): void {
    const key = keyOf(session);
    this.asked = { key, value: this.desk.get(key) };
    this.asked.value.catch(() => undefined);
  }

  /** Where was read last, or last in one conversation; null if nobody can tell. */
  async find(session: string | null): Promise<ReadingPlace | null> {
    const key = keyOf(session);
    const asked = this.asked?.key === key ? this.asked.value : Promise.reject(new Error('not asked yet'));
    this.asked = null;
    try {
      return placeOf(await asked.catch(() => this.desk.get(key)));
    } catch {
      return null;
    }
  }

  /**
   * Somebody goes to a conversation, or to the first screen. Where it was left stays noted until it is known where in it they are: the
   * window may close before that.
   */
  went(session: string | null, seq: number | null): void {
    if (session === null || seq !== null) {
      this.note(session, seq);
      return;
    }
    this.now = null;
    this.desk.lay(KEY, { session, seq });
  }

  /** Somebody reads here now; no session: on the first screen. */
  note(session: string | null, seq: number | null): void {
    if (this.now?.session === session && this.now?.seq === seq) return;
    this.now = session === null ? null : { session, seq };
    this.desk.lay(KEY, this.now);
    if (session !== null) this.desk.lay(keyOf(session), seq === null ? null : this.now);
  }
}

function keyOf(session: string | null): string {
  return session === null ? KEY : `${KEY}.${session}`;
}

function placeOf(value: unknown): ReadingPlace | null {
  if (typeof value !== 'object' || value === null) return null;
  const { session, seq } = value as Record<string, unknown>;
  if (typeof session !== 'string' || !ID.test(session)) return null;
  return { session, seq: typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0 ? seq : null };
}
