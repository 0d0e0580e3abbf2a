import type { Statistics } from '../backend';

export interface HeatDay {
  day: string;
  messages: number;
  sessions: number;
  /** From 0, nothing, to 4. */
  level: number;
  week: number;
  weekday: number;
}

const DAY = 86_400_000;
const WEEKS = 53;
export const LEVELS = 4;

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);
/** From 0 for Monday. */
const weekdayOf = (time: number) => (new Date(time).getUTCDay() + 6) % 7;

/**
 * How dark each of these numbers is, by its place among those that differ from each other: the highest is as dark as it gets, also
 * where there are few of them or only one, and a single day that is far above all others makes none of them lighter.
 */
function levelsOf(values: readonly number[]): ReadonlyMap<number, number> {
  const steps = [...new Set(values)].filter((value) => value > 0).toSorted((a, b) => a - b);
  return new Map(steps.map((value, i) => [value, Math.ceil((LEVELS * (i + 1)) / steps.length)]));
}

/** The days of a year up to the last one, in weeks from Monday on. */
export function yearOf(days: Statistics['days'], last: string): HeatDay[] {
  const end = timeOf(last);
  const start = end - weekdayOf(end) * DAY - (WEEKS - 1) * 7 * DAY;
  const known = new Map(days.map((day) => [day.day, day]));
  const within = days.filter(({ day }) => timeOf(day) >= start && timeOf(day) <= end);
  const levels = levelsOf(within.map(({ messages }) => messages));
  const all: HeatDay[] = [];
  for (let time = start, n = 0; time <= end; time += DAY, n++) {
    const { messages = 0, sessions = 0 } = known.get(dayAt(time)) ?? {};
    const level = levels.get(messages) ?? 0;
    all.push({ day: dayAt(time), messages, sessions, level, week: Math.floor(n / 7), weekday: n % 7 });
  }
  return all;
}

/** The day so many years before, a year being 52 weeks: it is the same day of the week. */
export function yearBefore(day: string, years: number): string {
  return dayAt(timeOf(day) - years * (WEEKS - 1) * 7 * DAY);
}

/** The weeks that begin a month, with its first day. */
export function monthsOf(days: readonly HeatDay[]): { week: number; day: string }[] {
  const firsts = days.filter(({ day }) => day.endsWith('-01'));
  return firsts.map(({ week, day }) => ({ week, day })).filter(({ week }) => week < WEEKS - 1);
}

/** Where a key moves from one day to another; null for any other key. */
export function moved(key: string, at: number, count: number): number | null {
  const by = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 }[key];
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  if (by === undefined) return null;
  const to = at + by;
  return to < 0 || to >= count ? at : to;
}
