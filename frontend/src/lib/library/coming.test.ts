import { expect, test, vi } from 'vitest';
import type { Backend, ListPart, Session } from '../backend';
import { BackendError } from '../backend';
import { Clock } from '../clock.svelte';
import { Toasts } from '../toasts.svelte';
import { fakeBackend, later, listOf, session, settled } from '../../test/fakes';
import { Library } from './library.svelte';

const shown = (library: Library) => library.shown.map((entry) => entry.session.id);
const at = (id: string, minute: number, more: Partial<Session> = {}) =>
  session(id, { lastMessageAt: new Date(Date.UTC(2026, 10, 21) + minute * 60_000).toISOString(), ...more });

/** A list whose parts a test hands out one after the other. */
function handed() {
  const parts: ReturnType<typeof later<ListPart<Session> | null>>[] = [later()];
  const sessions: Backend['sessions'] = async function* () {
    for (let part = await parts.at(-1)?.promise; part; part = await parts.at(-1)?.promise) {
      parts.push(later());
      yield part;
    }
  };
  return {
    sessions: vi.fn(sessions),
    async hand(part: ListPart<Session> | null) {
      parts.at(-1)?.resolve(part);
      await settled();
      // A page that is slow takes a breath.
      await new Promise((resolve) => setTimeout(resolve));
      await settled();
    },
    fail: (cause: unknown) => parts.at(-1)?.reject(cause),
  };
}

test('each part of the first list is shown as it comes, with how far it is', async () => {
  const { sessions, hand } = handed();
  const library = new Library(fakeBackend({ sessions }), new Clock(), new Toasts());
  const done = library.load();
  await settled();
  expect(library.loaded).toBe(false);
  await hand({ rows: [at('C', 3), at('B', 2, { name: 'mole' })], from: 0, total: 3 });
  expect([library.loaded, library.complete, library.isEmpty]).toEqual([true, false, false]);
  expect(library.progress).toEqual({ there: 2, of: 3 });
  expect(shown(library)).toEqual(['C', 'B']);
  library.query = 'mole';
  expect(shown(library)).toEqual(['B']);
  library.selection.toggle(library.items[1]);
  await hand({ rows: [at('A', 1, { name: 'mole' })], from: 2, total: 3 });
  await hand(null);
  await done;
  expect(shown(library)).toEqual(['B', 'A']);
  expect([library.complete, library.progress]).toEqual([true, null]);
  expect(library.selection.has('B')).toBe(true);
});

test('a list that is read anew neither empties what is shown nor changes it before all of it is there', async () => {
  const { sessions, hand } = handed();
  const backend = fakeBackend({ sessions: vi.fn(listOf([at('B', 2), at('A', 1)])) });
  const library = new Library(backend, new Clock(), new Toasts());
  await library.load();
  vi.mocked(backend.sessions).mockImplementation(sessions);
  const done = library.load();
  await hand({ rows: [at('C', 3)], from: 0, total: 2 });
  expect(shown(library)).toEqual(['B', 'A']);
  await hand({ rows: [at('A', 1)], from: 1, total: 2 });
  expect(shown(library)).toEqual(['B', 'A']);
  await hand(null);
  await done;
  expect(shown(library)).toEqual(['C', 'A']);
});

test('a list that breaks off leaves what has come, and asked for again becomes whole', async () => {
  const { sessions, hand, fail } = handed();
  const backend = fakeBackend({ sessions });
  const library = new Library(backend, new Clock(), new Toasts());
  const done = library.load();
  await hand({ rows: [at('B', 2)], from: 0, total: 2 });
  fail(new BackendError('unreachable', 'away'));
  await done;
  expect(shown(library)).toEqual(['B']);
  expect([library.error?.code, library.complete]).toEqual(['unreachable', false]);
  sessions.mockImplementation(listOf([at('B', 2), at('A', 1)], 1));
  await library.load();
  expect(shown(library)).toEqual(['B', 'A']);
  expect([library.error, library.complete]).toEqual([null, true]);
});

test('a sub-agent that is news while the list comes stands below its parent, which may be in a later part', async () => {
  const { sessions, hand } = handed();
  const library = new Library(fakeBackend({ sessions }), new Clock(), new Toasts());
  const done = library.load();
  await hand({ rows: [at('B', 2)], from: 0, total: 2 });
  library.put(at('S', 3, { relation: 'subagent', parent: 'A' }));
  await hand({ rows: [at('A', 1, { children: 1 })], from: 1, total: 2 });
  await hand(null);
  await done;
  expect(shown(library)).toEqual(['B', 'A']);
});

/** Numbers that are the same in every run of a seed. */
function* dice(seed: number): Generator<number, never> {
  for (let x = seed; ;) yield (x = (Math.imul(x, 1_103_515_245) + 12_345) >>> 1) / 2 ** 31;
}

test.each(Array.from({ length: 150 }, (_, seed) => seed + 1))(
  'whatever comes, changes or goes while a list comes in parts, in the end the list is what there is (%d)',
  async (seed) => {
    const random = dice(seed);
    const below = (n: number) => Math.floor(random.next().value * n);
    const there = new Map<string, Session>();
    const write = (id: string) => there.set(id, at(id, below(50), { name: `name ${below(1000)}` }));
    const newest = () =>
      [...there.values()].sort(
        (a, b) => Date.parse(b.lastMessageAt) - Date.parse(a.lastMessageAt) || (a.id < b.id ? 1 : -1),
      );
    for (let n = 0; n < 5 + below(30); n++) write(`S${n}`);
    const told: Promise<void>[] = [];
    const backend = fakeBackend({
      session: (id) => {
        const one = there.get(id);
        return one ? Promise.resolve(one) : Promise.reject(new BackendError('not_found', 'gone'));
      },
    });
    const library = new Library(backend, new Clock(), new Toasts());
    const happen = () => {
      const id = `S${below(40)}`;
      if (below(3) > 0) write(id);
      else if (!there.delete(id)) return;
      const kind = there.has(id) ? 'changed' : 'removed';
      told.push(library.onNews({ sessionId: id, n: 0, kind }));
    };
    backend.sessions = async function* (options) {
      // As it is when the first part is asked for; sometimes the program holds it no longer, and it is told from its beginning again.
      for (let again = below(3) === 0; ; again = false) {
        const rows = newest();
        for await (const part of listOf(rows, 1 + below(9))(options)) {
          while (below(2) === 0) happen();
          yield part;
          if (again && below(2) === 0) break;
          if (part.from + part.rows.length >= rows.length) return;
        }
      }
    };
    for (let loads = 0; loads < 3; loads++) {
      if (below(4) === 0) void library.load();
      await library.load();
      while (below(3) > 0) happen();
    }
    await Promise.all(told);
    await settled();
    expect(library.everything.map((entry) => [entry.session.id, entry.session.name])).toEqual(
      newest().map(({ id, name }) => [id, name]),
    );
  },
);
