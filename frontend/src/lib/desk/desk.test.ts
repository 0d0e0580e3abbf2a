// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { later } from '../../test/fakes';
import { Desk } from './desk';

/** A program with two windows: pieces, and news of them to both. */
function program() {
  const pieces = new Map<string, unknown>();
  const desks: Desk[] = [];
  let fails = false;
  let away = false;
  const written: unknown[] = [];
  const backend = {
    deskPiece: (key: string) =>
      away ? Promise.reject(new Error('nobody answers')) : Promise.resolve(pieces.get(key) ?? null),
    layOnDesk: (key: string, value: unknown, by: string) => {
      if (fails || away) return Promise.reject(new Error('the disk is full'));
      pieces.set(key, value);
      written.push(value);
      for (const desk of desks) desk.onNews({ key, by });
      return Promise.resolve();
    },
  };
  const failed = vi.fn();
  desks.push(new Desk(backend, failed), new Desk(backend, failed));
  const [one, other] = desks as [Desk, Desk];
  return {
    pieces,
    one,
    other,
    written,
    failed,
    fail: (now: boolean) => (fails = now),
    leave: (now: boolean) => (away = now),
  };
}

describe('the desk', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('lays down the last of what is written, once in a while', async () => {
    const { one, written } = program();
    for (const text of ['h', 'ha', 'har']) one.lay('unsent', text);
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(400);
    expect(written).toEqual(['har']);
    one.lay('unsent', 'harb');
    await vi.advanceTimersByTimeAsync(400);
    expect(written).toEqual(['har', 'harb']);
  });

  it('keeps what is written without a pause', async () => {
    const { one, pieces } = program();
    for (let n = 0; n < 30; n++) {
      one.lay('unsent', n);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(pieces.get('unsent')).toBeGreaterThan(24);
  });

  it('tells the other window, and not the one that wrote', async () => {
    const { one, other } = program();
    const here = vi.fn();
    const there = vi.fn();
    one.follow('unsent', here);
    const stop = other.follow('unsent', there);
    await vi.advanceTimersByTimeAsync(0);
    expect([here.mock.calls, there.mock.calls]).toEqual([[[null]], [[null]]]);
    one.lay('unsent', 'hm');
    await vi.advanceTimersByTimeAsync(500);
    expect(here).toHaveBeenCalledTimes(1);
    expect(there).toHaveBeenLastCalledWith('hm');
    stop();
    one.lay('unsent', 'hm!');
    await vi.advanceTimersByTimeAsync(500);
    expect(there).toHaveBeenCalledTimes(2);
  });

  it('does not put what another window wrote over what is being written here', async () => {
    const { one, other } = program();
    const here = vi.fn();
    one.follow('unsent', here);
    await vi.advanceTimersByTimeAsync(0);
    other.lay('unsent', 'theirs');
    await vi.advanceTimersByTimeAsync(149);
    one.lay('unsent', 'mine');
    await vi.advanceTimersByTimeAsync(10);
    expect(here).toHaveBeenCalledTimes(1);
  });

  it.each([
    { first: 'its own', last: 'theirs', told: [null, 'theirs'] },
    { first: 'theirs', last: 'mine', told: [null] },
  ])('asks which came last where another window wrote while its own was on its way: first $first', async (order) => {
    let lies: unknown = null;
    const answer = later<undefined>();
    const desk = new Desk({ deskPiece: () => Promise.resolve(lies), layOnDesk: () => answer.promise });
    const here = vi.fn();
    desk.follow('unsent', here);
    await vi.advanceTimersByTimeAsync(0);
    desk.lay('unsent', 'mine');
    await vi.advanceTimersByTimeAsync(200);
    lies = 'theirs';
    desk.onNews({ key: 'unsent', by: 'another' });
    await vi.advanceTimersByTimeAsync(0);
    expect(here, 'which it is nobody knows yet').toHaveBeenCalledTimes(1);
    lies = order.last;
    answer.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(here.mock.calls.flat()).toEqual(order.told);
  });

  it.each(['the page is hidden', 'the program answers again'])(
    'never has two of a key on their way: %s',
    async (when) => {
      const first = later<undefined>();
      const layOnDesk = vi.fn((_key: string, value: unknown) => (value === 'h' ? first.promise : Promise.resolve()));
      const desk = new Desk({ deskPiece: () => Promise.resolve(null), layOnDesk });
      const stop = desk.start();
      const laid = () => layOnDesk.mock.calls.map(([, value]) => value);
      desk.lay('unsent', 'h');
      await vi.advanceTimersByTimeAsync(200);
      desk.lay('unsent', 'hm');
      if (when === 'the page is hidden') {
        vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
        document.dispatchEvent(new Event('visibilitychange'));
      } else desk.retry();
      await vi.advanceTimersByTimeAsync(500);
      expect(laid(), 'the older one might get there last').toEqual(['h']);
      first.resolve(undefined);
      await vi.advanceTimersByTimeAsync(500);
      expect(laid()).toEqual(['h', 'hm']);
      stop();
      vi.restoreAllMocks();
    },
  );

  it('tells two who wait for the same only once it lies there', async () => {
    const calls: ReturnType<typeof later<undefined>>[] = [];
    const layOnDesk = vi.fn((_key: string, _value: unknown) => {
      const call = later<undefined>();
      calls.push(call);
      return call.promise;
    });
    const desk = new Desk({ deskPiece: () => Promise.resolve(null), layOnDesk });
    desk.lay('unsent', 'h');
    void desk.laid('unsent');
    await vi.advanceTimersByTimeAsync(0);
    desk.lay('unsent', 'hm');
    const told: unknown[] = [];
    const wait = () => void desk.laid('unsent').then((cause) => told.push(cause));
    wait();
    wait();
    calls[0]?.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(layOnDesk.mock.calls.map(([, value]) => value)).toEqual(['h', 'hm']);
    expect(told, 'the newer one is on its way').toEqual([]);
    calls[1]?.resolve(undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toEqual([null, null]);
  });

  it('writes at once when the page goes', async () => {
    const { one, pieces } = program();
    const stop = one.start();
    one.lay('unsent', 'hm');
    window.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(0);
    expect(pieces.get('unsent')).toBe('hm');
    stop();
  });

  it('writes once more what is on its way when the page goes, which is cut off', async () => {
    const layOnDesk = vi.fn((_key: string, _value: unknown, _by: string, last?: boolean) =>
      last ? Promise.resolve() : new Promise<void>(() => undefined),
    );
    const desk = new Desk({ deskPiece: () => Promise.resolve(null), layOnDesk });
    const stop = desk.start();
    desk.lay('unsent', 'hm');
    await vi.advanceTimersByTimeAsync(200);
    window.dispatchEvent(new Event('pagehide'));
    expect(layOnDesk.mock.calls.map(([, value, , last]) => [value, last])).toEqual([
      ['hm', false],
      ['hm', true],
    ]);
    stop();
  });

  it('keeps nothing of what is cut off as the page goes, unless it comes back', async () => {
    const { one, pieces } = program();
    const stop = one.start();
    one.lay('unsent', 'on its way');
    window.dispatchEvent(new Event('pagehide'));
    one.lay('unsent', 'failed');
    await vi.advanceTimersByTimeAsync(500);
    expect(pieces.get('unsent')).toBe('on its way');
    window.dispatchEvent(new Event('pageshow'));
    await vi.advanceTimersByTimeAsync(500);
    expect(pieces.get('unsent')).toBe('failed');
    stop();
  });

  it('says that it could not keep something, and tries again by itself', async () => {
    const { one, pieces, failed, fail } = program();
    fail(true);
    one.lay('unsent', 'hm');
    await vi.advanceTimersByTimeAsync(400);
    expect(failed).toHaveBeenCalledTimes(1);
    fail(false);
    one.lay('view', 'wide');
    await vi.advanceTimersByTimeAsync(400);
    expect(failed.mock.calls.flat(), 'not before all of it lies there').not.toContain(null);
    await vi.advanceTimersByTimeAsync(5000);
    expect(pieces.get('unsent')).toBe('hm');
    expect(failed).toHaveBeenLastCalledWith(null);
    const times = failed.mock.calls.length;
    one.lay('unsent', 'hm!');
    await vi.advanceTimersByTimeAsync(400);
    expect(failed, 'it is said once').toHaveBeenCalledTimes(times);
  });

  it('does not take what lies there for newer than what could not be laid down', async () => {
    const { one, pieces, leave } = program();
    const here = vi.fn();
    one.follow('unsent', here);
    await vi.advanceTimersByTimeAsync(0);
    pieces.set('unsent', 'first half');
    leave(true);
    one.lay('unsent', 'first half, second half');
    await vi.advanceTimersByTimeAsync(1000);
    leave(false);
    one.retry();
    await vi.advanceTimersByTimeAsync(1000);
    expect(pieces.get('unsent')).toBe('first half, second half');
    expect(here).toHaveBeenCalledTimes(1);
    expect(await one.get('unsent')).toBe('first half, second half');
  });

  it('does not take what could not be read for nothing', async () => {
    const { one, pieces, leave } = program();
    const here = vi.fn();
    pieces.set('unsent', 'from before');
    leave(true);
    one.follow('unsent', here);
    await vi.advanceTimersByTimeAsync(100);
    expect(here).not.toHaveBeenCalled();
    await expect(one.get('unsent')).rejects.toThrow();
    leave(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(here.mock.calls).toEqual([['from before']]);
  });

  it('says when a piece lies there, or why it does not', async () => {
    const { one, pieces, fail } = program();
    one.lay('unsent', 'hm');
    expect([await one.laid('unsent'), pieces.get('unsent')]).toEqual([null, 'hm']);
    expect(await one.laid('view'), 'nothing is to be laid there').toBeNull();
    fail(true);
    one.lay('unsent', 'hm!');
    expect(await one.laid('unsent')).toEqual(new Error('the disk is full'));
  });

  it('takes a piece away at once', async () => {
    const { one, pieces } = program();
    pieces.set('unsent', 'sent by now');
    one.lay('unsent', null);
    await vi.advanceTimersByTimeAsync(0);
    expect(pieces.get('unsent')).toBeNull();
  });

  it('asks again for everything when news were missed', async () => {
    const { one, pieces } = program();
    const here = vi.fn();
    one.follow('unsent', here);
    await vi.advanceTimersByTimeAsync(0);
    pieces.set('unsent', 'from elsewhere');
    one.retry();
    await vi.advanceTimersByTimeAsync(0);
    expect(here).toHaveBeenLastCalledWith('from elsewhere');
  });
});
