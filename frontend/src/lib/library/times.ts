const DATE = /^([1-9]\d{3})(?:-(\d\d)(?:-(\d\d))?)?$/;
const AGO = /^(\d{1,5})([dw])$/;
const NAMED: Record<string, number> = { today: 0, yesterday: 1 };
// What may become one of these with the next keys.
const BEGUN = /^(?:\d{0,5}|\d{4}-\d?|\d{4}-\d\d-\d?)$/;

/** The local midnight so many days before a moment. */
function daysBefore(now: Date, days: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
}

function dateOf(value: string): number | null {
  const [whole, year, month = '01', day = '01'] = DATE.exec(value) ?? [];
  if (whole === undefined) return null;
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  // There is no 30th of February.
  return date.getMonth() === Number(month) - 1 && date.getDate() === Number(day) ? date.getTime() : null;
}

/** When a time begins that is written as search takes it: 2026, 2026-10, 2026-10-05, 7d, 2w, today, yesterday; null of what is none. */
export function beginOf(value: string, now: Date): number | null {
  const named = Object.hasOwn(NAMED, value) ? NAMED[value] : undefined;
  if (named !== undefined) return daysBefore(now, named);
  const [, count, unit] = AGO.exec(value) ?? [];
  if (count === undefined) return dateOf(value);
  const ago = new Date(now);
  ago.setDate(ago.getDate() - Number(count) * (unit === 'w' ? 7 : 1));
  return ago.getTime();
}

/** Whether it may be a time once it is written to its end. */
export function isBegun(value: string): boolean {
  return BEGUN.test(value) || Object.keys(NAMED).some((name) => name.startsWith(value));
}
