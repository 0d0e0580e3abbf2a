import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionOfRow } from '../backend/brief';
import { BackendError, type Backend, type Session } from '../backend';
import { Clock } from '../clock.svelte';
import { Toasts } from '../toasts.svelte';
import { fakeBackend, later, session, settled, listLater, listOf } from '../../test/fakes';
import { Library } from './library.svelte';

let toasts: Toasts;

beforeEach(() => {
  vi.useFakeTimers();
  toasts = new Toasts();
  return () => vi.useRealTimers();
});

function libraryWith(sessions: Session[], parts: Partial<Backend> = {}) {
  const backend = fakeBackend({ sessions: vi.fn(listOf(sessions)), ...parts });
  return { backend, library: new Library(backend, new Clock(), toasts) };
}
/** A backend that has one list at once, and another when it has counted. */
const quickly =
  (quick: Session[], counted: Promise<Session[]>): Backend['sessions'] =>
  (options) =>
    (options.quick ? listOf(quick) : listLater(counted))(options);
const shown = (library: Library) => library.shown.map((entry) => entry.session.id);

test('what is known at once comes first, then what had to be counted', async () => {
  const quick = session('A', { messageCount: null });
  const counted = later<Session[]>();
  const { library, backend } = libraryWith([]);
  vi.mocked(backend.sessions).mockImplementation(quickly([quick], counted.promise));
  const done = library.load();
  await settled();
  expect(shown(library)).toEqual(['A']);
  counted.resolve([session('A'), session('B')]);
  await done;
  expect(shown(library)).toEqual(['B', 'A']);
});

test('a list that is read anew has its titles from the start', async () => {
  const { library, backend } = libraryWith([session('A', { name: null, firstMessage: 'why?' })]);
  await library.load();
  const counted = later<Session[]>();
  const quick = session('A', { name: null, firstMessage: null, messageCount: null });
  vi.mocked(backend.sessions).mockImplementation(quickly([quick], counted.promise));
  const done = library.load();
  await settled();
  expect(library.shown.map(({ title }) => title)).toEqual(['why?']);
  counted.resolve([session('A', { name: null, firstMessage: 'why?' })]);
  await done;
});

test('what comes while a long list is made ready is newer than the list', async () => {
  const { library, backend } = libraryWith([session('A'), session('B')]);
  await library.load();
  // Each look at the clock finds that it has worked for long enough.
  let at = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (at += 100));
  vi.mocked(backend.sessions).mockImplementation(listOf(['A', 'B', 'C'].map((id) => session(id, { name: 'old' }))));
  const done = library.load();
  await settled();
  library.put(session('A', { name: 'new' }));
  library.put(session('D'));
  library.dropAll(['B']);
  expect(shown(library), 'the list stays until the other one is ready').toEqual(['D', 'A']);
  await vi.advanceTimersByTimeAsync(100);
  await done;
  clock.mockRestore();
  expect(shown(library)).toEqual(['D', 'C', 'A']);
  expect(library.find('A')?.name).toBe('new');
});

test('an error is told, with what is known left standing', async () => {
  const { library, backend } = libraryWith([session('A')]);
  await library.load();
  vi.mocked(backend.sessions).mockImplementationOnce(() => {
    throw new BackendError('failed', 'no');
  });
  await library.load();
  expect(library.error?.message).toBe('No.');
  expect(shown(library)).toEqual(['A']);
});

test('where the list shows none, how many archived ones it would show is known', async () => {
  const archivedAt = '2026-11-21T10:00:00Z';
  const { library } = libraryWith([session('A', { archivedAt }), session('B', { archivedAt, name: 'mole' })]);
  await library.load();
  expect(library.putAway).toBe(2);
  library.query = 'mole';
  expect(library.putAway).toBe(1);
  library.shelf = 'trash';
  expect(library.putAway).toBe(0);
  library.shelf = 'sessions';
  library.archivedToo = true;
  expect(library.putAway).toBe(0);
});

test('archived sessions show where asked for', async () => {
  const { library } = libraryWith([session('A'), session('B', { archivedAt: '2026-11-21T10:00:00Z' })]);
  await library.load();
  expect(shown(library)).toEqual(['A']);
  library.archivedToo = true;
  expect(shown(library)).toEqual(['B', 'A']);
});

