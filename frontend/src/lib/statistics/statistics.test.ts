import { describe, expect, test, vi } from 'vitest';
import type { Statistics, Total } from '../backend';
import { fakeBackend } from '../../test/fakes';
import { monthsOf, moved, yearOf } from './heat';
import { ceiling, columns, isPartial, rest, spanOf, startOf, sum, tokensOf } from './series';
import { StatisticsPage } from './statistics.svelte';

const total = (more: Partial<Total> = {}): Total => ({
  ...{ sessions: 1, messages: 2, prompts: 1, input: null, output: null, cacheRead: null, cacheWrite: null },
  ...{ cost: null, compactions: 0, lacks: { usage: 0, cost: 0 } },
  ...more,
});
const day = (at: string, more: Partial<Total> = {}) => ({ day: at, ...total(more) });

describe('sums', () => {
  test('what nobody tells is not 0', () => {
    expect(sum([null, null])).toBeNull();
    expect(sum([null, 0])).toBe(0);
    expect(sum([])).toBeNull();
    expect(tokensOf(total())).toBeNull();
    expect(tokensOf(total({ input: 3, cacheRead: 4 }))).toBe(7);
  });

  test('stretches are days, weeks from Monday, or months, without gaps', () => {
    expect([
      spanOf('2026-11-01', '2026-11-30'),
      spanOf('2026-01-01', '2026-11-30'),
      spanOf('2020-01-01', '2026-11-30'),
    ]).toEqual(['day', 'week', 'month']);
    expect([startOf('2026-11-22', 'week'), startOf('2026-11-23', 'week'), startOf('2026-11-23', 'month')]).toEqual([
      '2026-11-16',
      '2026-11-23',
      '2026-11-01',
    ]);
    const series = [
      { agent: 'a', days: [day('2026-02-28', { cost: 1 }), day('2026-03-02')] },
      { agent: 'b', days: [day('2026-03-02', { cost: 2, messages: 5 })] },
    ];
    const costs = columns(series, 'cost', '2026-02-28', '2026-03-03');
    expect(costs.map(({ start }) => start)).toEqual(['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03']);
    expect(costs.map(({ values }) => values)).toEqual([
      [1, null],
      [null, null],
      [null, 2],
      [null, null],
    ]);
    expect(costs.map((one) => one.total)).toEqual([1, null, 2, null]);
    expect(columns(series, 'messages', '2023-11-15', '2026-03-03').at(-1)).toMatchObject({
      start: '2026-03-01',
      total: 7,
    });
  });

  test('a sum that not every session tells of is a part', () => {
    const lacks = { usage: 1, cost: 2 };
    expect(isPartial(total({ input: 1, output: 1, lacks }), 'tokens')).toBe(true);
    expect(isPartial(total({ input: 1, output: 1 }), 'tokens')).toBe(false);
    expect(isPartial(total({ output: 1 }), 'tokens'), 'nothing is known of what went in').toBe(true);
    expect(isPartial(total({ cost: 1, lacks }), 'cost')).toBe(true);
    expect(isPartial(total({ lacks }), 'messages')).toBe(false);
    const series = [
      { agent: 'a', days: [day('2026-11-01', { cost: 1, lacks }), day('2026-11-02', { cost: 1 })] },
      { agent: 'b', days: [day('2026-11-01', { cost: 2 })] },
    ];
    expect(columns(series, 'cost', '2026-11-01', '2026-11-02').map(({ partial }) => partial)).toEqual([
      [true, false],
      [false, false],
    ]);
    const left = rest([day('2026-11-01', { lacks: { usage: 3, cost: 2 } })], series);
    expect(left[0]?.lacks).toEqual({ usage: 2, cost: 0 });
  });

  test('what is left without some of the agents', () => {
    const all = [day('2026-11-01', { messages: 10, cost: 3 }), day('2026-11-02', { messages: 1 })];
    const left = rest(all, [{ agent: 'a', days: [day('2026-11-01', { messages: 4, cost: null })] }]);
    expect(left.map(({ messages, cost }) => [messages, cost])).toEqual([
      [6, 3],
      [1, null],
    ]);
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [21, 25],
    [0.03, 0.05],
    [999, 1000],
  ])('%d fits under %d', (most, above) => {
    expect(ceiling(most)).toBeCloseTo(above);
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

describe('the page', () => {
  const of = (agents: string[], days: Statistics['days'] = []): Statistics => ({
    ...{ from: null, to: null, totals: total(), days, projects: [], models: [], tools: [] },
    agents: agents.map((agent) => ({ agent, ...total(), days: [day('2026-11-01', { messages: agent.length })] })),
    unknown: { usage: 0, cost: 0 },
    coverage: { sessions: 1, indexed: 1 },
  });
  const none = { agent: '', project: '', from: '', to: '' };

  test('one question tells the days of each agent', async () => {
    const statistics = vi.fn(({ agent }: { agent: string }) => Promise.resolve(of(agent ? [agent] : ['a', 'bb'])));
    const page = new StatisticsPage(fakeBackend({ statistics }));
    await page.load(none);
    expect(page.series.map(({ agent, days }) => [agent, days[0]?.messages])).toEqual([
      ['a', 1],
      ['bb', 2],
    ]);
    expect(statistics).toHaveBeenCalledTimes(1);
    expect(page.index).toBeNull();
    await page.load({ ...none, agent: 'a' });
    expect(page.series.map(({ agent }) => agent)).toEqual(['a']);
    expect(page.agents, 'what there is to choose from').toEqual(['a', 'bb']);
  });

  test('many agents: the rest is one series', async () => {
    const agents = [...'abcdefgh'];
    const statistics = ({ agent }: { agent: string }) => Promise.resolve(of(agent ? [agent] : agents));
    const page = new StatisticsPage(fakeBackend({ statistics }));
    await page.load(none);
    expect(page.series).toHaveLength(7);
    expect(page.series.at(-1)?.agent).toBe('');
  });

  test('an error leaves what was there', async () => {
    const statistics = vi.fn(() => Promise.resolve(of(['a'])));
    const page = new StatisticsPage(fakeBackend({ statistics }));
    await page.load(none);
    statistics.mockRejectedValueOnce(new Error('no'));
    await page.load(none);
    expect(page.error?.message).toBe('No.');
    expect(page.data).not.toBeNull();
  });
});
