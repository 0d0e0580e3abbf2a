import { beforeEach, describe, expect, test, vi } from 'vitest';
import { BackendError, type Backend } from '../backend';
import { Clock } from '../clock.svelte';
import { Toasts } from '../toasts.svelte';
import { fakeBackend, later, session, settled, listLater, listOf } from '../../test/fakes';
import { Bulk } from './bulk.svelte';
import { Families } from './families.svelte';
import { Kin } from './kin.svelte';
import { Library } from './library.svelte';

let toasts: Toasts;
beforeEach(() => {
  vi.useFakeTimers();
  toasts = new Toasts();
  return () => vi.useRealTimers();
});

async function made(parts: Partial<Backend> = {}) {
  const all = ['D', 'C', 'B', 'A'].map((id) => session(id, id === 'A' ? { agent: 'codex', foreign: true } : {}));
  const backend = fakeBackend({ sessions: listOf(all), ...parts });
  const library = new Library(backend, new Clock(), toasts);
  await library.load();
  return { library, bulk: new Bulk(backend, library, toasts), backend };
}
const shown = (library: Library) => library.shown.map((entry) => entry.session.id).join('');
const message = () => toasts.list.at(-1)?.message;

describe('many sessions at once', () => {
  test('what applies is done, what does not is said, what fails is listed and stays chosen', async () => {
    const moveToTrash = vi.fn((id: string) =>
      id === 'C' ? Promise.reject(new BackendError('busy', 'held')) : Promise.resolve(),
    );
    const { library, bulk } = await made({ moveToTrash });
    library.selection.all(library.items);
    await bulk.trash(library.selection.of(library.items));
    expect(shown(library)).toBe('CA');
    expect(message()).toBe(
      '2 sessions are in the trash. One belongs to another agent, and stays as it is. 1 session could not be moved to the trash: see why.',
    );
    expect(bulk.outcome?.failed).toEqual([{ id: 'C', title: 'session C', message: 'Held.', hint: '' }]);
    expect(library.selection.of(library.items).map((entry) => entry.session.id)).toEqual(['C']);
    expect(moveToTrash).not.toHaveBeenCalledWith('A');
  });

  test('where nothing was done, only that is said', async () => {
    const held = () => Promise.reject(new BackendError('busy', 'held'));
    const { library, bulk } = await made({ archive: held, moveToTrash: held });
    const own = library.shown.filter((entry) => !entry.session.foreign);
    await bulk.archive(own, true);
    expect(message()).toBe('3 sessions could not be archived: see why.');
    await bulk.trash(own.slice(0, 1));
    expect(message()).toBe('1 session could not be moved to the trash: see why.');
    library.selection.all(library.items);
    library.selection.drop(own.map((entry) => entry.session.id));
    const chosen = library.selection.of(library.items);
    expect(chosen).toHaveLength(1);
    await bulk.trash(chosen);
    expect(message()).toBe('One belongs to another agent, and stays as it is.');
    expect(library.selection.of(library.items), 'something else can be done with them').toEqual(chosen);
  });

  test('it can be stopped between two of them, and taken back', async () => {
    const first = later<undefined>();
    const moveToTrash = vi.fn(() => first.promise);
    const restore = vi.fn((id: string) => Promise.resolve(session(id)));
    const { library, bulk } = await made({
      moveToTrash,
      restore,
      sessions: listOf([...'FEDCB'].map((id) => session(id))),
    });
    const done = bulk.trash(library.shown);
    await settled();
    expect(bulk.running).toEqual({ deed: 'trash', done: 0, total: 5 });
    bulk.stop();
    first.resolve(undefined);
    await done;
    expect(moveToTrash).toHaveBeenCalledTimes(3);
    expect(bulk.running).toBeNull();
    expect(message()).toContain('Then it was stopped.');
    toasts.undo();
    await settled();
    expect(restore).toHaveBeenCalledTimes(3);
    expect(shown(library)).toBe('FEDCB');
  });

  test('what is known by its ids comes back in parts, says how far it is, and what stays is said', async () => {
    const ids = Array.from({ length: 2500 }, (_, n) => `01JD${n}`);
    const far: unknown[] = [];
    const restoreMany = vi.fn((part: readonly string[]) => {
      far.push({ ...bulk.running });
      const failed = part.slice(0, 1).map((id) => ({ id, problem: { message: 'no room', hint: '' } }));
      return Promise.resolve({ ids: part.slice(1), failed, failedCount: 1 });
    });
    const { bulk, backend } = await made({ restoreMany });
    const list = later<ReturnType<typeof session>[]>();
    const asked = vi.spyOn(backend, 'sessions').mockImplementation(listLater(list.promise));
    const done = bulk.bringBack(ids);
    await settled();
    expect(message(), 'before the list is read').toContain('2,497 sessions are restored.');
    list.resolve([]);
    await done;
    expect(restoreMany.mock.calls.flat(2)).toEqual(ids);
    expect(far).toEqual([0, 1000, 2000].map((done) => ({ deed: 'restore', done, total: 2500 })));
    expect(bulk.running).toBeNull();
    expect(asked).toHaveBeenCalledOnce();
    expect(message()).toBe('2,497 sessions are restored. 3 sessions could not be restored: no room');
  });

  test('what comes back in parts can be stopped, and goes on where a request failed', async () => {
    const ids = Array.from({ length: 2500 }, (_, n) => `01JD${n}`);
    const restoreMany = vi.fn<Backend['restoreMany']>();
    const { bulk } = await made({ restoreMany });
    restoreMany.mockRejectedValueOnce(new BackendError('offline', 'gone'));
    await bulk.bringBack(ids);
    expect(bulk.running).toBeNull();
    restoreMany.mockImplementation((part) => {
      bulk.stop();
      return Promise.resolve({ ids: [...part], failed: [], failedCount: 0 });
    });
    toasts.list.at(-1)?.action?.run();
    await settled();
    expect(restoreMany.mock.calls.map(([part]) => part[0])).toEqual(['01JD0', '01JD0']);
    expect(message()).toBe('1,000 sessions are restored. Then it was stopped.');
  });

  test('archiving leaves those alone that are archived, and is undone', async () => {
    const at = '2026-11-21T10:00:00Z';
    const { library, bulk } = await made({
      archive: (id) => Promise.resolve(session(id, { archivedAt: at })),
      unarchive: (id) => Promise.resolve(session(id)),
    });
    await bulk.archive(library.shown, true);
    expect(shown(library)).toBe('A');
    toasts.undo();
    await settled();
    expect(shown(library)).toBe('DCBA');
  });

  test('exporting goes on where one fails, and says where they are', async () => {
    const add = vi.fn(({ id }: { id: string }) => (id === 'B' ? Promise.reject(new Error('no')) : Promise.resolve(0)));
    const exportPlace = () => Promise.resolve({ add, finish: () => Promise.resolve('/tmp/x') });
    const { library, bulk } = await made({ exportPlace });
    library.selection.all(library.items);
    await bulk.export(library.shown, 'jsonl');
    expect(message()).toBe('3 sessions are in /tmp/x. 1 session could not be exported: see why.');
    expect(library.selection.size, 'exporting leaves the choice').toBe(4);
  });

  test('of what is not there any more it says that it was left out', async () => {
    const exportPlace = () =>
      Promise.resolve({ add: () => Promise.resolve(0), finish: () => Promise.resolve('/tmp/x') });
    const all = [...'DCBA'].map((id) => session(id, { gone: id < 'C', foreign: true }));
    const { library, bulk } = await made({ exportPlace, sessions: listOf(all) });
    await bulk.export(library.shown, 'markdown');
    expect(message()).toBe('2 sessions are in /tmp/x. 2 were left out: they are not there any more.');
    await bulk.export(library.shown.slice(0, 3), 'markdown');
    expect(message()).toBe('2 sessions are in /tmp/x. One was left out: it is not there any more.');
  });

  test('it says how many secrets were left out', async () => {
    const add = ({ id }: { id: string }) => Promise.resolve(id === 'A' ? 2 : 0);
    const exportPlace = () => Promise.resolve({ add, finish: () => Promise.resolve('/tmp/x') });
    const { library, bulk } = await made({ exportPlace });
    await bulk.export(library.shown, 'markdown');
    expect(message()).toBe('4 sessions are in /tmp/x. 2 secrets were left out.');
    await bulk.export(library.shown.slice(0, 1), 'markdown');
    expect(message()).toBe('1 session is in /tmp/x.');
  });

  test('nothing is exported where no place was chosen', async () => {
    const { library, bulk } = await made({ exportPlace: () => Promise.resolve(null) });
    await bulk.export(library.shown, 'pi');
    expect(toasts.list).toEqual([]);
  });
});