describe('news', () => {
  test('a session that changed is asked for, once however often it changes meanwhile', async () => {
    const answer = later<Session>();
    const ask = vi.fn(() => answer.promise);
    const { library } = libraryWith([session('A')], { session: ask });
    await library.load();
    for (let n = 1; n <= 5; n++) void library.onNews({ sessionId: 'A', n, kind: 'changed' });
    answer.resolve(session('A', { name: 'new' }));
    await settled();
    expect(ask).toHaveBeenCalledTimes(2);
    expect(library.find('A')?.name).toBe('new');
  });

  test('of one that nobody counts when it is asked for, how often it was compacted stays as it was told', async () => {
    const uncounted = session('A', { messageCount: null, compactions: null, keptAt: '2026-11-21' });
    const { library } = libraryWith([session('A', { messageCount: 9, compactions: 2 })], {
      session: () => Promise.resolve(uncounted),
    });
    await library.load();
    await library.onNews({ sessionId: 'A', n: 1, kind: 'changed' });
    expect(library.find('A')).toMatchObject({ messageCount: 9, compactions: 2, keptAt: '2026-11-21' });
  });

  test('where many are news at once, the list is read anew in the place of asking for each', async () => {
    const many = Array.from({ length: 500 }, (_, n) => session(`A${n}`));
    const answer = later<undefined>();
    const ask = vi.fn((id: string) => answer.promise.then(() => session(id)));
    const { library, backend } = libraryWith([], { session: ask });
    await library.load();
    vi.mocked(backend.sessions).mockClear().mockImplementation(listOf(many));
    const told = many.map(({ id }, n) => library.onNews({ sessionId: id, n, kind: 'created' }));
    answer.resolve(undefined);
    await vi.runAllTimersAsync();
    await Promise.all(told);
    expect(ask.mock.calls.length).toBeLessThan(50);
    expect(vi.mocked(backend.sessions).mock.calls.length).toBeLessThan(3);
    expect(shown(library)).toHaveLength(500);
  });

  test('one whose files went stays in its row for as long as the program still knows it', async () => {
    const id = 'claudecode:a';
    const asked = later<Session>();
    const { library, backend } = libraryWith([session(id, { foreign: true })], { session: vi.fn(() => asked.promise) });
    await library.load();
    const told = library.onNews({ sessionId: id, n: 1, kind: 'removed' });
    expect(library.find(id)?.gone).toBeUndefined();
    expect(shown(library)).toEqual([id]);
    asked.resolve(session(id, { foreign: true, gone: true }));
    await told;
    expect(library.find(id)?.gone).toBe(true);
    vi.mocked(backend.session).mockRejectedValue(new BackendError('not_found', 'no'));
    await library.onNews({ sessionId: id, n: 2, kind: 'removed' });
    expect(shown(library)).toEqual([]);
  });

  test('one that was created appears, one that was removed goes', async () => {
    const { library } = libraryWith([session('A')], { session: (id) => Promise.resolve(session(id)) });
    await library.load();
    await library.onNews({ sessionId: 'B', n: 1, kind: 'created' });
    await library.onNews({ sessionId: 'A', n: 2, kind: 'removed' });
    expect(shown(library)).toEqual(['B']);
  });

  test('one that another window restored leaves the trash', async () => {
    const { library } = libraryWith([], {
      trash: () => Promise.resolve([session('T')]),
      session: (id) => Promise.resolve(session(id)),
    });
    await library.load();
    await library.openShelf('trash');
    library.selection.all(library.items);
    expect(library.selection.has('T')).toBe(true);
    await library.onNews({ sessionId: 'T', n: 1, kind: 'created' });
    expect(shown(library)).toEqual([]);
    expect(library.selection.size, 'what is not there is not chosen').toBe(0);
    await library.openShelf('sessions');
    expect(shown(library)).toEqual(['T']);
  });

  test('one that changed and is gone, goes', async () => {
    const { library } = libraryWith([session('A')]);
    await library.load();
    await library.onNews({ sessionId: 'A', n: 1, kind: 'changed' });
    expect(shown(library)).toEqual([]);
  });
});

test('the trash has a shelf of its own', async () => {
  const { library } = libraryWith([session('A')], { trash: () => Promise.resolve([session('T')]) });
  await library.load();
  library.query = 'x';
  await library.openShelf('trash');
  expect(library.query).toBe('');
  expect(shown(library)).toEqual(['T']);
});

test('a sub-agent that stands folded below others is stood for by the uppermost of them', async () => {
  const below = (id: string, parent: string) => session(id, { relation: 'subagent', parent, children: 1 });
  const { library } = libraryWith([session('A', { children: 1 }), session('B')], {
    children: (id) => Promise.resolve([{ ...below(id === 'A' ? 'A1' : 'A2', id), call: null }]),
    session: (id) => Promise.resolve(below(id, 'A1')),
  });
  await library.load();
  await library.meet('A2');
  expect(library.standsFor('A2'), 'nobody knows of the one between').toBe('A2');
  await library.toggleFamily('A1');
  await library.toggleFamily('A');
  expect(['A2', 'A1', 'A', 'B', 'X'].map((id) => library.standsFor(id))).toEqual(['A2', 'A1', 'A', 'B', 'X']);
  await library.toggleFamily('A1');
  expect(library.standsFor('A2')).toBe('A1');
  await library.toggleFamily('A');
  expect(['A2', 'A1', 'A'].map((id) => library.standsFor(id))).toEqual(['A', 'A', 'A']);
});

test('what rows leave out is asked for of the session that is open, once, and stays when the list is read anew', async () => {
  const row = (name: string) =>
    sessionOfRow({ id: 'A', lastMessageAt: '2026-11-21T10:00:00Z', messageCount: 7, children: 2, name });
  const asked = vi.fn((id: string) => Promise.resolve(session(id, { path: '/where/it/is', activeSeconds: 5 })));
  const { library, backend } = libraryWith([row('first')], { session: asked });
  await library.load();
  expect(library.find('A')?.path).toBeUndefined();
  await library.meet('A');
  await library.meet('A');
  expect(asked).toHaveBeenCalledOnce();
  expect(library.find('A')).toMatchObject({ path: '/where/it/is', activeSeconds: 5, messageCount: 7, children: 2 });
  vi.mocked(backend.sessions).mockImplementation(listOf([row('renamed')]));
  await library.load();
  expect(library.find('A')).toMatchObject({ name: 'renamed', path: '/where/it/is', activeSeconds: 5 });
});
