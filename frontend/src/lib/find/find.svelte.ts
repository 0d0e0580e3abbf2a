import { SvelteSet } from 'svelte/reactivity';
import { asBackendError, BackendError, type Backend } from '../backend';
import { text } from '../text';
import { Expression } from './expression.svelte';
import { Found } from './found';
import { patternOf, type Pattern } from './pattern';

const PAGE = 1000;
/** As many bytes the program looks for. */
const LONGEST = 4096;

/** How a text is looked for. */
export interface How {
  matchCase: boolean;
  regex: boolean;
}

/** Looking for a text, or for what an expression fits, in one session. It asks for the log stretch by stretch, and never holds anything up. */
export class Find {
  isOpen = $state(false);
  /** How often a reader asked for the field: it gets the focus each time. */
  asked = $state(0);
  query = $state('');
  matchCase = $state(false);
  regex = $state(false);
  /** The line one stands at; null before the first. */
  at = $state<number | null>(null);
  /** Which of the places in that line that are on the screen; from 0, or -1 for the last of them. */
  nth = $state(0);
  /** How many places of that line are on the screen. Who marks them says so. */
  here = $state(0);
  /** That line is on the screen, and none of them can be marked in it. */
  unmarked = $state(false);
  count = $state(0);
  share = $state(0);
  looking = $state(false);
  ordinal = $state<number | null>(null);
  error = $state.raw<BackendError | null>(null);
  /** Each time one goes somewhere. */
  steps = $state(0);
  /** Folds that were shut by hand where this had opened them. */
  readonly shut = new SvelteSet<string>();
  pattern = $state.raw<Pattern | null>(null);

  /** The line at the top of what is in view. Who shows the log says so. */
  inView: () => number = () => 0;

  private found = new Found(0);
  /** What an expression fits first in a line as it is written, which may not be as it is shown. */
  private readonly written = new Map<number, string>();
  private expression: Expression | null = null;
  private flight = new AbortController();
  private total = 0;
  private epoch = 0;
  private running: Promise<void> | null = null;
  private wanted: 1 | -1 | null = null;

  constructor(
    private readonly backend: Pick<Backend, 'find' | 'matches'>,
    private readonly id: string,
    private readonly goTo: (index: number) => Promise<void>,
  ) {}

  open(selected = ''): void {
    const wasOpen = this.isOpen;
    this.isOpen = true;
    // What is selected is a text, whatever signs are in it.
    if (selected && selected !== this.query.trim()) this.look(selected, { regex: false });
    else if (this.query && !wasOpen) this.look(this.query);
  }

  /** Looks for something from a line on that holds it, which is the first place one stands at. */
  openAt(index: number, query: string, how: How): void {
    this.isOpen = true;
    this.at = index;
    this.look(query, how);
  }

  close(): void {
    this.isOpen = false;
    this.forget();
    this.looking = false;
    this.wanted = null;
    this.at = null;
    this.here = 0;
    this.unmarked = false;
    this.shut.clear();
  }

  /** Looks for another text, or in another way, from where one stands. */
  look(query: string, { matchCase = this.matchCase, regex = this.regex }: Partial<How> = {}): void {
    const start = this.at ?? this.inView();
    this.query = query;
    this.matchCase = matchCase;
    this.regex = regex;
    this.forget();
    const isTooLong = new TextEncoder().encode(query).length > LONGEST;
    this.pattern = isTooLong ? null : this.patternNow();
    this.found = new Found(start);
    this.at = null;
    this.error = isTooLong ? new BackendError('bad_input', text.find.tooLong(LONGEST)) : null;
    this.wanted = query && !isTooLong ? 1 : null;
    this.looking = query !== '' && !isTooLong;
    this.tell();
    if (this.looking) this.go();
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
    if (!this.isOpen || !this.pattern || this.looking || total <= this.total) return;
    this.found.grew(this.total);
    this.looking = true;
    this.go();
  }

  retry(): void {
    this.error = null;
    this.expression?.close();
    this.pattern = this.patternNow();
    this.looking = this.found.next !== null;
    if (this.looking) this.go();
  }

  /** What an expression fits first in the line one stands at, as a text. */
  get writtenHere(): Pattern[] {
    const written = (this.at === null ? undefined : this.written.get(this.at)) ?? '';
    // What a tool was given is shown without the name it has there.
    const texts = new Set([written, written.replace(/^\w+: /, '')]);
    return [...texts].flatMap((one) => patternOf(one, this.matchCase) ?? []);
  }

  /** Settles once nothing is being looked for any more. */
  async settled(): Promise<void> {
    while (this.running) await this.running;
  }

  /** What was asked for is of no use any more. */
  private forget(): void {
    this.epoch++;
    this.flight.abort();
    this.flight = new AbortController();
    this.expression?.close();
    this.expression = null;
    this.pattern = null;
    this.written.clear();
  }

  private patternNow(): Pattern | null {
    const { query, matchCase } = this;
    if (!this.regex || query === '') return patternOf(query, matchCase);
    return (this.expression = new Expression(this.backend, query, matchCase, (error) => (this.error = error)));
  }

  private go(): void {
    this.running ??= this.run().finally(() => {
      this.running = null;
      if (this.looking && !this.error) this.go();
    });
  }

  /** One question at a time: what was asked for before a change is called off, and its end waited for. */
  private async run(): Promise<void> {
    const { epoch, found, query, matchCase, regex, flight } = this;
    while (epoch === this.epoch && found.next !== null && query) {
      try {
        const page = await this.backend.find(
          this.id,
          { query, from: found.next, limit: PAGE, matchCase, regex },
          flight.signal,
        );
        if (epoch !== this.epoch) return;
        if (regex) for (const { index, excerpt } of page.matches) this.written.set(index, excerpt.match);
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
    this.unmarked = false;
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
