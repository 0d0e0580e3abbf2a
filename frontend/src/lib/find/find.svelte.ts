import { SvelteSet } from 'svelte/reactivity';
import { asBackendError, type Backend, type BackendError } from '../backend';
import { Found } from './found';
import { patternOf } from './pattern';

const PAGE = 1000;

/** Looking for a text in one session. It asks for the log stretch by stretch, and never holds anything up. */
export class Find {
  isOpen = $state(false);
  query = $state('');
  matchCase = $state(false);
  /** The line one stands at; null before the first. */
  at = $state<number | null>(null);
  /** Which of the places in that line that are on the screen; from 0, or -1 for the last of them. */
  nth = $state(0);
  /** How many places of that line are on the screen. Who marks them says so. */
  here = $state(0);
  count = $state(0);
  share = $state(0);
  looking = $state(false);
  ordinal = $state<number | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** Each time one goes somewhere. */
  steps = $state(0);
  /** Folds that were shut by hand where this had opened them. */
  readonly shut = new SvelteSet<string>();
  readonly pattern = $derived(this.isOpen ? patternOf(this.query, this.matchCase) : null);

  /** The line at the top of what is in view. Who shows the log says so. */
  inView: () => number = () => 0;

  private found = new Found(0);
  private total = 0;
  private epoch = 0;
  private running: Promise<void> | null = null;
  private wanted: 1 | -1 | null = null;

  constructor(
    private readonly backend: Pick<Backend, 'find'>,
    private readonly id: string,
    private readonly goTo: (index: number) => Promise<void>,
  ) {}

  open(selected = ''): void {
    const wasOpen = this.isOpen;
    this.isOpen = true;
    if (selected && selected !== this.query) this.look(selected);
    else if (this.query && !wasOpen) this.look(this.query);
  }

  /** Looks for a text from a line on that holds it, which is the first place one stands at. */
  openAt(index: number, query: string, matchCase: boolean): void {
    this.isOpen = true;
    this.at = index;
    this.look(query, matchCase);
  }

  close(): void {
    this.isOpen = false;
    this.epoch++;
    this.looking = false;
    this.wanted = null;
    this.at = null;
    this.here = 0;
    this.shut.clear();
  }

  /** Looks for another text, from where one stands. */
  look(query: string, matchCase = this.matchCase): void {
    const start = this.at ?? this.inView();
    this.query = query;
    this.matchCase = matchCase;
    this.epoch++;
    this.found = new Found(start);
    this.at = null;
    this.error = null;
    this.wanted = query ? 1 : null;
    this.looking = query !== '';
    this.tell();
    this.go();
  }

  /** On to the next place, or back; round the end of the log. */
  step(by: 1 | -1): void {
    if (!this.query) return;
    const nth = this.nth + by;
    if (this.at !== null && nth >= 0 && nth < this.here) {
      this.nth = nth;
      this.steps++;
      return;
    }
    this.wanted = by;
    this.advance();
  }

  /** There are more lines than before. */
  grew(total: number): void {
    if (!this.isOpen || !this.query || this.looking || total <= this.total) return;
    this.found.grew(this.total);
    this.looking = true;
    this.go();
  }

  retry(): void {
    this.error = null;
    this.looking = true;
    this.go();
  }

  /** Settles once nothing is being looked for any more. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  private go(): void {
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.looking && !this.error) this.go();
    });
  }

  /** One question at a time: what was asked for before a change is waited for and then forgotten. */
  private async run(): Promise<void> {
    const { epoch, found, query, matchCase } = this;
    while (epoch === this.epoch && found.next !== null && query) {
      try {
        const page = await this.backend.find(this.id, { query, from: found.next, limit: PAGE, matchCase });
        if (epoch !== this.epoch) return;
        const stuck = page.next !== null && page.next <= found.next;
        found.add(
          page.matches.map(({ index }) => index),
          stuck ? null : page.next,
          page.total,
        );
        this.total = page.total;
      } catch (cause) {
        if (epoch !== this.epoch) return;
        this.error = asBackendError(cause);
        this.looking = false;
        return;
      }
      this.looking = found.next !== null;
      this.tell();
      this.advance();
    }
  }

  /** Goes where one wants to, once it is known where that is. */
  private advance(): void {
    if (!this.wanted) return;
    const by = this.wanted;
    const to = by === 1 ? this.found.after(this.at) : this.found.before(this.at);
    if (to === 'wait') return;
    this.wanted = null;
    if (to === null) return;
    this.at = to;
    this.nth = by === 1 ? 0 : -1;
    this.here = 0;
    this.shut.clear();
    this.steps++;
    this.tell();
    this.goTo(to).catch((cause: unknown) => (this.error = asBackendError(cause)));
  }

  private tell(): void {
    this.count = this.found.count;
    this.share = this.found.share(this.total);
    this.ordinal = this.found.ordinal(this.at);
  }
}
