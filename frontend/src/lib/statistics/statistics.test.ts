import { describe, expect, test, vi } from 'vitest';
import type { Course, IndexState, Statistics, Stretch, Total } from '../backend';
import { fakeBackend, later, settled } from '../../test/fakes';
import { HeatYears } from './heat-years.svelte';
import { monthsOf, moved, yearOf } from './heat';
import { ceiling, columns, datesUnder, isPartial, startOf, sum, tokensOf } from './series';
import { StatisticsPage } from './statistics.svelte';

const total = (more: Partial<Total> = {}): Total => ({
  ...{ sessions: 1, messages: 2, prompts: 1, input: null, output: null, cacheRead: null, cacheWrite: null },
  ...{ cost: null, compactions: 0, lacks: { usage: 0, cost: 0 } },
  ...more,
});
const day = (at: string, more: Partial<Total> = {}) => ({ day: at, ...total(more) });
const stretch = (start: string, more: Partial<Stretch> = {}): Stretch => ({ start, calls: 0, ...total(more), ...more });
const course = (more: Partial<Course>): Course => ({
  ...{ by: 'agent', span: 'day', from: '2026-11-01', to: '2026-11-02', all: [], series: [] },
  ...more,
});

describe('sums', () => {
  test('what nobody tells is not 0', () => {
    expect(sum([null, null])).toBeNull();
    expect(sum([null, 0])).toBe(0);
    expect(sum([])).toBeNull();
    expect(tokensOf(total())).toBeNull();
    expect(tokensOf(total({ input: 3, cacheRead: 4 }))).toBe(7);
  });

  test('stretches are days, weeks from Monday, months or years, without gaps', () => {
    expect(
      (['week', 'month', 'year'] as const).map((span) => startOf('2026-11-22', span)),
      'where a Sunday belongs',
    ).toEqual(['2026-11-16', '2026-11-01', '2026-01-01']);
    expect(startOf('2026-11-23', 'week')).toBe('2026-11-23');
    const starts = (span: Course['span'], from: string, to: string) =>
      columns(course({ span, from, to }), 'messages').map(({ start }) => start);
    expect(starts('day', '2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(starts('week', '2026-02-25', '2026-03-09')).toEqual(['2026-02-23', '2026-03-02', '2026-03-09']);
    expect(starts('month', '2025-12-31', '2026-02-01')).toEqual(['2025-12-01', '2026-01-01', '2026-02-01']);
    expect(starts('year', '2024-05-01', '2026-01-01')).toEqual(['2024-01-01', '2025-01-01', '2026-01-01']);
  });

  test('what all are together is told, and not added up: a session may count in two series', () => {
    const told = course({
      by: 'model',
      to: '2026-11-03',
      all: [stretch('2026-11-01', { sessions: 1, cost: 3 }), stretch('2026-11-03', { calls: 7 })],
      series: [
        { name: 'a', stretches: [stretch('2026-11-01', { sessions: 1, cost: 1 })] },
        { name: null, stretches: [stretch('2026-11-01', { sessions: 1, cost: 2 }), stretch('2026-11-03')] },
      ],
    });
    const seen = columns(told, 'sessions');
    expect(seen.map(({ values }) => values)).toEqual([
      [1, 1],
      [null, null],
      [null, 1],
    ]);
    expect(seen.map((one) => one.total)).toEqual([1, null, 1]);
    expect(columns(told, 'cost').map((one) => one.total)).toEqual([3, null, null]);
    expect(columns(told, 'calls').map((one) => one.total)).toEqual([0, null, 7]);
  });

  test('a sum that not every session tells of is a part', () => {
    const lacks = { usage: 1, cost: 2 };
    expect(isPartial(total({ input: 1, output: 1, lacks }), 'tokens')).toBe(true);
    expect(isPartial(total({ input: 1, output: 1 }), 'tokens')).toBe(false);
    expect(isPartial(total({ output: 1 }), 'tokens'), 'nothing is known of what went in').toBe(true);
    expect(isPartial(total({ cost: 1, lacks }), 'cost')).toBe(true);
    expect(isPartial(total({ lacks }), 'messages')).toBe(false);
    const told = course({
      all: [stretch('2026-11-01', { cost: 3, lacks }), stretch('2026-11-02', { cost: 1 })],
      series: [
        { name: 'a', stretches: [stretch('2026-11-01', { cost: 1, lacks }), stretch('2026-11-02', { cost: 1 })] },
        { name: 'b', stretches: [stretch('2026-11-01', { cost: 2 })] },
      ],
    });
    expect(columns(told, 'cost').map(({ partial, totalPartial }) => [...partial, totalPartial])).toEqual([
      [true, false, true],
      [false, false, false],
    ]);
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 4],
    [5, 6],
    [21, 40],
    [0.03, 0.04],
    [515, 600],
    [601, 800],
    [999, 1000],
  ])('%d fits under %d', (most, above) => {
    expect(ceiling(most, false)).toBeCloseTo(above);
    expect(ceiling(most, true), 'nobody counts half a session').toBeCloseTo(Math.max(above, 2));
  });
});

describe('the map of a year', () => {
  const year = yearOf(
    [day('2026-11-21', { messages: 9 }), day('2026-11-20', { messages: 1 }), day('2020-01-01')],
    '2026-11-21',
  );

  test('ends with the last day, and begins on a Monday', () => {
    expect(year.at(-1)).toMatchObject({ day: '2026-11-21', messages: 9, weekday: 5, week: 52 });
    expect(year[0]).toMatchObject({ weekday: 0, week: 0, level: 0 });
    expect(new Date(`${year[0]?.day}T00:00:00Z`).getUTCDay()).toBe(1);
    expect(year.filter(({ messages }) => messages > 0)).toHaveLength(2);
    expect(monthsOf(year).length).toBeGreaterThanOrEqual(11);
  });

  test('the more, the darker', () => {
    const [less, more] = year.slice(-2).map(({ level }) => level);
    expect(less).toBeGreaterThan(0);
    expect(more).toBeGreaterThan(less ?? 0);
  });

  test('the busiest days are the darkest, however few there are', () => {
    const levels = (...messages: number[]) =>
      yearOf(
        messages.map((n, i) => day(`2026-11-${10 + i}`, { messages: n })),
        `2026-11-${9 + messages.length}`,
      )
        .slice(-messages.length)
        .map(({ level }) => level);
    expect(levels(7)).toEqual([4]);
    expect(levels(7, 7, 0, 7), 'equal days are all the busiest').toEqual([4, 4, 0, 4]);
    expect(levels(3, 900, 1)).toEqual([3, 4, 2]);
    expect(levels(1, 2, 3, 4)).toEqual([1, 2, 3, 4]);
    expect(levels(1, 1, 1, 1, 1, 9), 'not as dark as the busiest').toEqual([2, 2, 2, 2, 2, 4]);
    expect(levels(1, 2, 3, 4, 5, 6, 7, 9000), 'one day leaves the others their levels').toEqual([
      1, 1, 2, 2, 3, 3, 4, 4,
    ]);
  });

  test('keys stay within it', () => {
    expect([moved('ArrowLeft', 10, 300), moved('ArrowDown', 10, 300), moved('ArrowLeft', 3, 300)]).toEqual([3, 11, 3]);
    expect([moved('ArrowRight', 299, 300), moved('Home', 7, 300), moved('End', 7, 300), moved('x', 7, 300)]).toEqual([
      299,
      0,
      299,
      null,
    ]);
  });
});

describe('the years of the map', () => {
  const days = [day('2026-11-20', { messages: 1 })];
  const newest = () => ({ days, last: '2026-11-21', first: '2024-03-01' });

  test('each is asked for by its last day, as far back as there is anything', async () => {
    const ask = vi.fn((last: string) => Promise.resolve([day(last, { messages: 5 })]));
    const years = new HeatYears(newest, ask);
    await years.go('later');
    expect([years.last, years.hasEarlier, years.hasLater]).toEqual(['2026-11-21', true, false]);
    for (const way of ['earlier', 'earlier', 'earlier', 'earlier'] as const) await years.go(way);
    expect(ask.mock.calls.flat()).toEqual(['2025-11-22', '2024-11-23']);
    expect([years.last, years.hasEarlier, years.hasLater]).toEqual(['2024-11-23', false, true]);
    expect(years.year.at(-1)).toMatchObject({ day: '2024-11-23', messages: 5, weekday: 5 });
  });

  test('an answer that comes late brings nobody back', async () => {
    const late = later<typeof days>();
    let answer = () => Promise.resolve(days);
    const years = new HeatYears(newest, () => answer());
    await years.go('earlier');
    answer = () => late.promise;
    const going = years.go('earlier');
    await years.go('later');
    late.resolve(days);
    await going;
    expect(years.last).toBe('2026-11-21');
  });
});

describe('the page', () => {
  const of = (agents: string[]): Statistics => ({
    ...{ from: null, to: null, totals: total(), days: [], projects: [], models: [], tools: [] },
    agents: agents.map((agent) => ({ agent, ...total() })),
    unknown: { usage: 0, cost: 0 },
    copies: 0,
    coverage: { sessions: 1, indexed: 1 },
    course: course({}),
  });
  const none = { agent: '', project: '', from: '', to: '' };
  const anIndex = (more: Partial<IndexState>): IndexState => ({
    ...{ state: 'scanning', sessions: 9, indexed: 0, waiting: 9, bytesDone: 0, bytesTotal: 0, diskBytes: 0 },
    ...{ skipped: [], problem: null, unwatched: null },
    ...more,
  });
  const byModel = { over: 'model', today: '2026-11-21', projects: 50 } as const;

  test('one question tells all of it, and where it is narrowed another one what there is to choose from', async () => {
    const statistics = vi.fn(({ agent }: { agent: string }) => Promise.resolve(of(agent ? [agent] : ['a', 'bb'])));
    const page = new StatisticsPage(fakeBackend({ statistics }));
    await page.load(none, byModel);
    expect(statistics.mock.calls).toEqual([[none, byModel]]);
    expect(page.index).toBeNull();
    await page.load({ ...none, agent: 'a' }, byModel);
    expect(page.data?.agents.map(({ agent }) => agent)).toEqual(['a']);
    expect(page.agents, 'what there is to choose from').toEqual(['a', 'bb']);
  });

  test('while sessions are read, what is known shows, and how far that is before there is anything', async () => {
    const answers = [later<Statistics>(), later<Statistics>()];
    let n = 0;
    const statistics = vi.fn(() => answers[n++]?.promise ?? Promise.resolve(of([])));
    const indexState = vi.fn(() => Promise.resolve(anIndex({ indexed: 1 })));
    const page = new StatisticsPage(fakeBackend({ statistics, indexState }));
    const loads = [page.load(none, byModel)];
    await settled();
    expect([page.index?.indexed, page.data]).toEqual([1, null]);
    // It goes on before there is an answer.
    loads.push(page.load({ ...none }, byModel), page.load({ ...none }, { ...byModel }));
    await settled();
    expect(statistics).toHaveBeenCalledTimes(1);
    answers[0]?.resolve(of(['a']));
    await settled();
    expect(page.agents).toEqual(['a']);
    expect(statistics, 'once more for both').toHaveBeenCalledTimes(2);
    answers[1]?.resolve(of(['a', 'bb']));
    await Promise.all(loads);
    expect(page.agents).toEqual(['a', 'bb']);
  });

  test('an error leaves what was there', async () => {
    const statistics = vi.fn(() => Promise.resolve(of(['a'])));
    const page = new StatisticsPage(fakeBackend({ statistics }));
    await page.load(none, byModel);
    statistics.mockRejectedValueOnce(new Error('no'));
    await page.load(none, byModel);
    expect(page.error?.message).toBe('No.');
    expect(page.data).not.toBeNull();
  });
});

test('dates under columns are not cut at the end, and do not run into each other', () => {
  for (let columns = 1; columns < 200; columns++) {
    for (const room of [100, 433.5, 946, 1600]) {
      const dates = datesUnder(columns, room);
      const cut = dates.filter(({ x }) => x + 25 > room);
      const close = dates.filter(({ x }, n) => x - (dates[n - 1]?.x ?? -Infinity) < 50);
      expect([cut, close], `${columns} in ${room}`).toEqual([[], []]);
      expect(dates[0]?.column, `${columns} in ${room}`).toBe(0);
    }
  }
});
