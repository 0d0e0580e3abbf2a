import type { Child, Session } from '../backend';
import type { Families } from './families.svelte';

/** Where a sub-agent's session was started: the record of the call in its parent, where that is known. */
export interface Origin {
  parent: string;
  seq: number | null;
}

/** What the session that is open has started, by the tool calls that did, and what started it. */
export class Kin {
  origin = $state.raw<Origin | null>(null);
  private children = $state.raw<readonly Child[]>([]);
  private known = 0;
  private asked: string | null = null;

  constructor(
    private readonly families: Pick<Families, 'load'>,
    private readonly id: string,
  ) {}

  /** Asks for what is not known yet of the relations of a session. The conversation is there without them. */
  async meet(session: Session): Promise<void> {
    await Promise.all([this.meetChildren(session.children ?? 0), this.meetParent(session)]);
  }

  /** What a call has started. */
  of(call: string): readonly Child[] {
    return this.children.filter((child) => child.call?.id === call);
  }

  private async meetChildren(count: number): Promise<void> {
    if (count === this.known) return;
    this.known = count;
    this.children = await this.families.load(this.id, false).catch(() => {
      this.known = 0;
      return [];
    });
  }

  private async meetParent({ relation, parent }: Session): Promise<void> {
    if (relation !== 'subagent' || !parent || this.asked === parent) return;
    this.asked = parent;
    this.origin = { parent, seq: null };
    const siblings = await this.families.load(parent, false).catch(() => []);
    const seq = siblings.find(({ id }) => id === this.id)?.call?.seq ?? null;
    this.origin = { parent, seq };
  }
}
