import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ID, later, settled } from '../../test/fakes';
import { BackendError, type CompactionReview } from '../backend';
import { TurnEvents } from '../turn-events';
import { draftState, fidelity, plan, ready, review } from './fakes';
import { Review } from './review.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function opened(now: Partial<CompactionReview> = {}) {
  const backend = {
    plan: vi.fn((_: string, { cut }: { cut?: number }) =>
      Promise.resolve(review({ ...now, ...(cut ? { plan: plan({ ...now.plan, cutSeq: cut }) } : {}) })),
    ),
    startDraft: vi.fn((_: string, { offline, cut = 0 }: { offline?: boolean; cut?: number }) =>
      Promise.resolve(ready(`Draft for ${cut}.`, {}, offline ? null : 'gpt-5')),
    ),
    draft: vi.fn(() => Promise.resolve(draftState())),
    cancelDraft: vi.fn(() => Promise.resolve()),
    measure: vi.fn(() => Promise.resolve(fidelity())),
    compact: vi.fn(() => Promise.resolve({ plan: null, draft: null, committedSeq: 10 })),
  };
  return { backend, it: new Review(backend, new TurnEvents(), ID) };
}

async function atRest() {
  await vi.advanceTimersByTimeAsync(1000);
  await settled();
}

test('without a model the draft is there at once: it costs nothing', async () => {
  const { it, backend } = opened();
  await it.load();
  await settled();
  expect(backend.startDraft).toHaveBeenCalledExactlyOnceWith(ID, { cut: 5, previousSeq: null, offline: true });
  expect(it.version?.text).toBe('Draft for 5.');
  expect(it.kept).toBe(false);
});

test('with a model nothing is asked of it before it is pressed', async () => {
  const { it, backend } = opened({ model: 'gpt-5' });
  await it.load();
  await atRest();
  expect(backend.startDraft).not.toHaveBeenCalled();
  it.instructions = ' keep codes ';
  await it.write(false);
  expect(backend.startDraft).toHaveBeenCalledWith(ID, { cut: 5, previousSeq: null, instructions: 'keep codes' });
  expect(it.version?.instructions).toBe('keep codes');
  expect(it.kept).toBe(true);
});

test('nothing to compact is no error, and starts nothing', async () => {
  const { it, backend } = opened({ plan: null, reason: 'too short' });
  await it.load();
  expect([it.error, it.plan, it.current?.reason]).toEqual([null, null, 'too short']);
  expect(backend.startDraft).not.toHaveBeenCalled();
});

describe('the cut', () => {
  test('asks for a plan once it rests, and the last one counts', async () => {
    const { it, backend } = opened({ model: 'gpt-5' });
    await it.load();
    backend.plan.mockClear();
    for (const cut of [3, 7, 3, 7]) it.move(cut);
    expect([it.cut, it.planning, it.acceptable]).toEqual([7, true, false]);
    await atRest();
    expect(backend.plan).toHaveBeenCalledExactlyOnceWith(ID, { cut: 7, propose: true });
    expect([it.cut, it.plan?.cutSeq, it.planning]).toEqual([null, 7, false]);

    const slow = later<CompactionReview>();
    backend.plan.mockReturnValueOnce(slow.promise);
    it.move(3);
    await atRest();
    it.move(1);
    await atRest();
    slow.resolve(review({ plan: plan({ cutSeq: 3 }) }));
    await settled();
    expect(it.plan?.cutSeq).toBe(1);
  });

  test('moved under a draft that costs nothing, draws it anew; an edited one stays and says so', async () => {
    const { it, backend } = opened();
    await it.load();
    await settled();
    it.move(7);
    await atRest();
    expect(it.version?.text).toBe('Draft for 7.');
    expect(it.versions.all).toHaveLength(1);
    if (it.version) it.version.text = 'Mine.';
    it.move(3);
    await atRest();
    expect(backend.startDraft).toHaveBeenCalledTimes(2);
    expect([it.version?.text, it.misplaced]).toEqual(['Mine.', true]);
    it.move(7);
    await atRest();
    expect(it.misplaced).toBe(false);
  });

  test('that is no boundary any more means that the conversation changed', async () => {
    const { it, backend } = opened({ model: 'gpt-5' });
    await it.load();
    backend.plan.mockRejectedValueOnce(new BackendError('bad_input', 'no boundary'));
    it.move(7);
    await atRest();
    expect([it.stale, it.plan?.cutSeq, it.cut]).toEqual([true, 5, null]);
    await it.replan();
    expect(it.stale).toBe(false);
  });
});

