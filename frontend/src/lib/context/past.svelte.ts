import { asBackendError, type Backend, type BackendError, type Context, type SizePoint, type Sizes } from '../backend';
import { momentAt, positionOf, withPoint } from './sawtooth';

/** How often sizes are asked for while a session grows. */
const EVERY_MS = 5000;
/** And of one that is so large that the program runs out of time. */
const SELDOM_MS = 30_000;
/** How soon again where it ran out of time, since it goes on where it stopped; and how often it may get no further. */
const SOON_MS = 500;
const NO_FURTHER = 6;
/** How long a moment is stayed at before its parts are asked for. */
const STAY_MS = 120;

/** How large the context was over the session, and the moment of it that is looked at. */
export class Past {
  sizes = $state.raw<Sizes | null>(null);
  /** Null is now. */
  moment = $state.raw<SizePoint | null>(null);
  /** What the model saw at that moment. */
  seen = $state.raw<Context | null>(null);
  error = $state.raw<BackendError | null>(null);
  readonly points = $derived(withPoint(this.sizes?.points ?? [], this.moment));
  readonly position = $derived(positionOf(this.points, this.moment));

  private request = 0;
  private asked = -Infinity;
  private watched = false;
  private noFurther = $state(0);
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private staying: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly backend: Pick<Backend, 'context' | 'sizes'>,
    private readonly id: string,
    /** Told where one stays, and that one is back at now. */
    private readonly onMoment: (moment: SizePoint | null) => void = () => undefined,
  ) {}

  /** The session is not what it was: its sizes are asked for, though not each time. Returns a function that ends the wait. */
  grew(): () => void {
    const pause = this.sizes?.complete === false ? SELDOM_MS : EVERY_MS;
    this.watched = true;
    this.loadIn(this.asked + pause - performance.now());
    return () => {
      this.watched = false;
      clearTimeout(this.waiting);
      this.waiting = undefined;
    };
  }

  private loadIn(ms: number): void {
    this.waiting ??= setTimeout(() => void this.load(), Math.max(0, ms));
  }

  private async load(): Promise<void> {
    this.waiting = undefined;
    const asked = (this.asked = performance.now());
    try {
      const sizes = await this.backend.sizes(this.id);
      if (asked === this.asked) this.take(sizes);
    } catch {
      // What is beside the numbers of now; the next change asks again.
    }
  }

  private take(sizes: Sizes): void {
    const further = sizes.complete || sizes.points.length > (this.sizes?.points.length ?? 0);
    this.noFurther = further ? 0 : this.noFurther + 1;
    this.sizes = sizes;
    if (!sizes.complete && this.watched && !this.stuck) this.loadIn(SOON_MS);
  }

  /** It is not asked for more: the program gets no further in the time that it has. */
  get stuck(): boolean {
    return this.noFurther >= NO_FURTHER;
  }

  kindOf({ seq }: SizePoint): 'message' | 'compaction' {
    return this.sizes?.compactions.some((one) => one.seq === seq) ? 'compaction' : 'message';
  }

  /** Looks at the moment at a place of the points. */
  look(position: number): void {
    this.moment = momentAt(this.points, position);
    this.error = null;
    const request = ++this.request;
    clearTimeout(this.staying);
    const { moment } = this;
    if (!moment) {
      this.seen = null;
      this.onMoment(null);
      return;
    }
    this.staying = setTimeout(() => {
      this.onMoment(moment);
      void this.ask(moment.seq, request);
    }, STAY_MS);
  }

  back(): void {
    this.look(Infinity);
  }

  /** Asks once more for a moment that could not be had. */
  retry(): void {
    this.look(this.position);
  }

  private async ask(seq: number, request: number): Promise<void> {
    try {
      const seen = await this.backend.context(this.id, seq);
      if (request === this.request) this.seen = seen;
    } catch (cause) {
      if (request === this.request) this.error = asBackendError(cause);
    }
  }
}
