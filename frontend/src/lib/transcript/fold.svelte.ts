import { getContext, setContext } from 'svelte';
import { holdsAnywhere } from '../find/pattern';
import { getReading } from './reading.svelte';
import type { Transcript } from './transcript.svelte';

const HERE = Symbol('here');

/** Tells what is inside a row whether a search stands at it. */
export function setHere(isHere: () => boolean): void {
  setContext(HERE, isHere);
}

/** Whether a search stands at the row this is in. */
export function getHere(): () => boolean {
  return getContext<(() => boolean) | undefined>(HERE) ?? (() => false);
}

/** Something that folds: as it was left by hand, but open while a search stands at something in it. */
export class Fold {
  private readonly hides = $derived.by(() => {
    const { find } = this.transcript;
    return this.isHere() && !find.shut.has(this.key()) && holdsAnywhere(find.pattern, this.inside());
  });
  private readonly left = $derived.by(() => this.transcript.folds.isOpen(this.key(), this.byDefault()));
  readonly open = $derived.by(() => this.left || this.hides);

  constructor(
    private readonly transcript: Transcript,
    private readonly isHere: () => boolean,
    private readonly key: () => string,
    private readonly inside: () => unknown,
    private readonly byDefault: () => boolean,
  ) {}

  toggle = (): void => {
    const { folds, find } = this.transcript;
    if (this.hides) find.shut.add(this.key());
    if (this.left || !this.hides) folds.set(this.key(), !this.open);
  };
}

/** A fold of the row that asks. `inside` is what there is to be found in it. */
export function foldOf(key: () => string, inside: () => unknown, byDefault: () => boolean = () => false): Fold {
  return new Fold(getReading().transcript, getHere(), key, inside, byDefault);
}