test('what was written stays: another draft is another text', async () => {
  const { it } = opened({ model: 'gpt-5' });
  await it.load();
  await it.write(false);
  if (it.version) it.version.text = 'Edited by hand.';
  await it.write(false);
  expect([it.versions.at, it.version?.text]).toEqual([1, 'Draft for 5.']);
  it.versions.show(0);
  expect(it.version?.text).toBe('Edited by hand.');
  it.versions.show(-1);
  it.versions.show(2);
  expect(it.versions.at).toBe(0);
});

test('tokens follow the text: what the program counted, and what was typed since', async () => {
  const { it } = opened({ model: 'gpt-5', previous: { seq: 0, timestamp: '', summary: 'Before.', tokens: 20 } });
  await it.load();
  expect(it.sizes).toEqual({ before: 100, summary: null, kept: 40, after: null });
  await it.write(false);
  expect(it.sizes).toEqual({ before: 100, summary: 20, kept: 40, after: 60 });
  if (it.version) it.version.text += '12345678';
  expect(it.sizes?.summary).toBe(22);
  if (it.version) it.version.text += '木木';
  expect(it.sizes?.summary).toBe(24);
});

describe('accepting', () => {
  test('commits the text as it stands, for this plan', async () => {
    const { it, backend } = opened({ model: 'gpt-5', plan: plan({ previousSeq: 2 }) });
    await it.load();
    await it.write(false);
    if (it.version) it.version.text = 'Mine.';
    expect(await it.accept()).toBe(10);
    expect(backend.compact).toHaveBeenCalledWith(ID, { summary: 'Mine.', cut: 5, previousSeq: 2, draftId: 'd1' });
  });

  test('is not to be had without a text', async () => {
    const { it, backend } = opened();
    await it.load();
    await settled();
    if (it.version) it.version.text = ' \n';
    expect(it.acceptable).toBe(false);
    expect(await it.accept()).toBeNull();
    expect(backend.compact).not.toHaveBeenCalled();
  });

  test('refused as stale keeps the text, and goes on with a new plan', async () => {
    const { it, backend } = opened();
    await it.load();
    await settled();
    if (it.version) it.version.text = 'Mine.';
    backend.compact.mockRejectedValueOnce(new BackendError('stale', 'changed'));
    expect(await it.accept()).toBeNull();
    expect([it.stale, it.acceptable, it.version?.text]).toEqual([true, false, 'Mine.']);
    await it.replan();
    expect([it.stale, it.acceptable, it.version?.text]).toEqual([false, true, 'Mine.']);
    expect(await it.accept()).toBe(10);
  });

  test('refused for another reason says which', async () => {
    const { it, backend } = opened();
    await it.load();
    await settled();
    backend.compact.mockRejectedValueOnce(new BackendError('busy', 'held'));
    expect(await it.accept()).toBeNull();
    expect([it.refused?.code, it.stale, it.acceptable]).toEqual(['busy', false, true]);
  });
});

test('a draft that is refused as stale asks for a new plan, not for another try', async () => {
  const { it, backend } = opened({ model: 'gpt-5' });
  await it.load();
  backend.startDraft.mockRejectedValueOnce(new BackendError('stale', 'changed'));
  await it.write(false);
  expect([it.stale, it.run?.status]).toEqual([true, 'failed']);
});

test('a cancelled draft leaves what was there', async () => {
  const { it, backend } = opened({ model: 'gpt-5' });
  await it.load();
  await it.write(false);
  backend.startDraft.mockResolvedValueOnce(draftState({ draftId: 'd2' }));
  await it.write(false);
  expect([it.drafting, it.acceptable]).toEqual([true, false]);
  await it.cancel();
  expect(backend.cancelDraft).toHaveBeenCalledWith(ID, 'd2');
  expect([it.drafting, it.version?.text]).toEqual([false, 'Draft for 5.']);
});

test('a change of the log keeps the cut; another compaction makes the plan stale', async () => {
  const { it, backend } = opened({ model: 'gpt-5' });
  await it.load();
  it.move(7);
  await atRest();
  backend.plan.mockClear();
  it.changed();
  await settled();
  expect(backend.plan).toHaveBeenCalledExactlyOnceWith(ID, { cut: 7, propose: true });
  expect(it.stale).toBe(false);
  backend.plan.mockResolvedValueOnce(review({ plan: plan({ previousSeq: 12 }) }));
  it.changed();
  await settled();
  expect([it.stale, it.plan?.cutSeq]).toEqual([true, 7]);
});

