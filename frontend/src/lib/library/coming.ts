import type { ListPart, Session } from '../backend';
import { isWhole, withDetails } from '../backend';
import { Breath } from '../breath';
import { entryAgain, entryOf, withEntries, type Entry } from './entries';

/** A list on its way, which comes in parts and tells of one moment: what came, changed or went since then is newer. */
export class Coming {
  private readonly rows = new Map<string, Entry>();
  /** Those of which something newer is known by now, also that they went. */
  private readonly newer = new Set<string>();

  /** `known` is a session as it was told of before. */
  constructor(private readonly known: (id: string) => Entry | undefined) {}

  /** News of sessions. */
  heard(ids: readonly string[]): void {
    for (const id of ids) this.newer.add(id);
  }

  /** A part of it is there: of thousands of rows the page goes on in between. */
  async take({ rows, from }: ListPart<Session>): Promise<void> {
    if (from === 0) this.rows.clear();
    const breath = new Breath();
    for (const row of rows) {
      const known = this.known(row.id);
      this.rows.set(row.id, known ? entryAgain(filled(row, known.session), known) : entryOf(row));
      if (breath.due) await breath.take();
    }
  }

  get count(): number {
    return this.rows.size;
  }

  /** What is shown, with what has come by now. */
  over(shown: readonly Entry[]): Entry[] {
    return withEntries(shown, this.told());
  }

  /** All of it is there: what it does not have, and nothing newer tells of, has gone. */
  inPlaceOf(shown: readonly Entry[]): Entry[] {
    return withEntries(
      shown.filter(({ session }) => this.newer.has(session.id)),
      this.told(),
    );
  }

  private told(): Entry[] {
    return [...this.rows.values()].filter(({ session }) => !this.newer.has(session.id));
  }
}

/** What is known at once has no first messages: those that were told before stay, and titles with them; so do details. */
function filled(row: Session, known: Session): Session {
  const session = row.firstMessage === null ? { ...row, firstMessage: known.firstMessage } : row;
  return isWhole(known) ? withDetails(session, known) : session;
}
