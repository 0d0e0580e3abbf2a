import { SvelteMap } from 'svelte/reactivity';
import type { NewProvider, Provider } from '../backend';

/** What stands in the forms of one server, its own and that of its key, until it is saved. */
export class Draft {
  isOpen = $state(true);
  name = $state('');
  baseUrl = $state('');
  model = $state('');
  window = $state('');
  key = $state('');
  private saved = $state.raw('');

  constructor(
    /** As it was when its form was opened; null for a new one. */
    readonly provider: Provider | null,
    /** Where it stands in the list. */
    readonly at: number,
  ) {
    if (provider) {
      this.name = provider.name;
      this.baseUrl = provider.baseUrl;
      this.model = provider.model;
      this.window = provider.window === null ? '' : String(provider.window);
    }
    this.settle();
  }

  get wanted(): NewProvider {
    const { name, baseUrl, model, window } = this;
    return { name: name.trim(), baseUrl: baseUrl.trim(), model: model.trim(), window: Number(window) || 0 };
  }

  get isChanged(): boolean {
    return this.key !== '' || JSON.stringify(this.wanted) !== this.saved;
  }

  settle(): void {
    this.saved = JSON.stringify(this.wanted);
  }
}

/** What was typed about servers: it stays with each until it is saved or discarded, whichever form is opened meanwhile. */
export class Drafts {
  private readonly all = new SvelteMap<string | null, Draft>();

  /** Of a server by its name, '' for the one without, or null for a new one. */
  of(name: string | null): Draft | undefined {
    return this.all.get(name);
  }

  get areChanged(): boolean {
    return [...this.all.values()].some(({ isChanged }) => isChanged);
  }

  /** Those of servers that are not among the known ones any more, in the order of the list. */
  lost(known: readonly Provider[]): Draft[] {
    const isLost = ({ provider, isChanged }: Draft) =>
      // The one without a name is not removed by being out of use: without anything typed it just is not shown.
      provider && (provider.name || isChanged) && !known.some(({ name }) => name === provider.name);
    return [...this.all.values()].filter(isLost).sort((a, b) => a.at - b.at);
  }

  /** Opens the form of a server, and shuts others in which nothing was typed. Or shuts it: what was typed stays. */
  toggle(provider: Provider | null, at = 0): void {
    const name = provider?.name ?? null;
    const draft = this.all.get(name);
    if (draft?.isOpen) {
      draft.isOpen = false;
      this.drop(draft);
      return;
    }
    this.all.forEach((other) => {
      if (other !== draft) this.drop(other);
    });
    if (draft) draft.isOpen = true;
    else this.all.set(name, new Draft(provider, at));
  }

  /** A key that was typed beside what is saved now is not kept yet. */
  saved(draft: Draft): void {
    draft.settle();
    this.drop(draft);
  }

  /** Returns what brings back what was typed. */
  discard(draft: Draft): () => void {
    const name = draft.provider?.name ?? null;
    this.all.delete(name);
    return () => {
      // Unless something else is being typed there by now.
      if (this.all.get(name)?.isChanged) return;
      draft.isOpen = true;
      this.all.set(name, draft);
    };
  }

  private drop(draft: Draft): void {
    if (!draft.isChanged) this.discard(draft);
  }
}
