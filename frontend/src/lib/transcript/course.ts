import type { Branch } from '../backend';

/** Lines from one up to, and without, another. */
interface Stretch {
  from: number;
  to: number;
}

/** A way in which the conversation goes on at a place; it ends where another branch begins in the file. */
export interface Way extends Stretch {
  messages: number;
}

/** A place at which it goes on in more than one way. */
export interface Fork {
  ways: readonly Way[];
  /** Which of them it goes on in now; -1 if none of them is on its path. */
  now: number;
}

/** The place of the first of which something holds that holds of all behind it, too; how many there are if of none. */
function firstOf<T>(all: readonly T[], holds: (one: T) => boolean): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(all[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lines of the log in the order of one way through it: what is shown of a conversation with branches. */
class Course {
  readonly total: number;
  private readonly starts: readonly number[];

  constructor(readonly stretches: readonly Stretch[]) {
    let total = 0;
    this.starts = stretches.map(({ from, to }) => (total += to - from) - (to - from));
    this.total = total;
  }

  holds(line: number): boolean {
    const stretch = this.stretches[this.endingBehind(line)];
    return stretch !== undefined && stretch.from <= line;
  }

  /** Up to so many lines that stand together in the log, from a position on. */
  lines(position: number, limit: number): { index: number; limit: number } {
    const n = firstOf(this.starts, (start) => start > position) - 1;
    const stretch = this.stretches[n] ?? { from: 0, to: Infinity };
    const index = stretch.from + position - (this.starts[n] ?? 0);
    return { index, limit: Math.max(1, Math.min(limit, stretch.to - index)) };
  }

  /** The position of a line or, where it is on another way, of what stands nearest behind it. */
  positionOf(line: number): number {
    const n = this.endingBehind(line);
    const stretch = this.stretches[n];
    if (!stretch) return Math.max(0, this.total - 1);
    return (this.starts[n] ?? 0) + Math.max(0, line - stretch.from);
  }

  private endingBehind(line: number): number {
    return firstOf(this.stretches, ({ to }) => line < to);
  }
}

/** The way that leads to, and ends before, a line: by the branches, from its end to the start. */
export function courseTo(branches: readonly Branch[], end: number): Course {
  const stretches: Stretch[] = [];
  let to = end;
  for (const { index, from } of branches.toReversed()) {
    if (index >= to) continue;
    stretches.push({ from: index, to });
    to = from;
  }
  if (to > 0 || stretches.length === 0) stretches.push({ from: 0, to });
  return new Course(stretches.reverse());
}

/** Where the stretch ends that a line is in. */
export function endOf(branches: readonly Branch[], line: number, total: number): number {
  return branches[firstOf(branches, ({ index }) => index > line)]?.index ?? total;
}

/** The forks, by the line that each of their ways begins with. A way in which nothing was said is none, unless it is the last. */
export function forksOf(branches: readonly Branch[], total: number): Map<number, { fork: Fork; way: number }> {
  const now = courseTo(branches, total);
  const places = new Map<number, Way[]>();
  for (const { index, from, messages, left } of branches) {
    const ways = places.get(from) ?? [{ from, to: endOf(branches, from - 1, total), messages: left }];
    ways.push({ from: index, to: endOf(branches, index, total), messages });
    places.set(from, ways);
  }
  const forks = new Map<number, { fork: Fork; way: number }>();
  for (const all of places.values()) {
    const ways = all.filter(({ messages, to, from }) => messages > 0 || (to === total && from < to));
    if (ways.length < 2) continue;
    const fork = { ways, now: ways.findIndex(({ from }) => now.holds(from)) };
    ways.forEach(({ from }, way) => forks.set(from, { fork, way }));
  }
  return forks;
}
