// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ID, later, settled } from '../../test/fakes';
import { BackendError, type DraftState } from '../backend';
import { TurnEvents } from '../turn-events';
import { draftState, event, ready, said } from './fakes';
import { DraftRun } from './run.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function started(backend: Partial<Record<'startDraft' | 'draft' | 'cancelDraft', unknown>> = {}) {
  const events = new TurnEvents();
  const fakes = {
    startDraft: vi.fn(() => Promise.resolve(draftState())),
    draft: vi.fn((): Promise<DraftState> => Promise.resolve(draftState())),
    cancelDraft: vi.fn(() => Promise.resolve()),
    ...(backend as object),
  };
  const onReady = vi.fn();
  const run = new DraftRun(fakes, ID, { cut: 5 }, onReady);
  return { run, events, onReady, ...fakes, going: run.start(events) };
}

function shown(run: DraftRun): string {
  // What came in is shown no later than this.
  vi.advanceTimersByTime(250);
  return run.text.blocks.join('') + run.text.rest;
}

describe('a draft', () => {
  test('streams, and is asked for once it has ended', async () => {
    const { run, events, draft, onReady, going } = started();
    await going;
    events.emit(said(1, 'One '));
    events.emit(said(2, 'two'));
    expect(shown(run)).toBe('One two');
    const state = ready('One two three');
    draft.mockResolvedValueOnce(state);
    events.emit(event(3, { state: 'ready' }));
    await settled();
    expect(run.status).toBe('ready');
    expect(onReady).toHaveBeenCalledExactlyOnceWith(state);
    events.emit(said(4, 'late'));
    expect(shown(run)).toBe('One two');
  });

  test('that came back finished needs no events', async () => {
    const { run, onReady, going } = started({ startDraft: () => Promise.resolve(ready('done', {}, null)) });
    await going;
    expect(run.running).toBe(false);
    expect(onReady).toHaveBeenCalledOnce();
  });

  test('hears what was said before its own id was known', async () => {
    const answer = later<DraftState>();
    const { run, events, going } = started({ startDraft: () => answer.promise });
    events.emit(said(1, 'early'));
    events.emit(event(1, { state: 'text', text: 'another draft' }, 'd2'));
    answer.resolve(draftState());
    await going;
    expect(shown(run)).toBe('early');
  });

  test('with a gap asks how it stands, and goes on from there', async () => {
    const { run, events, draft, going } = started();
    await going;
    const answer = later<DraftState>();
    draft.mockReturnValueOnce(answer.promise);
    events.emit(said(1, 'a'));
    events.emit(said(3, 'c'));
    events.emit(said(4, 'd'));
    await vi.advanceTimersByTimeAsync(400);
    expect(draft).toHaveBeenCalledTimes(1);
    expect(shown(run)).toBe('a');
    answer.resolve(draftState({ n: 3, text: 'abc' }));
    await settled();
    expect(shown(run)).toBe('abcd');
  });

  test('puts right what came in another order, and drops what came twice', async () => {
    const { run, events, draft, going } = started();
    await going;
    const answer = later<DraftState>();
    draft.mockReturnValueOnce(answer.promise);
    events.gap();
    for (const n of [2, 1, 1, 3]) events.emit(said(n, String(n)));
    expect(shown(run)).toBe('123');
    // The answer knows less than was heard meanwhile.
    answer.resolve(draftState({ n: 1, text: '1' }));
    await settled();
    expect(shown(run)).toBe('123');
  });

  test('begins anew, part by part, and says when it tries again', async () => {
    const { run, events, going } = started();
    await going;
    events.emit(said(1, 'void'));
    events.emit(event(2, { state: 'restart', part: 2, parts: 3 }));
    events.emit(event(3, { state: 'retry', attempt: 2, inMs: 4000, reason: 'busy' }));
    expect(shown(run)).toBe('');
    expect([run.part, run.parts, run.retry?.attempt, run.retry?.reason]).toEqual([2, 3, 2, 'busy']);
    events.emit(said(4, 'again'));
    expect(shown(run)).toBe('again');
    expect(run.retry).toBeNull();
  });

  test('asks by itself when nothing is heard any more, and after missed news', async () => {
    const { run, events, draft, onReady, going } = started();
    await going;
    draft.mockRejectedValueOnce(new BackendError('offline', 'no'));
    events.gap();
    await settled();
    expect(run.running).toBe(true);
    draft.mockResolvedValueOnce(ready('x'));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(onReady).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(draft).toHaveBeenCalledTimes(2);
  });

  test('that the program has forgotten has failed', async () => {
    const { run, events, draft, going } = started();
    await going;
    draft.mockRejectedValueOnce(new BackendError('not_found', 'no such draft'));
    events.gap();
    await settled();
    expect([run.status, run.error?.message]).toEqual(['failed', 'No such draft.']);
  });

  test('that the program has forgotten is what there was of it', async () => {
    const { run, events, draft, onReady, going } = started();
    await going;
    events.emit(said(1, '## Goal'));
    expect(shown(run)).toBe('## Goal');
    draft.mockRejectedValueOnce(new BackendError('not_found', 'no such draft'));
    events.gap();
    await settled();
    expect(run.status).toBe('ready');
    expect(onReady.mock.calls[0]?.[0]).toMatchObject({ draft: { summary: '## Goal', offline: false, usage: null } });
  });

  test.each([
    ['whole', draftState(), 'ready'],
    ['without a plan', draftState({ plan: {} as never }), 'failed'],
    ['without what it began as', null, 'failed'],
  ])('that was left in a page that is gone, %s', async (_, state, status) => {
    const { draft, onReady, run } = started();
    draft.mockRejectedValueOnce(new BackendError('not_found', 'no such draft'));
    const again = new DraftRun({ startDraft: vi.fn(), draft, cancelDraft: vi.fn() }, ID, { cut: 5 }, onReady);
    run.leave();
    await again.resume(new TurnEvents(), { draftId: 'd0', request: { cut: 5 }, state, text: 'So far' });
    expect(again.status).toBe(status);
    expect(onReady).toHaveBeenCalledTimes(status === 'ready' ? 1 : 0);
  });

  test('that fails says why', async () => {
    const { run, events, draft, going } = started();
    await going;
    const error = { code: 'failed', message: 'overloaded', hint: 'later' };
    draft.mockResolvedValueOnce(draftState({ state: 'failed', error }));
    events.emit(event(1, { state: 'failed' }));
    await settled();
    expect(run.status).toBe('failed');
    expect(run.error).toMatchObject({ code: 'failed', message: 'Overloaded.', hint: 'Later.' });
  });

  test('is cancelled at any time, also before it has begun', async () => {
    const answer = later<DraftState>();
    const one = started({ startDraft: () => answer.promise });
    await one.run.cancel();
    expect(one.cancelDraft).not.toHaveBeenCalled();
    answer.resolve(draftState());
    await one.going;
    expect(one.cancelDraft).toHaveBeenCalledExactlyOnceWith(ID, 'd1');
    expect(one.run.status).toBe('cancelled');

    const two = started();
    await two.going;
    await two.run.cancel();
    await two.run.cancel();
    expect(two.cancelDraft).toHaveBeenCalledOnce();
  });

  test('of 60 KB is drawn whole, and what is complete is not drawn again', async () => {
    const { run, events, going } = started();
    await going;
    const line = `${'word '.repeat(12)}\n`;
    for (let n = 1; n <= 1000; n++) {
      events.emit(said(n, line));
      if (n % 20 === 0) vi.advanceTimersToNextFrame();
    }
    // What comes so swiftly goes past in leaps.
    vi.advanceTimersByTime(1600);
    const first = run.text.blocks[0];
    expect(shown(run)).toBe(line.repeat(1000));
    expect(run.text.blocks[0]).toBe(first);
    expect(run.text.blocks.length).toBeGreaterThan(10);
    expect(run.text.rest.length).toBeLessThanOrEqual(8000);
  });
});
