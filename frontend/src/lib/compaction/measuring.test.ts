import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ID, later, settled } from '../../test/fakes';
import { BackendError, type Fidelity, type MeasureRequest } from '../backend';
import { Fidelities } from './fidelities.svelte';
import { fidelity } from './fakes';
import { lostOf, percentOf } from './facts';
import { Measuring } from './measuring.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const of = (summary: string, cut = 5): MeasureRequest => ({ cut, summary, previousSeq: null });

function measuring() {
  const measure = vi.fn((_: string, { summary }: MeasureRequest) => Promise.resolve(fidelity(`lost by ${summary}`)));
  return { measure, it: new Measuring({ measure }, ID) };
}

async function held() {
  await vi.advanceTimersByTimeAsync(400);
  await settled();
}

describe('a text that is being edited', () => {
  test('is measured once typing holds still, and what is shown until then stays', async () => {
    const { it, measure } = measuring();
    const drafted = fidelity('a');
    it.want(of('draft'), drafted);
    expect([it.fidelity, it.busy]).toEqual([drafted, false]);
    for (const text of ['m', 'mi', 'mine']) {
      it.want(of(text), null);
      await vi.advanceTimersByTimeAsync(399);
    }
    expect(measure).not.toHaveBeenCalled();
    expect([it.fidelity, it.busy]).toEqual([drafted, true]);
    await held();
    expect(measure).toHaveBeenCalledExactlyOnceWith(ID, of('mine'));
    expect([it.fidelity, it.busy]).toEqual([fidelity('lost by mine'), false]);
  });

  test('is measured anew for another cut, and not for the same again', async () => {
    const { it, measure } = measuring();
    it.want(of('mine'), null);
    await held();
    it.want(of('mine'), null);
    await held();
    expect(measure).toHaveBeenCalledTimes(1);
    it.want(of('mine', 7), null);
    await held();
    expect(measure).toHaveBeenLastCalledWith(ID, of('mine', 7));
  });

  test('asks one question at a time, and the last one counts', async () => {
    const { it, measure } = measuring();
    const slow = later<Fidelity>();
    measure.mockReturnValueOnce(slow.promise);
    for (const text of ['one', 'two', 'three']) {
      it.want(of(text), null);
      await held();
    }
    expect(measure).toHaveBeenCalledTimes(1);
    slow.resolve(fidelity('of one'));
    await settled();
    expect(measure.mock.calls.map(([, { summary }]) => summary)).toEqual(['one', 'three']);
    expect(it.fidelity).toEqual(fidelity('lost by three'));
  });

  test('an answer that comes while it is typed on is not of this text', async () => {
    const { it, measure } = measuring();
    const slow = later<Fidelity>();
    measure.mockReturnValueOnce(slow.promise);
    it.want(of('one'), null);
    await held();
    it.want(of('two'), null);
    slow.resolve(fidelity('of one'));
    await settled();
    expect([it.fidelity, measure.mock.calls.length]).toEqual([null, 1]);
    await held();
    expect(it.fidelity).toEqual(fidelity('lost by two'));
  });

  test('that can not be measured says so until it is tried again, or is another text', async () => {
    const { it, measure } = measuring();
    measure.mockRejectedValue(new BackendError('offline', 'no answer'));
    it.want(of('one'), fidelity());
    it.want(of('two'), null);
    await held();
    expect([it.failed, it.busy, it.fidelity]).toEqual([true, false, fidelity()]);
    it.want(of('three'), null);
    expect(it.failed).toBe(false);
    await held();
    expect(it.failed).toBe(true);
    measure.mockResolvedValue(fidelity('a'));
    it.retry();
    await settled();
    expect([it.failed, it.fidelity]).toEqual([false, fidelity('a')]);
  });

  test('is not asked about when nobody looks any more, and again by who comes back', async () => {
    const { it, measure } = measuring();
    it.want(of('one'), null);
    it.leave();
    await held();
    expect(measure).not.toHaveBeenCalled();
    it.want(of('one'), null);
    await held();
    expect(it.fidelity).toEqual(fidelity('lost by one'));
    it.leave();
    it.want(of('one'), null);
    await held();
    expect(measure).toHaveBeenCalledTimes(1);
  });

  test('what is kept counts at once', () => {
    const { it } = measuring();
    const before = fidelity('a', 'b');
    it.want(of('one'), before);
    const [fact] = before.lost;
    if (!fact) throw new Error('nothing lost');
    it.kept(fact);
    it.kept(fact);
    expect(it.fidelity).toMatchObject({ kept: 2, total: 3, kinds: [{ kept: 2, total: 3 }], lost: [{ text: 'b' }] });
    expect(before.lost).toHaveLength(2);
  });

  test('without a text nothing is known', async () => {
    const { it, measure } = measuring();
    it.want(of('one'), fidelity());
    it.want(null, null);
    await held();
    expect([it.fidelity, it.busy, measure.mock.calls.length]).toEqual([null, false, 0]);
  });
});

describe('compactions that were made', () => {
  test('are asked about once each, and no known summary is an answer', async () => {
    const ask = vi.fn((_: string, seq: number) => Promise.resolve(seq === 3 ? null : fidelity('a')));
    const it = new Fidelities({ fidelity: ask }, ID);
    expect(it.of(3)).toBeUndefined();
    await Promise.all([it.want(3), it.want(3), it.want(9)]);
    await it.want(9);
    expect([it.of(3), it.of(9)]).toEqual([null, fidelity('a')]);
    expect(ask.mock.calls).toEqual([
      [ID, 3],
      [ID, 9],
    ]);
  });

  test('a question that failed is asked again by hand alone', async () => {
    const ask = vi.fn(() => Promise.resolve(fidelity()));
    ask.mockRejectedValueOnce(new BackendError('offline', 'no answer'));
    const it = new Fidelities({ fidelity: ask }, ID);
    await it.want(3);
    await it.want(3);
    expect([it.failed(3), it.of(3), ask.mock.calls.length]).toEqual([true, undefined, 1]);
    await it.retry(3);
    expect([it.failed(3), it.of(3)]).toEqual([false, fidelity()]);
  });
});

test('all and nothing are said of nothing less', () => {
  expect(lostOf({ ...fidelity(), kept: 31, total: 235 })).toBe(204);
  const percent = (kept: number, total: number) => percentOf({ kept, total });
  expect([percent(31, 35), percent(999, 1000), percent(1, 1000), percent(0, 9), percent(9, 9)]).toEqual([
    89, 99, 1, 0, 100,
  ]);
});
