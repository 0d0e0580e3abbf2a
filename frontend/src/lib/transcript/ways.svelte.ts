import type { Outline } from '../backend';
import { courseTo, endOf, forksOf, type Fork } from './course';

/** A fork, which way of it is shown, and where that is. */
export interface Passed {
  fork: Fork;
  way: number;
  position: number;
}

/** The ways in which a conversation goes on, and which of them is shown. Where there is only one, lines are positions. */
export class Ways {
  /** A line of the branch that is shown in place of that in which the conversation goes on; null for that one. */
  through = $state<number | null>(null);
  private readonly branches = $derived.by(() => this.outline()?.branches ?? []);
  private readonly total = $derived.by(() => this.outline()?.total ?? 0);
  private readonly course = $derived.by(() => {
    if (this.branches.length === 0) return null;
    const { total } = this;
    return courseTo(this.branches, this.through === null ? total : endOf(this.branches, this.through, total));
  });
  private readonly forks = $derived(forksOf(this.branches, this.total));

  constructor(private readonly outline: () => Outline | null) {}

  /** How many lines are shown of how many there are, on the other branches, too. */
  get shown(): number {
    return this.course?.total ?? this.total;
  }

  /** Whether there is a place at which the conversation goes on in several ways. */
  get branched(): boolean {
    return this.forks.size > 0;
  }

  /** Whether a line is on the way that is shown. */
  holds(line: number): boolean {
    return this.course?.holds(line) ?? true;
  }

  positionOf(line: number): number {
    return this.course?.positionOf(line) ?? line;
  }

  /** Up to so many lines that stand together in the log, from a position on. */
  lines(position: number, limit: number): { index: number; limit: number } {
    return this.course?.lines(position, limit) ?? { index: position, limit };
  }

  /** The fork of which a way begins with a line, and which way that is. */
  forkAt(line: number): { fork: Fork; way: number } | undefined {
    return this.forks.get(line);
  }

  /** The last fork that is shown at or before a position; null for none. */
  forkBefore(position: number): Passed | null {
    let last: Passed | null = null;
    for (const [line, found] of this.forks) {
      if (!this.holds(line)) continue;
      const at = this.positionOf(line);
      if (at <= position && at >= (last?.position ?? 0)) last = { ...found, position: at };
    }
    return last;
  }
}
