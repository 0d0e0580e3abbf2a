/** Lines found so far. The search begins at a line, goes to the end, and then from the start of the log to that line. */
export class Found {
  private readonly ahead: number[] = [];
  private readonly behind: number[] = [];
  /** Where to look on; null once the whole log was looked through. */
  next: number | null;
  private wrapped: boolean;
  private looked = 0;

  constructor(readonly start: number) {
    this.next = start;
    this.wrapped = start === 0;
  }

  get count(): number {
    return this.ahead.length + this.behind.length;
  }

  /** How much of the log was looked through, from 0 to 1. */
  share(total: number): number {
    return this.next === null ? 1 : Math.min(1, this.looked / Math.max(1, total));
  }

  add(lines: number[], next: number | null, total: number): void {
    const from = this.next ?? 0;
    if (from >= this.start) {
      this.ahead.push(...lines.filter((line) => line >= from));
      this.looked += (next ?? Math.max(total, from)) - from;
      this.next = next;
      if (next === null && !this.wrapped) {
        this.wrapped = true;
        this.next = 0;
      }
      return;
    }
    this.behind.push(...lines.filter((line) => line >= from && line < this.start));
    const end = next === null || next >= this.start;
    this.looked += (end ? this.start : next) - from;
    this.next = end ? null : next;
  }

  /** The log has grown since all of it was looked through. */
  grew(from: number): void {
    this.looked = from;
    this.next = from;
    this.wrapped = true;
  }

  /** The first line found when going on from `at`, round the end; `wait` if that is not known yet. */
  after(at: number | null): number | 'wait' | null {
    const whole = this.next === null;
    const aheadWhole = this.next === null || this.next < this.start;
    if (at === null || at >= this.start) {
      const next = this.ahead.find((line) => at === null || line > at);
      if (next !== undefined) return next;
      if (!aheadWhole) return 'wait';
      const first = this.behind[0];
      if (first !== undefined) return first;
      return whole ? (this.ahead[0] ?? null) : 'wait';
    }
    const next = this.behind.find((line) => line > at) ?? (whole ? (this.ahead[0] ?? this.behind[0]) : undefined);
    return next ?? (whole ? null : 'wait');
  }

  /** The first line found when going back from `at`. */
  before(at: number | null): number | 'wait' | null {
    const whole = this.next === null;
    if (at !== null && at >= this.start) {
      const before = this.ahead.findLast((line) => line < at);
      if (before !== undefined) return before;
    } else if (at !== null) {
      const before = this.behind.findLast((line) => line < at);
      if (before !== undefined) return before;
      return this.ahead.at(-1) ?? (whole ? (this.behind.at(-1) ?? null) : 'wait');
    }
    if (!whole) return 'wait';
    return this.behind.at(-1) ?? this.ahead.at(-1) ?? null;
  }

  /** Which of all it is, from 1; null while those before it are not all known. */
  ordinal(at: number | null): number | null {
    if (at === null || this.next !== null) return null;
    const behind = this.behind.indexOf(at);
    const ahead = this.ahead.indexOf(at);
    if (behind >= 0) return behind + 1;
    return ahead >= 0 ? this.behind.length + ahead + 1 : null;
  }
}
