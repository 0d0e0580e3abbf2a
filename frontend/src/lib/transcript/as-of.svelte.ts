import { asBackendError, type Backend, type Outline, type SizePoint } from '../backend';

export type Moment = Pick<SizePoint, 'index' | 'seq'>;

/** The moment of a session that is looked at, and its outline as of that. */
export class AsOf {
  /** States are as of that record. Null is now. */
  moment = $state.raw<Moment | null>(null);
  /** The outline as of now, where that was asked for before. */
  known: Promise<Outline | null> | null = null;

  constructor(
    private readonly backend: Pick<Backend, 'outline'>,
    private readonly id: string,
  ) {}

  /** The record as of which states are; 0 for now. */
  get seq(): number {
    return this.moment?.seq ?? 0;
  }

  /** Of a session that was rewritten the moment may be gone: then it is now. */
  async outline(): Promise<Outline> {
    const known = await this.known;
    this.known = null;
    if (known && this.moment === null) return known;
    try {
      return await this.backend.outline(this.id, this.seq);
    } catch (cause) {
      if (this.moment === null || asBackendError(cause).code !== 'not_found') throw cause;
      this.moment = null;
      return this.backend.outline(this.id);
    }
  }
}
