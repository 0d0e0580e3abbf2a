import { expect, test, vi } from 'vitest';
import { fakeBackend } from '../../test/fakes';
import type { App } from '../app.svelte';
import type { Backend, Going, Kept, RetentionAsked } from '../backend';
import { text } from '../text';
import { Toasts } from '../toasts.svelte';
import { Guard } from './retention.svelte';

const going = (n: number): Going => ({
  ...{ id: `claudecode:${n}`, agent: 'claudecode', title: null, firstMessage: null, cwd: null, lastMessageAt: '' },
  ...{ goesAt: new Date(Date.UTC(2026, 0, 1 + n)).toISOString(), bytes: 1, kept: null, stale: false },
});

/** So many that go, one a day; `keep` tells which can't be kept. */
function guarded(count: number, fails: (id: string) => boolean = () => false, more: Partial<Backend> = {}) {
  let open = Array.from({ length: count }, (_, n) => going(n));
  const keep = vi.fn((ids: readonly string[]): Promise<Kept[]> => {
    open = open.filter(({ id }) => !ids.includes(id) || fails(id));
    const problem = { message: 'gone', hint: 'make room' };
    return Promise.resolve(ids.map((id) => ({ id, keptAt: null, bytes: 1, problem: fails(id) ? problem : null })));
  });
  const retention = vi.fn(({ limit }: RetentionAsked) =>
    Promise.resolve({ agents: [], sessions: open.slice(0, limit), total: count, open: open.length }),
  );
  const toasts = new Toasts();
  const said = () => toasts.list.map(({ message }) => message);
  const backend = fakeBackend({ retention, keep, ...more });
  const hinted = () => toasts.list.map(({ hint }) => hint);
  const app = { backend, toasts, dialog: null } as unknown as App;
  return {
    guard: new Guard(app),
    app,
    keep,
    retention,
    said,
    hinted,
    left: () => open.length,
  };
}

test('however many go, all are kept, a part of them asked for at a time', async () => {
  const { guard, retention, said, left } = guarded(1234);
  await guard.keepOpen(1234);
  expect(left()).toBe(0);
  expect(said()).toEqual([text.retention.kept(1234)]);
  expect(Math.max(...retention.mock.calls.map(([{ limit }]) => limit))).toBeLessThanOrEqual(200);
  expect(guard.keeping).toBeNull();
});

test('what was kept is told where it was asked for', async () => {
  const { guard, app, said } = guarded(3);
  app.dialog = 'retention';
  await guard.keep(['claudecode:0']);
  expect([guard.said, said()]).toEqual([text.retention.kept(1), []]);
  guard.left();
  app.dialog = null;
  await guard.keep(['claudecode:1']);
  expect([guard.said, said()]).toEqual(['', [text.retention.kept(1)]]);
});

test('what can’t be kept is tried once, and said', async () => {
  const { guard, keep, said, hinted, left } = guarded(500, (id) => Number(id.slice(11)) < 300);
  await guard.keepOpen(500);
  expect(left()).toBe(300);
  const tried = keep.mock.calls.flatMap(([ids]) => ids);
  expect([tried.length, new Set(tried).size]).toEqual([500, 500]);
  expect(said(), 'both are to be seen').toEqual([text.retention.kept(200), `${text.retention.notKept(300, 'gone')}.`]);
  expect(hinted(), 'and what to do').toEqual(['', 'Make room.']);
});

test('only those are kept that go before a moment', async () => {
  const { guard, left } = guarded(30);
  await guard.keepOpen(7, Date.UTC(2026, 0, 8));
  expect(left()).toBe(23);
});

test('it says how far it is, and can be stopped', async () => {
  const { guard, keep, left, said } = guarded(100);
  const seen: unknown[] = [];
  const whole = keep.getMockImplementation();
  keep.mockImplementation((ids) => {
    seen.push({ ...guard.keeping });
    if (seen.length === 2) guard.stop();
    return whole?.(ids) ?? Promise.resolve([]);
  });
  await guard.keepOpen(100);
  expect(seen).toEqual([
    { done: 0, of: 100 },
    { done: 20, of: 100 },
  ]);
  expect(left()).toBe(60);
  expect(said()).toEqual([text.retention.kept(40)]);
  expect(guard.keeping).toBeNull();
});

test('copies that are marked are removed all at once', async () => {
  const dropCopies = vi.fn(() => Promise.resolve());
  const { guard, said } = guarded(0, undefined, { dropCopies });
  for (const id of ['pi:a', 'pi:b', 'pi:c']) guard.mark(id);
  guard.mark('pi:b');
  await guard.dropMarked();
  await guard.dropMarked();
  expect(dropCopies.mock.calls).toEqual([[['pi:a', 'pi:c']]]);
  expect(said()).toEqual([text.retention.dropped(2)]);
});
