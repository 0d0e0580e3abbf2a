import { type KeptVersion, Version } from './version.svelte';

/** Every text that was drafted, with its edits, and which of them is shown. */
export class Versions {
  all = $state.raw<readonly Version[]>([]);
  at = $state(-1);
  readonly shown = $derived(this.all[this.at] ?? null);

  get kept(): KeptVersion[] {
    return this.all.map((version) => version.kept);
  }

  /** Makes them as they were left. */
  restore(kept: readonly unknown[], at: unknown): void {
    this.all = kept.map((one) => this.versionOf(one)).filter((one) => one !== null);
    this.at = Math.min(typeof at === 'number' ? at : -1, this.all.length - 1);
  }

  /** Shows another one. */
  show(at: number): void {
    if (at >= 0 && at < this.all.length) this.at = at;
  }

  /** Shows a new one. */
  add(version: Version): void {
    const now = this.shown;
    // What was written without a model and left as it was can be had again at any time.
    const spare = now?.draft.offline === true && !now.edited && !now.instructions;
    this.all = spare ? this.all.with(this.at, version) : [...this.all, version];
    if (!spare) this.at = this.all.length - 1;
  }

  clear(): void {
    this.all = [];
    this.at = -1;
  }

  /** The one that is here already, with the text as it was kept, or another one. */
  private versionOf(kept: unknown): Version | null {
    const version = Version.from(kept);
    const here = version && this.all.find(({ draftId }) => draftId === version.draftId);
    if (!here) return version;
    here.text = version.text;
    return here;
  }
}
