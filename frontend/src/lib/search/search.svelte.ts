import { SvelteMap } from 'svelte/reactivity';
import {
  asBackendError,
  type Backend,
  BackendError,
  type SearchAnswer,
  type SearchHit,
  type SearchPlace,
  type SearchQuery,
  type SearchScope,
  type Skipped,
} from '../backend';
import type { How } from '../find/find.svelte';
import { NOTHING, sameAsked, type Asked } from './asked';
import { freshness } from './freshness';
import { text } from '../text';
import { isUnfinished } from './hints';
import { Late } from './late.svelte';
import { Places } from './places.svelte';
import { soughtIn } from './as-text';
import { patternOf } from '../find/pattern';
import { rowsOf, type Row } from './rows';

/** How long typing has to hold still, in milliseconds. */
const STILL = 100;
/** And behind the beginning of a filter. */
const STILL_IN_FILTER = 600;
/** As many sessions come with an answer. */
const PAGE = 50;
/** As many bytes of text are looked for. */
const LONGEST = 4096;
/** As the program counts them: in an expression blanks mean something. */
const bytesOf = ({ text, regex }: Asked) => new TextEncoder().encode(regex ? text : text.trim()).length;

type Part = Pick<Backend, 'search' | 'searchIn'>;
/** What to look for in a session that is opened where it was found. */
export type Sought = { word: string } & How;
/** How somebody comes to the search: to look, or back to what was found. */
type Arrival = 'field' | 'row';

/** Whether the counts of one are those of the other: they don't depend on the scopes that are chosen. */
const countsAs = (a: Asked, b: Asked | null) => b !== null && sameAsked({ ...a, scopes: b.scopes }, b);

/**
 * The search of everything. What was found stays until something else is found, marked as old, and of several questions
 * only the last is answered: an older one is called off.
 */
export class Search {
  isOpen = $state(false);
  /** Each time somebody comes here. */
  arrivals = $state.raw<{ to: Arrival }>({ to: 'field' });
  asked = $state.raw<Asked>(NOTHING);
  /** What is shown answers this; null before the first answer. */
  private answered = $state.raw<Asked | null>(null);

  /** What the answer is to; null before the first. */
  query = $state.raw<SearchQuery | null>(null);
  hits = $state.raw<readonly SearchHit[]>([]);
  /** The words of the query as they stand in what was found. One letter alone stands everywhere. */
  readonly words = $derived(
    (this.query?.terms ?? [])
      .filter(({ text, not, regex }) => !not && !regex && !/^[\0-\x7f]?$/.test(text))
      .flatMap(({ text }) => patternOf(text, this.asked.matchCase) ?? []),
  );
  scopes = $state.raw<SearchAnswer['scopes']>({});
  counted = $state(true);
  complete = $state(true);
  cursor = $state.raw<string | null>(null);
  skipped = $state.raw<readonly Skipped[]>([]);
  looking = $state(false);
  lookingFurther = $state(false);
  error = $state.raw<BackendError | null>(null);
  private readonly late = new Late();
  /** Whether it is known how often it stands in each scope: where filters alone list sessions, nothing is counted. */
  readonly told = $derived(
    this.query !== null &&
      !this.error &&
      (!this.old || countsAs(this.asked, this.answered)) &&
      (this.hits.length === 0 || Object.keys(this.scopes).length > 0),
  );

  /** The sessions of which every place is shown. */
  readonly opened = new SvelteMap<string, Places>();
  readonly rows = $derived(rowsOf(this.hits, this.opened));
  /** The row that the arrows move from. */
  at = $state.raw<string | null>(null);
  readonly current = $derived(this.rows.some(({ key }) => key === this.at) ? this.at : (this.rows[0]?.key ?? null));

  /** Ends with the answer to the last question; true if counts are to follow. */
  private answering: Promise<boolean> = Promise.resolve(false);
  private flight: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly freshness = freshness(
    () => this.askAnew(),
    () => this.isOpen && this.asked.text.trim() !== '',
  );
  /** Something else is found now than what is shown, which somebody reads. */
  isNewer = $state(false);
  /** Whether what is found may not move: told by who shows it. */
  isRead = (): boolean => false;

  constructor(
    private readonly backend: Part,
    /** Something else is looked for. */
    private readonly onAsked: (asked: Asked) => void = () => undefined,
  ) {}

  /** Shows a search; the one that is shown already stays as it is. */
  open(asked: Asked, to: Arrival): void {
    this.isOpen = true;
    this.arrivals = { to };
    const same = sameAsked(asked, this.asked);
    this.asked = asked;
    this.age();
    if (!same || this.answered === null || this.error) this.askNow();
    else this.freshness.plan();
  }

