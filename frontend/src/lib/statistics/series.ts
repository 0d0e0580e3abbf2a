import type { Statistics, Total } from '../backend';

export const METRICS = ['sessions', 'messages', 'tokens', 'cost', 'compactions'] as const;
export type Metric = (typeof METRICS)[number];
type Span = 'day' | 'week' | 'month';

/** What one agent did, by days. */
export interface Series {
  agent: string;
  days: Statistics['days'];
}

/** A stretch of time: its first day, and the value of each series in it; null where none tells. */
export interface Column {
  start: string;
  values: (number | null)[];
  total: number | null;
  /** Of which series there is more than that, since not every session tells. */
  partial: boolean[];
}

/** All tokens of a sum; null if none of its parts is known. */
export function tokensOf({ input, output, cacheRead, cacheWrite }: Total): number | null {
  return sum([input, output, cacheRead, cacheWrite]);
}

export function valueOf(total: Total, metric: Metric): number | null {
  return metric === 'tokens' ? tokensOf(total) : total[metric];
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

/** How long the stretches are, so that there are neither too many nor too few. */
export function spanOf(from: string, to: string): Span {
  const days = (timeOf(to) - timeOf(from)) / DAY + 1;
  if (days <= 92) return 'day';
  return days <= 366 * 1.5 ? 'week' : 'month';
}

/** The first day of the stretch that a day is in; weeks begin on Monday. */
export function startOf(day: string, span: Span): string {
  if (span === 'day') return day;
  if (span === 'month') return `${day.slice(0, 7)}-01`;
  const time = timeOf(day);
  return dayAt(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY);
}

function after(start: string, span: Span): string {
  if (span !== 'month') return dayAt(timeOf(start) + (span === 'week' ? 7 : 1) * DAY);
  const [year = 0, month = 0] = start.split('-').map(Number);
  return dayAt(Date.UTC(year, month, 1));
}

/** All days that anything is known of. A session of several days counts in each. */
export function columns(series: readonly Series[], metric: Metric, from: string, to: string): Column[] {
  const span = spanOf(from, to);
  const found = new Map<string, Pick<Column, 'values' | 'partial'>>();
  const none = () => ({ values: series.map(() => null), partial: series.map(() => false) });
  for (const [at, { days }] of series.entries()) {
    for (const day of days) {
      const start = startOf(day.day, span);
      const column = found.get(start) ?? none();
      column.values[at] = sum([column.values[at] ?? null, valueOf(day, metric)]);
      column.partial[at] ||= isPartial(day, metric);
      found.set(start, column);
    }
  }
  const all: Column[] = [];
  for (let start = startOf(from, span); start <= to; start = after(start, span)) {
    const { values, partial } = found.get(start) ?? none();
    all.push({ start, values, total: sum(values), partial });
  }
  return all;
}

/** A round number at or above what has to fit under it. */
export function ceiling(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 2.5, 5, 10].find((one) => one * power >= most) ?? 10;
  return step * power;
}

const FIELDS = [
  'sessions',
  'messages',
  'prompts',
  'compactions',
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cost',
] as const;

/** What is left of all days once those of some series are taken out. */
export function rest(all: Statistics['days'], series: readonly Series[]): Statistics['days'] {
  const days = new Map(all.map((day) => [day.day, { ...day }]));
  for (const day of series.flatMap((one) => one.days)) {
    const left = days.get(day.day);
    if (!left) continue;
    const { usage, cost } = left.lacks;
    left.lacks = { usage: Math.max(0, usage - day.lacks.usage), cost: Math.max(0, cost - day.lacks.cost) };
    for (const field of FIELDS) {
      const value = day[field];
      const before = left[field];
      if (value !== null && before !== null) left[field] = Math.max(0, before - value);
    }
  }
  return [...days.values()];
}