describe('the choice', () => {
  test('ranges go out from the last one chosen, and come back', async () => {
    const { library } = await made();
    const { selection, items } = library;
    const ids = () =>
      selection
        .of(items)
        .map((entry) => entry.session.id)
        .join('');
    selection.toggle(items[2]);
    selection.range(items, 2, 4);
    expect(ids()).toBe('CBA');
    selection.range(items, 4, 3);
    expect(ids()).toBe('CB');
    selection.range(items, 3, 1);
    expect(ids()).toBe('DC');
    selection.toggle(items[0]);
    expect(ids(), 'a heading is nothing to choose').toBe('DC');
    selection.clear();
    selection.range(items, 3, 4);
    expect(ids()).toBe('BA');
    selection.toggle(items[1]);
    selection.range(items, 1, 2, true);
    expect(ids(), 'a range that is added').toBe('DCBA');
  });

  test('what the filter hides is not acted on', async () => {
    const { library } = await made();
    library.selection.all(library.items);
    library.query = 'agent:codex';
    expect(library.selection.of(library.items)).toHaveLength(1);
  });

  test('and is still chosen after that, while what was done needs not be', async () => {
    const { library, bulk } = await made({ importSession: () => Promise.resolve(session('Z')) });
    library.selection.all(library.items);
    library.query = 'agent:codex';
    await bulk.import(library.selection.of(library.items));
    library.query = '';
    expect(library.selection.of(library.items).map((entry) => entry.session.id)).toEqual(['D', 'C', 'B']);
  });
});

