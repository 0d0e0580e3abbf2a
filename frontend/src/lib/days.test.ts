import { describe, expect, test, vi } from 'vitest';
import { dayBreak, dayGroup, dayOf, exactTime, hour, moment, rowTime } from './days';

const at = (year: number, month: number, day: number, hours = 0, minutes = 0) =>
  new Date(year, month, day, hours, minutes).getTime();
const today = at(2026, 10, 21);

describe('groups of days', () => {
  test.each([
    [at(2026, 10, 21, 23, 59), 'Today'],
    [at(2026, 10, 22, 9), 'Today'],
    [at(2026, 10, 20, 0, 0), 'Yesterday'],
    [at(2026, 10, 19, 12), 'Thursday'],
    [at(2026, 10, 15, 12), 'Sunday'],
    [at(2026, 10, 14, 12), 'Last week'],
    [at(2026, 10, 8, 12), 'Last week'],
    [at(2026, 10, 7, 12), 'November'],
    [at(2026, 0, 3, 12), 'January'],
    [at(2025, 11, 31, 12), 'December 2025'],
    [NaN, 'Undated'],
  ])('%d stands under %s', (time, group) => {
    expect(dayGroup(dayOf(time), today)).toBe(group);
  });

  test('a day that a change of clocks made shorter or longer is still one day', () => {
    // Wherever the tests run: every pair of neighbouring days of a year is one day apart.
    for (let day = 0; day < 365; day++) {
      const midnight = at(2026, 0, 1 + day);
      expect(dayGroup(at(2026, 0, day), midnight)).toBe('Yesterday');
    }
  });
});

test('the hour where the heading names the day, else the date', () => {
  expect(rowTime(at(2026, 10, 21, 14, 12), today, true)).toBe('14:12');
  expect(rowTime(at(2026, 10, 16, 0, 5), today, true)).toBe('00:05');
  expect(rowTime(at(2026, 10, 14, 9), today, true)).toBe('Nov 14');
  expect(rowTime(at(2024, 1, 2, 9), today, true)).toBe('Feb 2, 2024');
  expect(rowTime(NaN, today, true)).toBe('');
  expect(rowTime(at(2026, 10, 22, 9), today, true), 'by a clock that is ahead').toBe('Nov 22');
  expect(rowTime(at(9999, 10, 21, 9), today, true)).toBe('Nov 21, 9999');
});

test('between the messages of two days', () => {
  expect(dayBreak(today, today)).toBe('Today');
  expect(dayBreak(at(2026, 10, 20), today)).toBe('Yesterday');
  expect(dayBreak(at(2026, 10, 13), today)).toBe('Friday, November 13');
  expect(dayBreak(at(2025, 10, 13), today)).toBe('Thursday, November 13, 2025');
});

test('a year of few digits is the one it is: some programs write the first of all for a time that they do not know', () => {
  expect(dayBreak(dayOf(new Date(2026, 0, 1, 12).setFullYear(1)), today)).toBe('Monday, January 1, 1');
});

test('moments of today need no date', () => {
  expect(hour(at(2026, 10, 21, 7, 3))).toBe('07:03');
  expect(moment(at(2026, 10, 21, 7, 3), today)).toBe('07:03');
  expect(moment(at(2026, 10, 3, 7, 3), today)).toBe('Nov 3, 07:03');
  expect(moment(at(2024, 10, 3, 7, 3), today), 'without its year it would be that of now').toBe('Nov 3, 2024');
});

test('where no heading names the day, the time of a row does', () => {
  expect(rowTime(at(2026, 10, 21, 14, 12), today, false)).toBe('14:12');
  expect(rowTime(at(2026, 10, 20, 23, 59), today, false)).toBe('Fri');
  expect(rowTime(at(2026, 10, 15, 9), today, false)).toBe('Sun');
  expect(rowTime(at(2026, 10, 14, 9), today, false)).toBe('Nov 14');
  expect(rowTime(at(2026, 10, 22, 9), today, false), 'by a clock that is ahead').toBe('Nov 22');
});

test('a way to tell a time is made when it is asked for, and once', async () => {
  const Own = Intl.DateTimeFormat;
  const made = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (...options) {
    return new Own(...options);
  });
  vi.resetModules();
  const days = await import('./days');
  expect(made).not.toHaveBeenCalled();
  expect(days.rowTime(at(2026, 10, 21, 9, 5), today, true), 'of a list none is made at all').toBe('09:05');
  expect(made).not.toHaveBeenCalled();
  expect([days.monthName('2026-11-21'), days.monthName('2026-12-01')]).toEqual(['Nov', 'Dec']);
  expect(made).toHaveBeenCalledTimes(1);
});

test('days and hours are written as the browser writes them', () => {
  const form = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options);
  const short = form({ month: 'short', day: 'numeric', year: 'numeric' });
  const long = form({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
  const weekday = form({ weekday: 'short' });
  const clock = form({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const exact = form({ timeStyle: 'medium', dateStyle: 'long', hourCycle: 'h23' });
  // Every 37 days and some hours of 200 years.
  for (let time = at(1970, 0, 1, 5, 7); time < at(2170, 0, 1); time += 37 * 86_400_000 + 12_345_678) {
    const other = time + 400 * 86_400_000;
    expect(rowTime(time, dayOf(other), false)).toBe(short.format(time));
    expect(dayBreak(time, dayOf(other))).toBe(long.format(time));
    expect(rowTime(time, dayOf(time + 3 * 86_400_000), false)).toBe(weekday.format(time));
    expect(hour(time)).toBe(clock.format(time));
    expect(exactTime(time)).toBe(exact.format(time));
  }
});
