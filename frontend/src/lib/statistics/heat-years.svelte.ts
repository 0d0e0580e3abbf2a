import type { Statistics } from '../backend';
import { yearBefore, yearOf } from './heat';

type Days = Statistics['days'];

/** The year of days that is looked at: the last, which is there, or one before it, which is asked for. */
export class HeatYears {
  private back = $state(0);
  private older = $state.raw<{ last: string; days: Days } | null>(null);
  private request = 0;

  constructor(
    /** The last year: its days, its last day, and the first day that there is. */
    private readonly newest: () => { days: Days; last: string; first: string },
    /** The days of the year that ends with a day. */
    private readonly ask: (last: string) => Promise<Days>,
  ) {}

  get last(): string {
    return this.older?.last ?? this.newest().last;
  }

  readonly year = $derived.by(() => yearOf(this.older?.days ?? this.newest().days, this.last));
  readonly hasEarlier = $derived.by(() => (this.year[0]?.day ?? '') > this.newest().first);

  get hasLater(): boolean {
    return this.back > 0;
  }

  /** To the year before, or to the one after; at either end it stays. */
  async go(way: 'earlier' | 'later'): Promise<void> {
    if (!(way === 'earlier' ? this.hasEarlier : this.hasLater)) return;
    const request = ++this.request;
    const back = this.back + (way === 'earlier' ? 1 : -1);
    const last = yearBefore(this.newest().last, back);
    const older = back > 0 ? { last, days: await this.ask(last) } : null;
    // Whoever pressed again meanwhile has gone elsewhere.
    if (request !== this.request) return;
    this.back = back;
    this.older = older;
  }
}
