import type { Model, ModelList } from '../backend';
import type { Models } from './models.svelte';

/** What the server without a name is chosen as. */
export const PLAIN = 'default';

/** The models there are to choose from while somebody looks: those of one server at a time, filtered. */
export class Choice {
  query = $state('');
  /** The server that is looked at; null for the one in use. */
  looked = $state<string | null>(null);
  private other = $state.raw<ModelList | null>(null);

  constructor(
    private readonly models: Models,
    /** The one that answers now, and who serves it; null for the one in use. */
    private readonly model: () => string,
    private readonly provider: () => string | null,
  ) {
    this.looked = provider();
  }

  readonly usual = $derived.by(() => this.models.list?.inUse ?? PLAIN);
  readonly servers = $derived.by(() => {
    const { list } = this.models;
    return [
      ...(this.usual === PLAIN || list?.default ? [PLAIN] : []),
      ...(list?.providers.map(({ name }) => name) ?? []),
    ];
  });
  readonly at = $derived.by(() => this.looked ?? this.usual);
  /** Another server is looked at than the one that answers now. */
  readonly elsewhere = $derived.by(() => (this.provider() ?? this.usual) !== this.at);
  readonly all = $derived.by(() => (this.at === this.usual ? this.models.list : this.other)?.models ?? []);
  readonly shown = $derived.by(() => {
    const model = this.model();
    // The one in use is always there, whether the server lists it or not.
    const isListed = this.elsewhere || !model || this.all.some(({ id }) => id === model);
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    return (isListed ? this.all : [unlisted(model), ...this.all]).filter(({ id }) =>
      words.every((word) => id.toLowerCase().includes(word)),
    );
  });

  /** Asks the server that is looked at, where that is not the one in use. */
  async read(): Promise<void> {
    const { at } = this;
    this.other = null;
    if (at === this.usual) return;
    const list = await this.models.offered(at);
    if (this.at === at) this.other = list;
  }

  /** Who is to serve what is chosen: where there are several, the conversation may have another than the one looked at. */
  get server(): string | null {
    return this.servers.length > 1 ? (this.looked ?? this.provider() ?? this.usual) : this.provider();
  }
}

function unlisted(id: string): Model {
  return { id, window: null, windowFrom: null, maxOutput: null, prices: null };
}
