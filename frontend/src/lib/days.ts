import { plural } from './format';

const DAY = 86_400_000;

/** A way to tell a moment, made by the first who asks for it: each takes some milliseconds. */
function form(options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | null = null;
  return { format: (time: number) => (made ??= new Intl.DateTimeFormat('en', options)).format(time) };
}

// Those of lists and messages are put together here: the browser's own would take 30 ms of a start to be made.
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const two = (n: number) => String(n).padStart(2, '0');
const told = (say: (at: Date) => string) => ({ format: (time: number) => say(new Date(time)) });

const clock = told((at) => `${two(at.getHours())}:${two(at.getMinutes())}`);
const month = told((at) => MONTHS[at.getMonth()] ?? '');
const monthYear = told((at) => `${month.format(+at)} ${at.getFullYear()}`);
const dayOfMonth = told((at) => `${month.format(+at).slice(0, 3)} ${at.getDate()}`);
const fullDay = told((at) => `${dayOfMonth.format(+at)}, ${at.getFullYear()}`);
const weekday = told((at) => DAYS[at.getDay()] ?? '');
const shortWeekday = told((at) => weekday.format(+at).slice(0, 3));
const longDay = told((at) => `${weekday.format(+at)}, ${month.format(+at)} ${at.getDate()}`);
const longDayYear = told((at) => `${longDay.format(+at)}, ${at.getFullYear()}`);
const clockSeconds = told(
  (at) => `${month.format(+at)} ${at.getDate()}, ${at.getFullYear()} at ${clock.format(+at)}:${two(at.getSeconds())}`,
);

/** Local midnight of a moment; NaN if it is none. */
export function dayOf(time: number): number {
  // Made anew from its numbers, a year below 100 would be one of the last century.
  return new Date(time).setHours(0, 0, 0, 0);
}

/** Whole days from `day` to `today`; both are local midnights, which a change of clocks moves by an hour. */
function daysBetween(day: number, today: number): number {
  return Math.round((today - day) / DAY);
}

function sameYear(a: number, b: number): boolean {
  return new Date(a).getFullYear() === new Date(b).getFullYear();
}

/** The heading a session stands under. */
export function dayGroup(day: number, today: number): string {
  if (Number.isNaN(day)) return 'Undated';
  const days = daysBetween(day, today);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return weekday.format(day);
  if (days < 14) return 'Last week';
  return sameYear(day, today) ? month.format(day) : monthYear.format(day);
}

/** The time of a session: the hour where that is of today, or the heading above names the day; else the day of the week, or the date. */
export function rowTime(time: number, today: number, named: boolean): string {
  if (Number.isNaN(time)) return '';
  const days = daysBetween(dayOf(time), today);
  if (days === 0 || (named && days > 0 && days < 7)) return clock.format(time);
  if (days > 0 && days < 7) return shortWeekday.format(time);
  return sameYear(time, today) ? dayOfMonth.format(time) : fullDay.format(time);
}

/** Between the messages of two days. */
export function dayBreak(day: number, today: number): string {
  const days = daysBetween(day, today);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return sameYear(day, today) ? longDay.format(day) : longDayYear.format(day);
}

/** How long nothing had happened, in its largest unit. */
export function later(gap: number): string {
  const hours = Math.round(gap / 3_600_000);
  return plural(hours, 'hour later', 'hours later');
}

export function hour(time: number): string {
  return Number.isNaN(time) ? '' : clock.format(time);
}

/** With the day where it is not today's: for lists that span days. Of another year the day says more than the hour. */
export function moment(time: number, today: number): string {
  if (Number.isNaN(time)) return '';
  if (!sameYear(time, today)) return fullDay.format(time);
  return dayOf(time) === today ? clock.format(time) : `${dayOfMonth.format(time)}, ${clock.format(time)}`;
}

export function exactTime(time: number): string {
  return Number.isNaN(time) ? '' : clockSeconds.format(time);
}

const shortMonth = form({ month: 'short', timeZone: 'UTC' });
const wholeDay = form({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A local midnight as a day: 2026-11-21. */
export function isoDay(day: number): string {
  const date = new Date(day);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A day such as 2026-11-21, for people. */
export function heatDay(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? day : wholeDay.format(time);
}

export function monthName(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? '' : shortMonth.format(time);
}

const monthAndYear = form({ month: 'short', year: 'numeric', timeZone: 'UTC' });

/** What a stretch of days is called, by its first. */
export function stretchName(start: string, span: 'day' | 'week' | 'month' | 'year'): string {
  if (span === 'year') return start.slice(0, 4);
  return span === 'month' ? monthAndYear.format(Date.parse(`${start}T00:00:00Z`)) : heatDay(start);
}

/** The same where there is little room. */
export function stretchMark(start: string, span: 'day' | 'week' | 'month' | 'year'): string {
  return span === 'day' || span === 'week' ? `${monthName(start)} ${Number(start.slice(8))}` : stretchName(start, span);
}