  close(): void {
    this.isOpen = false;
    this.freshness.rest();
  }

  /** Ends what is under way. */
  stop(): void {
    this.close();
    this.forget();
    this.late.end();
  }

  /** Looks for something else: a text once typing holds still, all else at once. */
  look(change: Partial<Asked>): void {
    this.asked = { ...this.asked, ...change };
    this.age();
    if (bytesOf(this.asked) <= LONGEST) this.onAsked(this.asked);
    clearTimeout(this.timer);
    if (change.text !== undefined && Object.keys(change).length === 1) {
      this.timer = setTimeout(
        () => {
          this.askNow();
        },
        isUnfinished(this.asked.text) ? STILL_IN_FILTER : STILL,
      );
    } else this.askNow();
  }

  /** With a scope, or without it. */
  toggle(scope: SearchScope): void {
    const { scopes } = this.asked;
    this.look({ scopes: scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope] });
  }

  /** Looks again, for what is in the field now. */
  askNow(): void {
    this.forget();
    this.error = null;
    this.freshness.anew();
    if (this.asked.text.trim() === '') {
      this.clear();
      return;
    }
    this.looking = true;
    void this.ask(this.asked, this.begin());
  }

  /** Waits for the answer to what is in the field now, and not for typing to hold still. */
  async settled(): Promise<void> {
    if (!this.looking && !this.isAnswered) this.askNow();
    await this.answering;
  }

  /**
   * Where a row leads, and what to look for there: by what is in the field now, also if the rows are still those of what
   * was there before. A session that has none of that any more is opened where it was clicked.
   */
  async goal({ hit, place, below }: Row): Promise<{ place: SearchPlace | null; sought: Sought }> {
    const goal = (to: SearchPlace | null) => ({
      place: to,
      sought: {
        ...(to ? soughtIn(this.query, to.excerpt.match) : { word: '', regex: false }),
        matchCase: (this.answered ?? this.asked).matchCase,
      },
    });
    const then = goal(place);
    if (this.isAnswered) return then;
    await this.settled();
    const now = this.isAnswered ? this.hits.find(({ id }) => id === hit.id) : undefined;
    return now ? goal(below ? place : now.hit) : then;
  }

  private get isAnswered(): boolean {
    return this.answered !== null && sameAsked(this.asked, this.answered);
  }

  /**
   * Whether what is shown has to be told from what is found for what is in the field, which is not known yet. That nothing
   * was found is not left standing even for a moment.
   */
  get old(): boolean {
    return this.query !== null && (this.late.is || this.hits.length === 0) && !this.isAnswered;
  }

  private age(): void {
    if (this.answered && !this.isAnswered) this.late.begin();
    else this.late.end();
  }

  /** The index has grown: the same question may have another answer. */
  grew(): void {
    this.freshness.grew();
  }

  private async askAnew(): Promise<void> {
    // What is on its way may have been asked for too early.
    if (this.looking || this.lookingFurther) return;
    if (this.opened.size > 0 || this.hits.length > PAGE || this.isRead()) await this.peek();
    else await this.ask(this.asked, this.begin());
  }

  /** Looks whether there is something else, and leaves what is read as it is, but for what is found no more. */
  private async peek(): Promise<void> {
    if (this.answered === null) return;
    this.freshness.asked();
    const { signal } = this.flight ?? this.begin();
    const answer = await this.backend.search(this.answered, signal).catch(() => null);
    if (signal.aborted || answer === null) return;
    if (answer.complete && answer.cursor === null) this.drop(new Set(answer.hits.map(({ id }) => id)));
    const asTold = ({ id, hit, gone }: SearchHit) => `${id} ${hit?.index} ${gone}`;
    const told = new Set(this.hits.map(asTold));
    if (answer.hits.some((hit) => !told.has(asTold(hit)))) this.isNewer = true;
  }

  /** What was forgotten, or says something else by now, is not left standing. */
  private drop(found: ReadonlySet<string>): void {
    if (this.hits.every(({ id }) => found.has(id))) return;
    for (const { id } of this.hits) if (!found.has(id)) this.fold(id);
    this.hits = this.hits.filter(({ id }) => found.has(id));
  }

  /** What is found now, in place of what was read. */
  async showNewer(): Promise<void> {
    this.foldAll();
    this.askNow();
    await this.answering;
    this.at = null;
    this.arrivals = { to: this.hits.length > 0 ? 'row' : 'field' };
  }

  /** The next sessions. */
  async further(): Promise<void> {
    const { cursor, answered } = this;
    if (cursor === null || answered === null || this.lookingFurther || this.looking) return;
    this.lookingFurther = true;
    const flight = this.flight ?? this.begin();
    try {
      const answer = await this.backend.search({ ...answered, cursor }, flight.signal);
      if (flight.signal.aborted) return;
      const known = new Set(this.hits.map(({ id }) => id));
      this.hits = [...this.hits, ...answer.hits.filter(({ id }) => !known.has(id))];
      this.cursor = answer.cursor;
      this.complete = answer.complete;
    } catch (cause) {
      if (!flight.signal.aborted) this.error = asBackendError(cause);
    } finally {
      if (!flight.signal.aborted) this.lookingFurther = false;
    }
  }

  /** An answer has little time: where that was too short for as many sessions as are shown at first, more of them are looked for. */
  private async goOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.cursor !== null && this.hits.length < PAGE && !this.error && !this.lookingFurther)
      await this.further();
  }

  /** Shows every place of a session, or only the best again. */
  async unfold(id: string): Promise<void> {
    if (this.opened.has(id)) return;
    const places = new Places(this.backend, id, this.answered ?? this.asked);
    this.opened.set(id, places);
    await places.load();
  }

  fold(id: string): void {
    this.opened.get(id)?.close();
    this.opened.delete(id);
    if (this.at?.startsWith(`${id} `)) this.at = id;
  }

  private begin(): AbortController {
    this.flight?.abort();
    return (this.flight = new AbortController());
  }

  private async ask(asked: Asked, { signal }: AbortController): Promise<void> {
    this.freshness.asked();
    this.isNewer = false;
    this.answering = this.answer(asked, signal);
    try {
      const uncounted = await this.answering;
      await this.goOn(signal);
      if (uncounted && !signal.aborted) await this.count(asked, signal);
    } catch (cause) {
      if (!signal.aborted) this.error = asBackendError(cause);
    }
  }

  private async answer(asked: Asked, signal: AbortSignal): Promise<boolean> {
    try {
      const bytes = bytesOf(asked);
      if (bytes > LONGEST)
        throw new BackendError('bad_input', text.search.tooLong(bytes, LONGEST), text.search.tooLongHint);
      const answer = await this.backend.search(asked, signal);
      if (signal.aborted) return false;
      this.take(asked, answer);
      this.looking = false;
      return !answer.counted || asked.scopes.length > 0;
    } catch (cause) {
      if (signal.aborted) return false;
      this.error = asBackendError(cause);
      this.looking = false;
      return false;
    }
  }

  private take(asked: Asked, answer: SearchAnswer): void {
    if (!this.answered || !sameAsked(asked, this.answered)) {
      this.foldAll();
      this.at = null;
    }
    // Those of another question are not counted for this one.
    if (!countsAs(asked, this.answered)) this.scopes = {};
    this.answered = asked;
    this.late.end();
    this.age();
    this.query = answer.query;
    this.hits = answer.hits;
    this.counted = answer.counted && asked.scopes.length === 0;
    if (asked.scopes.length === 0) this.scopes = answer.scopes;
    this.complete = answer.complete;
    this.cursor = answer.cursor;
    this.skipped = answer.skipped;
  }

  /** The counts come behind the answer: of every scope, whichever are chosen, and of the sessions in those that are. */
  private async count(asked: Asked, signal: AbortSignal): Promise<void> {
    const all = await this.backend.search({ ...asked, scopes: [], count: true }, signal);
    if (signal.aborted) return;
    this.scopes = all.scopes;
    this.counted = all.counted;
    const chosen = asked.scopes.length === 0 ? all : await this.backend.search({ ...asked, count: true }, signal);
    if (signal.aborted) return;
    const counts = new Map(chosen.hits.map(({ id, count }) => [id, count]));
    this.hits = this.hits.map((hit) => ({ ...hit, count: Math.max(hit.count, counts.get(hit.id) ?? 0) }));
  }

  private clear(): void {
    this.foldAll();
    this.isNewer = false;
    this.answered = null;
    this.late.end();
    this.query = null;
    this.hits = [];
    this.scopes = {};
    this.counted = this.complete = true;
    this.cursor = null;
    this.skipped = [];
  }

  private foldAll(): void {
    for (const places of this.opened.values()) places.close();
    this.opened.clear();
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.flight?.abort();
    this.flight = null;
    this.looking = this.lookingFurther = false;
  }
}
