import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import type { Backend, Fidelity } from '../backend';

/** What the summaries of a conversation's compactions keep, each asked for once: what was compacted stays as it was. */
export class Fidelities {
  private readonly known = new SvelteMap<number, Fidelity | null>();
  private readonly failures = new SvelteSet<number>();
  private readonly asked = new Set<number>();

  constructor(
    private readonly backend: Pick<Backend, 'fidelity'>,
    private readonly id: string,
  ) {}

  /** Null where the summary can't be read, undefined as long as nothing is known. */
  of(seq: number): Fidelity | null | undefined {
    return this.known.get(seq);
  }

  failed(seq: number): boolean {
    return this.failures.has(seq);
  }

  async want(seq: number): Promise<void> {
    if (this.asked.has(seq)) return;
    this.asked.add(seq);
    try {
      this.known.set(seq, await this.backend.fidelity(this.id, seq));
    } catch {
      this.failures.add(seq);
    }
  }

  async retry(seq: number): Promise<void> {
    this.failures.delete(seq);
    this.asked.delete(seq);
    await this.want(seq);
  }
}
