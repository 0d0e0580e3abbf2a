import type { Course, Stretch, Total } from '../backend';

/** What a course is told by, the usual first. */
export const OVER = ['agent', 'project', 'model', 'tool'] as const;
export const METRICS = ['sessions', 'messages', 'tokens', 'cost', 'compactions', 'calls'] as const;
export type Metric = (typeof METRICS)[number];

/** A stretch of time: its first day, the value of each series in it, and all together; null where none tells. */
export interface Column {
  start: string;
  values: (number | null)[];
  /** Of which series there is more than that, since not every session tells. */
  partial: boolean[];
  total: number | null;
  totalPartial: boolean;
}

/** All tokens of a sum; null if none of its parts is known. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Total): number | null {
  return sum([input, output, cacheRead, cacheWrite]);
}

export function valueOf(stretch: Stretch, metric: Metric): number | null {
  return metric === 'tokens' ? tokensOf(stretch) : stretch[metric];
}

/** Whether there is more than a sum says: not every session tells all of it. */
export function isPartial({ input, output, lacks }: Total, metric: Metric): boolean {
  if (metric === 'tokens') return lacks.usage > 0 || (input === null) !== (output === null);
  return metric === 'cost' && lacks.cost > 0;
}

/** What is known of several values together; null if nothing is. */
export function sum(values: readonly (number | null)[]): number | null {
  return values.reduce<number | null>((all, value) => (value === null ? all : (all ?? 0) + value), null);
}

const DAY = 86_400_000;
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The first day of the stretch that a day is in; weeks begin on Monday. */
export function startOf(day: string, span: Course['span']): string {
  if (span === 'day') return day;
  if (span === 'year') return `${day.slice(0, 4)}-01-01`;
  if (span === 'month') return `${day.slice(0, 7)}-01`;
  const time = timeOf(day);
  return dayAt(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY);
}

function after(start: string, span: Course['span']): string {
  if (span === 'day' || span === 'week') return dayAt(timeOf(start) + (span === 'week' ? 7 : 1) * DAY);
  const [year = 0, month = 0] = start.split('-').map(Number);
  return dayAt(span === 'year' ? Date.UTC(year + 1, 0, 1) : Date.UTC(year, month, 1));
}

/** All stretches from the first to the last, those in which nothing happened between them. */
export function columns({ span, from, to, all, series }: Course, metric: Metric): Column[] {
  const byStart = (stretches: readonly Stretch[]) => new Map(stretches.map((one) => [one.start, one]));
  const whole = byStart(all);
  const parts = series.map(({ stretches }) => byStart(stretches));
  const value = (one: Stretch | undefined) => (one ? valueOf(one, metric) : null);
  const partial = (one: Stretch | undefined) => one !== undefined && isPartial(one, metric);
  const out: Column[] = [];
  for (let start = startOf(from, span); start <= to; start = after(start, span)) {
    const here = parts.map((part) => part.get(start));
    const total = whole.get(start);
    out.push({
      start,
      values: here.map(value),
      partial: here.map(partial),
      total: value(total),
      totalPartial: partial(total),
    });
  }
  return out;
}

/** A round number at or above what has to fit under it, whose half is round, too; of what is counted, one that is whole. */
export function ceiling(most: number, counted: boolean): number {
  const least = counted ? 2 : 0;
  if (most <= 0) return least || 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= most) ?? 10;
  return Math.max(step * power, least);
}

// As wide as a date is, at most, and what is between two.
const DATE = 50;
const BETWEEN = 20;

/** Which columns have a date under them, and where its middle stands: as many as can be read, the last moved aside rather than cut. */
export function datesUnder(columns: number, room: number): { column: number; x: number }[] {
  const step = room / columns;
  const every = Math.max(1, Math.ceil((DATE + BETWEEN) / step));
  return Array.from({ length: Math.ceil(columns / every) }, (_, n) => n * every)
    .map((column) => ({ column, x: (column + 0.5) * step }))
    .filter(({ x }) => x < room - (DATE - BETWEEN) / 2)
    .map(({ column, x }) => ({ column, x: Math.min(x, room - DATE / 2) }));
}
