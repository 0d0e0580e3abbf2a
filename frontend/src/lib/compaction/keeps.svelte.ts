import type { Fact, Fidelity } from '../backend';
import { withFact } from './keeping';
import type { Version } from './version.svelte';

interface Kept {
  version: Version;
  fact: Fact;
  before: string;
  after: string;
  /** What the text kept before. */
  fidelity: Fidelity | null;
}

/** The facts that were put into texts, which can be taken out again, the last one first, as long as nothing was changed since. */
export class Keeps {
  private done = $state.raw<readonly Kept[]>([]);

  put(version: Version, fact: Fact, fidelity: Fidelity | null): void {
    const before = version.text;
    const after = withFact(before, fact.text);
    version.text = after;
    if (after !== before) this.done = [...this.done, { version, fact, before, after, fidelity }];
  }

  /** The one that would be taken out. */
  last(version: Version | null): Kept | null {
    const last = this.done.findLast((kept) => kept.version === version);
    return last?.after === version?.text ? (last ?? null) : null;
  }

  takeBack(version: Version | null): Kept | null {
    const last = this.last(version);
    if (!last) return null;
    this.done = this.done.filter((kept) => kept !== last);
    last.version.text = last.before;
    return last;
  }
}