describe('sub-agents', () => {
  const child = { ...session('K', { relation: 'subagent', parent: 'P' }), call: { seq: 3, id: 'c1' } };

  test('those of an open session are known by their calls, and asked for once', async () => {
    const children = vi.fn(() => Promise.resolve([child]));
    const kin = new Kin(new Families({ children }), 'P');
    await kin.meet(session('P', { children: 1 }));
    await kin.meet(session('P', { children: 1 }));
    expect(children).toHaveBeenCalledTimes(1);
    expect(kin.of('c1').map(({ id }) => id)).toEqual(['K']);
    expect(kin.of('c2')).toEqual([]);
    expect(kin.origin).toBeNull();
  });

  test('one knows the call it was started by, or at least by whom', async () => {
    const kin = new Kin(new Families({ children: () => Promise.resolve([child]) }), 'K');
    await kin.meet(child);
    expect(kin.origin).toEqual({ parent: 'P', seq: 3 });
    const other = new Kin(new Families({ children: () => Promise.reject(new Error('no')) }), 'K');
    await other.meet(child);
    expect(other.origin).toEqual({ parent: 'P', seq: null });
  });

  test('what changes of one is not put into the list beside its parent', async () => {
    const { library } = await made({
      sessions: listOf([session('P', { children: 1 })]),
      children: () => Promise.resolve([child]),
      session: () => Promise.resolve({ ...child, name: 'renamed' }),
    });
    await library.toggleFamily('P');
    expect(library.items.filter(({ kind }) => kind === 'session')).toHaveLength(2);
    await library.onNews({ sessionId: 'K', n: 1, kind: 'changed' });
    expect(shown(library)).toBe('P');
    expect(library.find('K')?.name).toBe('renamed');
    await library.toggleFamily('P');
    expect(library.items.filter(({ kind }) => kind === 'session')).toHaveLength(1);
  });
});
