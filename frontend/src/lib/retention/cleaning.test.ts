import { expect, test, vi } from 'vitest';
import { fakeBackend } from '../../test/fakes';
import type { App } from '../app.svelte';
import type { Cleaned, CleanupRule } from '../backend';
import { text } from '../text';
import { Cleaning } from './cleaning.svelte';

const RULE: CleanupRule = { olderThanDays: 90, keepNamed: false, maxMessages: null, dryRun: true };
const PART = 700;

/** So many that are old, told in parts; `stuck` are those that can't be moved. */
function cleaned(count: number, stuck = new Set<string>()) {
  let old = Array.from({ length: count }, (_, n) => `01JD${n}`);
  const cleanUp = vi.fn((rule: CleanupRule): Promise<Cleaned> => {
    const going = rule.only ? old.filter((id) => rule.only?.includes(id)) : old;
    const moved = rule.dryRun ? going : going.filter((id) => !stuck.has(id));
    if (!rule.dryRun) old = old.filter((id) => !moved.includes(id));
    const from = rule.from ?? 0;
    const ids = moved.slice(from, rule.dryRun ? from + PART : undefined);
    const next = from + ids.length < moved.length ? from + ids.length : null;
    const failed = rule.dryRun ? [] : going.filter((id) => stuck.has(id));
    return Promise.resolve({
      ...{ sessions: [], ids, next, count: moved.length, bytes: moved.length, failedCount: failed.length },
      failed: failed.slice(0, 1).map((id) => ({ id, problem: { message: 'no room', hint: 'make room' } })),
    });
  });
  const toasts = { show: vi.fn(), error: vi.fn() };
  const library = { load: vi.fn(() => Promise.resolve()) };
  const bulk = { running: null as unknown, bringBack: vi.fn(() => Promise.resolve()) };
  const app = { backend: fakeBackend({ cleanUp }), toasts, library, bulk } as unknown as App;
  const cleaning = new Cleaning(app, (action) => action());
  return { cleaning, cleanUp, bulk, toasts, library, left: () => old };
}

test('all that would go is known, in as many parts as it is told in', async () => {
  const { cleaning, cleanUp, left } = cleaned(2500);
  const seen = await cleaning.preview(RULE);
  expect(seen?.ids).toEqual(left());
  expect(seen?.bytes).toBe(2500);
  expect(cleanUp.mock.calls.map(([rule]) => [rule.dryRun, rule.from ?? 0])).toEqual(
    [0, 700, 1400, 2100].map((from) => [true, from]),
  );
});

test('what was shown goes some at a time, says how far it is, and can be brought back', async () => {
  const { cleaning, cleanUp, bulk, toasts, library, left } = cleaned(2500);
  const seen = await cleaning.preview(RULE);
  cleanUp.mockClear();
  const far: unknown[] = [];
  const whole = cleanUp.getMockImplementation();
  cleanUp.mockImplementation((rule) => {
    far.push({ ...cleaning.moving });
    return whole?.(rule) ?? Promise.reject(new Error());
  });
  if (seen) await cleaning.clean(seen);
  expect(far).toEqual([0, 1000, 2000].map((done) => ({ done, of: 2500 })));
  expect(left()).toEqual([]);
  expect(cleaning.moving).toBeNull();
  expect(library.load).toHaveBeenCalledOnce();
  const [said, { undo }] = toasts.show.mock.calls[0] as [string, { undo: () => Promise<void> }];
  expect(said).toBe(text.retention.cleaned(2500));
  // While something else is done with many, the way back is offered again.
  bulk.running = {};
  await undo();
  expect(bulk.bringBack).not.toHaveBeenCalled();
  expect(toasts.show.mock.calls[1]).toEqual([said, { undo: expect.any(Function) as unknown }]);
  bulk.running = null;
  await undo();
  expect(bulk.bringBack).toHaveBeenCalledWith(seen?.ids);
});

test('none goes that was not shown, and what stays is said', async () => {
  const { cleaning, toasts, left } = cleaned(5, new Set(['01JD1', '01JD3']));
  const seen = await cleaning.preview(RULE);
  if (seen) await cleaning.clean({ ...seen, ids: seen.ids.slice(0, 4) });
  expect(left()).toEqual(['01JD1', '01JD3', '01JD4']);
  expect(toasts.show.mock.calls.map(([said]: unknown[]) => said)).toEqual([text.retention.cleaned(2)]);
  expect(toasts.error.mock.calls).toMatchObject([
    [{ message: `${text.retention.notCleaned(2, 'no room')}.`, hint: 'Make room.' }],
  ]);
});

test('what went before a request failed can be brought back all the same', async () => {
  const { cleaning, cleanUp, toasts } = cleaned(1500);
  const seen = await cleaning.preview(RULE);
  const whole = cleanUp.getMockImplementation();
  let asked = 0;
  cleanUp.mockImplementation((rule) =>
    ++asked > 1 ? Promise.reject(new Error('gone')) : (whole as typeof cleanUp)(rule),
  );
  await expect(seen && cleaning.clean(seen)).rejects.toThrow('gone');
  expect(toasts.show.mock.calls.map(([said]: unknown[]) => said)).toEqual([text.retention.cleaned(1000)]);
  expect(cleaning.moving).toBeNull();
});