test('a look at what changed holds nobody up: what is accepted meanwhile is refused where it no longer fits', async () => {
  const { it, backend } = opened();
  await it.load();
  await settled();
  backend.plan.mockReturnValueOnce(later<CompactionReview>().promise);
  it.changed();
  await settled();
  expect(it.acceptable).toBe(true);
  backend.compact.mockRejectedValueOnce(new BackendError('stale', 'another compaction'));
  expect(await it.accept()).toBe(null);
  expect(it.stale).toBe(true);
});

test('a plan that could not be made can be asked for again', async () => {
  const { it, backend } = opened({ model: 'gpt-5' });
  backend.plan.mockRejectedValueOnce(new BackendError('offline', 'no answer'));
  await it.load();
  expect([it.error?.code, it.current]).toEqual(['offline', null]);
  await it.load();
  expect([it.error, it.plan?.cutSeq]).toEqual([null, 5]);
});

describe('what the text keeps', () => {
  test('is told with the draft; edited, it is measured as it would be accepted', async () => {
    const { it, backend } = opened({ model: 'gpt-5', plan: plan({ previousSeq: 2 }) });
    const state = ready('As drafted.');
    if (state.draft) state.draft.fidelity = fidelity('src/a.go');
    backend.startDraft.mockResolvedValueOnce(state);
    await it.load();
    await it.write(false);
    it.measure();
    expect(it.measuring.fidelity).toEqual(fidelity('src/a.go'));
    if (it.version) it.version.text = 'Mine.';
    it.measure();
    await atRest();
    expect(backend.measure).toHaveBeenCalledExactlyOnceWith(ID, { cut: 5, summary: 'Mine.', previousSeq: 2 });
    it.move(7);
    await atRest();
    it.measure();
    await atRest();
    expect(backend.measure).toHaveBeenLastCalledWith(ID, { cut: 7, summary: 'Mine.', previousSeq: 2 });
    if (it.version) it.version.text = ' ';
    it.measure();
    expect(it.measuring.fidelity).toBeNull();
  });

  test('one press puts what was lost into the text', async () => {
    const { it, backend } = opened({ model: 'gpt-5' });
    const state = ready('As drafted.');
    if (state.draft) state.draft.fidelity = fidelity('src/a.go');
    backend.startDraft.mockResolvedValueOnce(state);
    await it.load();
    await it.write(false);
    it.measure();
    const fact = it.measuring.fidelity?.lost[0];
    if (fact) it.keep(fact);
    expect(it.version?.text).toBe('As drafted.\n\n## Critical Context\n- src/a.go');
    expect(it.measuring.fidelity?.lost).toEqual([]);
    expect(it.acceptable).toBe(true);
  });

  test('what was put into the text is taken out again, the last first, as long as nothing else was changed', async () => {
    const { it, backend } = opened({ model: 'gpt-5' });
    const state = ready('As drafted.');
    if (state.draft) state.draft.fidelity = fidelity('src/a.go', 'src/b.go');
    backend.startDraft.mockResolvedValueOnce(state);
    await it.load();
    await it.write(false);
    it.measure();
    const lost = it.measuring.fidelity?.lost ?? [];
    for (const fact of lost) it.keep(fact);
    expect(it.keptLast?.text).toBe('src/b.go');
    it.takeBack();
    expect(it.version?.text).toBe('As drafted.\n\n## Critical Context\n- src/a.go');
    expect(it.measuring.fidelity?.lost).toEqual([lost[1]]);
    const mine = 'As drafted. By me.';
    if (it.version) it.version.text = mine;
    expect(it.keptLast).toBeNull();
    it.takeBack();
    expect(it.version?.text).toBe(mine);
    if (it.version) it.version.text = 'As drafted.\n\n## Critical Context\n- src/a.go';
    it.takeBack();
    expect([it.version?.text, it.keptLast]).toEqual(['As drafted.', null]);
  });

  test('is measured anew of a draft that lay on the desk', async () => {
    const { it, backend } = opened({ model: 'gpt-5' });
    const state = ready('As drafted.');
    if (state.draft) state.draft.fidelity = fidelity('src/a.go');
    backend.startDraft.mockResolvedValueOnce(state);
    await it.load();
    await it.write(false);
    const piece: unknown = JSON.parse(JSON.stringify(it.piece));
    expect(JSON.stringify(piece)).not.toContain('src/a.go');
    const again = opened({ model: 'gpt-5' });
    again.it.restore(piece);
    await again.it.load();
    again.it.measure();
    expect(again.it.measuring.busy).toBe(true);
    await atRest();
    expect(again.it.measuring.fidelity).toEqual(fidelity());
  });
});
