import { beforeEach, expect, test, vi } from 'vitest';
import { BackendError, type Backend, type Session } from '../backend';
import { Clock } from '../clock.svelte';
import { Toasts } from '../toasts.svelte';
import { fakeBackend, later, session, settled, listOf } from '../../test/fakes';
import { Deeds } from './deeds.svelte';
import { Library } from './library.svelte';

const onMade = vi.fn();
let toasts: Toasts;

beforeEach(() => {
  vi.useFakeTimers();
  onMade.mockClear();
  toasts = new Toasts();
  return () => vi.useRealTimers();
});

function deedsWith(sessions: Session[], parts: Partial<Backend>) {
  const backend = fakeBackend({ sessions: listOf(sessions), ...parts });
  const library = new Library(backend, new Clock(), toasts);
  return { library, deeds: new Deeds(backend, library, toasts, onMade) };
}
const shown = (library: Library) => library.shown.map((entry) => entry.session.id);

test('to the trash and back', async () => {
  const restore = vi.fn((id: string) => Promise.resolve(session(id)));
  const { library, deeds } = deedsWith([session('A'), session('B')], { moveToTrash: () => Promise.resolve(), restore });
  await library.load();
  const [entry] = library.shown;
  if (entry) await deeds.moveToTrash(entry);
  expect(shown(library)).toEqual(['A']);
  toasts.list[0]?.action?.run();
  await settled();
  expect(restore).toHaveBeenCalledWith('B');
  expect(shown(library)).toEqual(['B', 'A']);
});

test('to the trash twice at once, and back twice, is once', async () => {
  const gone = later<undefined>();
  const moveToTrash = vi
    .fn(() => gone.promise)
    .mockRejectedValue(new Error('Not found'))
    .mockReturnValueOnce(gone.promise);
  const restore = vi.fn((id: string) => Promise.resolve(session(id)));
  const { library, deeds } = deedsWith([session('A')], { moveToTrash, restore });
  await library.load();
  const entry = library.shown[0];
  if (!entry) throw new Error('no row');
  const both = [deeds.moveToTrash(entry), deeds.moveToTrash(entry)];
  gone.resolve(undefined);
  await Promise.all(both);
  expect(toasts.list.map(({ message }) => message)).toEqual([expect.stringContaining('trash')]);
  await Promise.all([deeds.restore(entry), deeds.restore(entry)]);
  expect(restore).toHaveBeenCalledTimes(1);
  await Promise.all([deeds.moveToTrash(entry)]);
  expect(moveToTrash, 'and once more, later').toHaveBeenCalledTimes(2);
});

test('archive, and undo', async () => {
  const archive = vi.fn((id: string) => Promise.resolve(session(id, { archivedAt: '2026-11-21T10:00:00Z' })));
  const { library, deeds } = deedsWith([session('A')], { archive, unarchive: (id) => Promise.resolve(session(id)) });
  await library.load();
  const [entry] = library.shown;
  if (entry) await deeds.archive(entry);
  expect(shown(library)).toEqual([]);
  toasts.list[0]?.action?.run();
  await settled();
  expect(shown(library)).toEqual(['A']);
});

test('a fork is put in its place and opened', async () => {
  const { library, deeds } = deedsWith([session('A')], {
    fork: (_, at) => Promise.resolve(session('F', { forkedAtSeq: at })),
  });
  await library.load();
  await deeds.fork(session('A'), 7);
  expect(onMade).toHaveBeenCalledWith(expect.objectContaining({ id: 'F', forkedAtSeq: 7 }));
  expect(shown(library)).toContain('F');
});

test('what fails is said, and changes nothing', async () => {
  const { library, deeds } = deedsWith([session('A')], {
    rename: () => Promise.reject(new BackendError('busy', 'held by another', 'wait')),
  });
  await library.load();
  await deeds.rename('A', 'x');
  expect(toasts.list[0]).toMatchObject({ kind: 'error', message: 'Held by another.', hint: 'Wait.' });
  expect(library.find('A')?.name).toBe('session A');
});

test('a name that could not be given is tried again, or found in the field', async () => {
  const rename = vi.fn(() => Promise.reject<Session>(new BackendError('offline', 'nobody answers')));
  const { library, deeds } = deedsWith([session('A')], { rename });
  await library.load();
  await deeds.rename('A', 'lighthouse');
  expect(deeds.typed.get('A')).toBe('lighthouse');
  expect(toasts.list[0]?.action?.label).toBe('Try again');
  expect(toasts.undoable, 'it takes nothing back').toBeNull();
  rename.mockResolvedValue({ ...session('A'), name: 'lighthouse' });
  toasts.list[0]?.action?.run();
  await settled();
  expect(rename).toHaveBeenLastCalledWith('A', 'lighthouse');
  expect([library.find('A')?.name, deeds.typed.get('A')]).toEqual(['lighthouse', undefined]);
});
