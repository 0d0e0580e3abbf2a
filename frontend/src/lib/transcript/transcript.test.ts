// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { BackendError, type Backend, type CompactionInfo, type Outline } from '../backend';
import { fakeBackend, ID, later, message, outline, pageOf, settled } from '../../test/fakes';
import { Transcript } from './transcript.svelte';

const compaction = (more: Partial<CompactionInfo> = {}): CompactionInfo => ({
  ...{ seq: 5, index: 4, timestamp: '2026-11-21T10:00:00Z', firstKeptSeq: 3, tokensBefore: 100, tokensAfter: 10 },
  ...{
    model: null,
    trigger: null,
    edited: false,
    messages: 2,
    readFiles: 0,
    modifiedFiles: 0,
    state: 'inForce',
    revertedBy: null,
  },
  ...more,
});

function opened(n: number, parts: Partial<Backend> = {}, more: Partial<Outline> = {}) {
  const records = Array.from({ length: n }, (_, i) => message(i + 1, 'user', `m${i}`));
  const seen = records.slice(2);
  const backend = fakeBackend({
    outline: vi.fn(() => Promise.resolve(outline({ total: records.length, modelTotal: seen.length, ...more }))),
    records: vi.fn((_, { index, limit, view }) => {
      if (view === 'all') return Promise.resolve(pageOf(records, index, limit));
      const page = pageOf(seen, index, limit);
      return Promise.resolve({ ...page, entries: page.entries.map((entry) => ({ ...entry, index: entry.index + 2 })) });
    }),
    recordsFrom: vi.fn((_, seq) =>
      seq <= n ? Promise.resolve(pageOf(records, seq - 1, 1)) : Promise.reject(new BackendError('not_found', 'no')),
    ),
    ...parts,
  });
  return { backend, records, transcript: new Transcript(backend, ID) };
}

describe('opening', () => {
  test('at the end', async () => {
    const { transcript } = opened(100);
    await transcript.open(null);
    expect(transcript.jump).toEqual({ position: 99, align: 'end', flash: false });
  });

  test('at a record', async () => {
    const { transcript } = opened(100);
    await transcript.open(40);
    expect(transcript.jump).toEqual({ position: 39, align: 'center', flash: true });
  });

  test('at a record that is not there: at the end, and says so', async () => {
    const { transcript } = opened(100);
    await transcript.open(400);
    expect(transcript.missing).toBe(400);
    expect(transcript.jump?.position).toBe(99);
  });

  test('a session that is gone, and one that cannot be read', async () => {
    const gone = opened(1, { outline: () => Promise.reject(new BackendError('not_found', 'no')) }).transcript;
    await gone.open(null);
    expect(gone.gone).toBe(true);
    const broken = opened(1, { outline: () => Promise.reject(new BackendError('failed', 'no', 'hint')) }).transcript;
    await broken.open(null);
    expect(broken.gone).toBe(false);
    expect(broken.error?.hint).toBe('Hint.');
  });
});

describe('a moment', () => {
  test('has states as of it asked for, and is gone to', async () => {
    const { transcript, backend } = opened(100);
    await transcript.open(null);
    await transcript.lookAt({ index: 39, seq: 40 });
    expect(backend.outline).toHaveBeenLastCalledWith(ID, 40);
    expect(transcript.jump).toEqual({ position: 39, align: 'center', flash: false });
    transcript.pages?.want(30, 50);
    await settled();
    expect(backend.records).toHaveBeenLastCalledWith(ID, expect.objectContaining({ view: 'all', asOf: 40 }));
    await transcript.lookAt(null);
    expect(backend.outline).toHaveBeenLastCalledWith(ID, 0);
    transcript.pages?.want(30, 50);
    await settled();
    expect(backend.records).toHaveBeenLastCalledWith(ID, expect.objectContaining({ asOf: 0 }));
  });

  test('stays when the log changes, and is now when it is not there any more', async () => {
    let there = true;
    const { transcript, backend } = opened(100, {
      outline: vi.fn((_, asOf) =>
        asOf && !there ? Promise.reject(new BackendError('not_found', 'no')) : Promise.resolve(outline({ total: 100 })),
      ),
    });
    await transcript.open(null);
    await transcript.lookAt({ index: 39, seq: 40 });
    await transcript.changed();
    expect(backend.outline).toHaveBeenLastCalledWith(ID, 40);
    there = false;
    await transcript.changed();
    expect(transcript.moment).toBeNull();
    expect(transcript.gone).toBe(false);
  });

  test('of what the model saw is shown at its end', async () => {
    const { transcript } = opened(100);
    await transcript.open(null);
    await transcript.setView('model', null);
    await transcript.lookAt({ index: 39, seq: 40 });
    expect(transcript.view).toBe('model');
    expect(transcript.jump).toEqual({ position: 97, align: 'end', flash: false });
  });
});

describe('branches', () => {
  // Lines 3 and 4 were left; it goes on from behind line 2 at line 5.
  const branches = [{ index: 5, from: 3, messages: 4, left: 2 }];

  test('what was left is not among the rows, and takes the place of what is there', async () => {
    const { transcript } = opened(10, {}, { branches });
    await transcript.open(null);
    expect(transcript.pages?.total).toBe(8);
    expect(transcript.jump?.position).toBe(7);
    transcript.pages?.want(0, 7);
    await settled();
    const seqs = () =>
      Array.from({ length: transcript.pages?.total ?? 0 }, (_, at) => transcript.pages?.row(at)).map((row) =>
        row?.kind === 'record' ? row.seq : null,
      );
    expect(seqs()).toEqual([1, 2, 3, 6, 7, 8, 9, 10]);
    const found = transcript.forkAt(5);
    expect([found?.way, found?.fork.now, transcript.forkAt(3)?.way]).toEqual([1, 1, 0]);
    if (found) transcript.shown.goWay(found.fork, 0, 3, 17);
    transcript.pages?.want(0, 4);
    await settled();
    expect(seqs()).toEqual([1, 2, 3, 4, 5]);
    expect(transcript.jump).toEqual({ position: 3, align: 'start', flash: false, offset: 17 });
    expect(transcript.forkBefore(4)).toMatchObject({ way: 0, position: 3 });
    expect(transcript.forkBefore(2)).toBeNull();
    transcript.shown.backOnPath();
    transcript.pages?.want(0, 7);
    await settled();
    expect(seqs()).toHaveLength(8);
  });

  test('whoever goes to a line is shown its branch', async () => {
    const { transcript } = opened(10, {}, { branches });
    await transcript.open(null);
    await transcript.goToIndex(4);
    expect(transcript.ways.through).toBe(4);
    expect(transcript.jump?.position).toBe(4);
    await transcript.goToIndex(1);
    expect(transcript.ways.through, 'it is on both').toBe(4);
    await transcript.lookAt({ index: 7, seq: 8 });
    expect([transcript.ways.through, transcript.jump?.position]).toEqual([7, 5]);
    await transcript.lookAt(null);
    expect(transcript.ways.through).toBeNull();
  });
});

describe('the view of the model', () => {
  test('keeps the place, and goes back to it', async () => {
    const { transcript } = opened(100);
    await transcript.open(null);
    transcript.pages?.want(50, 60);
    await settled();
    await transcript.setView('model', 50);
    expect(transcript.pages?.total).toBe(98);
    expect(transcript.jump).toEqual({ position: 48, align: 'start', flash: false });
    transcript.pages?.want(48, 48);
    await settled();
    await transcript.setView('all', 48);
    expect(transcript.jump).toEqual({ position: 50, align: 'start', flash: false });
  });

  test('pressed twice in a hurry is not there', async () => {
    const { transcript } = opened(100);
    await transcript.open(null);
    transcript.pages?.want(50, 60);
    await settled();
    const presses = [
      transcript.setView(transcript.shown.otherView, 50),
      transcript.setView(transcript.shown.otherView, 50),
    ];
    await Promise.all(presses);
    expect(transcript.view).toBe('all');
  });

  test('at the end stays at the end', async () => {
    const { transcript } = opened(100);
    await transcript.open(null);
    await transcript.setView('model', null);
    expect(transcript.jump).toEqual({ position: 97, align: 'end', flash: false });
  });

  test('a line that it leaves out brings the whole log back', async () => {
    const { transcript } = opened(100);
    await transcript.open(null);
    await transcript.setView('model', null);
    await transcript.goToIndex(1);
    expect(transcript.view).toBe('all');
    expect(transcript.jump?.position).toBe(1);
  });
});

describe('changes on disk', () => {
  test('several while one is read are one more', async () => {
    const { transcript, backend } = opened(10);
    await transcript.open(null);
    const slow = later<Outline>();
    vi.mocked(backend.outline).mockImplementationOnce(() => slow.promise);
    const before = vi.mocked(backend.outline).mock.calls.length;
    const done = [transcript.changed(), transcript.changed(), transcript.changed()];
    slow.resolve(outline({ total: 11, modelTotal: 9 }));
    await Promise.all(done);
    expect(vi.mocked(backend.outline).mock.calls.length - before).toBe(2);
    expect(transcript.pages?.total).toBe(10);
  });

  test('what a turn added is read once, what may be another log each time', async () => {
    let bytes = 1000;
    let total = 10;
    const { transcript, backend } = opened(12, {
      outline: vi.fn(() => Promise.resolve(outline({ total, modelTotal: total, bytes }))),
    });
    await transcript.open(null);
    transcript.pages?.want(0, 9);
    await settled();
    const read = async (news: () => Promise<void>) => {
      const before = vi.mocked(backend.records).mock.calls.length;
      await news();
      await settled();
      return vi.mocked(backend.records).mock.calls.length - before;
    };
    [bytes, total] = [1200, 11];
    expect(await read(() => transcript.recorded())).toBe(1);
    expect(transcript.pages?.total).toBe(11);
    expect(await read(() => transcript.recorded()), 'the end of the turn').toBe(0);
    expect(await read(() => transcript.changed()), 'the same number of bytes').toBe(1);
    expect(await read(() => Promise.all([transcript.recorded(), transcript.changed()]).then(() => undefined))).toBe(1);
  });

  test('a record, the end of the turn and the news of the file are one reading', async () => {
    const { transcript, backend } = opened(10);
    await transcript.open(null);
    const before = vi.mocked(backend.outline).mock.calls.length;
    await Promise.all([transcript.recorded(), transcript.recorded(), transcript.changed()]);
    expect(vi.mocked(backend.outline).mock.calls.length - before).toBe(1);
    await transcript.recorded();
    expect(vi.mocked(backend.outline).mock.calls.length - before, 'without news of the file').toBe(2);
  });
});

describe('undo and redo', () => {
  const parts = () => {
    const list = [compaction()];
    return {
      list,
      revert: vi.fn((_: string, seq: number) => {
        list[0] = compaction(seq === 5 ? { state: 'reverted', revertedBy: 77 } : {});
        return Promise.resolve({ committedSeq: 77 });
      }),
    };
  };

  test('undo reverts the compaction in force, redo the revert that did', async () => {
    const { list, revert } = parts();
    const { transcript } = opened(10, {
      revert,
      outline: () => Promise.resolve(outline({ total: 10, compactions: [...list] })),
    });
    await transcript.open(null);
    expect(transcript.inForce?.seq).toBe(5);
    await transcript.undo(compaction());
    expect(transcript.inForce).toBeNull();
    await transcript.redo(4);
    expect(revert.mock.calls.map(([, seq]) => seq)).toEqual([5, 77]);
  });

  test('there is nothing to redo where the program knows of no revert to take back', async () => {
    const { revert } = parts();
    const { transcript } = opened(
      10,
      { revert },
      { compactions: [compaction({ state: 'reverted', revertedBy: null })] },
    );
    await transcript.open(null);
    expect(await transcript.redo(4)).toBe(false);
    expect(revert).not.toHaveBeenCalled();
  });
});

describe('a large session of another agent', () => {
  const FOREIGN = 'pi:large';
  const part = { bytesRead: 1, bytesTotal: 10, problem: null };

  /** One of which the last three messages are told until it is `whole`. */
  function large(parts: Partial<Backend> = {}) {
    const all = Array.from({ length: 50 }, (_, i) => message(i + 1, 'user', `m${i}`));
    const state = { whole: false };
    const backend = fakeBackend({
      opening: vi.fn(() => {
        if (state.whole) return Promise.resolve({ ...pageOf(all, 40, 10), excerpt: null });
        const last = all.slice(-3).map(({ seq: _, ...record }) => record);
        return Promise.resolve({ ...pageOf(last, 0, 3), excerpt: part });
      }),
      outline: vi.fn(() => Promise.resolve(outline({ total: all.length, modelTotal: all.length }))),
      records: vi.fn((_, { index, limit }) => Promise.resolve(pageOf(all, index, limit))),
      recordsFrom: vi.fn((_, seq) => Promise.resolve(pageOf(all, seq - 1, 1))),
      ...parts,
    });
    return { backend, state, transcript: new Transcript(backend, FOREIGN) };
  }

  test('shows its newest part, and asks for nothing else', async () => {
    const { transcript, backend } = large();
    await transcript.open(null);
    expect(transcript.excerpt).toEqual(part);
    expect(transcript.pages?.total).toBe(3);
    expect(transcript.jump).toEqual({ position: 2, align: 'end', flash: false });
    transcript.pages?.want(0, 2);
    await transcript.goToIndex(1);
    await transcript.setView('model', null);
    expect(backend.outline).not.toHaveBeenCalled();
    expect(backend.records).not.toHaveBeenCalled();
    expect(transcript.jump?.position).toBe(2);
    transcript.progress({ bytesRead: 5, bytesTotal: 10 });
    expect(transcript.excerpt?.bytesRead).toBe(5);
  });

  test('is left before all of it was read, and not afterwards', async () => {
    const leave = vi.fn(() => Promise.resolve());
    const { transcript, state } = large({ leave });
    await transcript.open(null);
    transcript.close();
    expect(leave).toHaveBeenCalledExactlyOnceWith(FOREIGN);
    state.whole = true;
    await transcript.changed();
    transcript.close();
    expect(leave).toHaveBeenCalledTimes(1);
  });

  test('then all of it, where one was', async () => {
    const { transcript, state } = large();
    await transcript.open(null);
    transcript.where = () => ({ position: 1, offset: 12 });
    state.whole = true;
    await transcript.changed();
    expect(transcript.excerpt).toBeNull();
    expect(transcript.pages?.total).toBe(50);
    expect(transcript.jump).toEqual({ position: 48, align: 'start', flash: false, offset: 12 });
  });

  test('at its end, if one was there', async () => {
    const { transcript, state } = large();
    await transcript.open(null);
    state.whole = true;
    await transcript.changed();
    expect(transcript.jump).toEqual({ position: 49, align: 'end', flash: false });
  });

  test('at the record that an address names', async () => {
    const { transcript, state } = large();
    await transcript.open(7);
    expect(transcript.excerpt).not.toBeNull();
    state.whole = true;
    await transcript.changed();
    expect(transcript.jump).toEqual({ position: 6, align: 'center', flash: true });
  });

  test('says that the rest could not be read, and tries again', async () => {
    let broken = true;
    const { transcript, state, backend } = large({
      outline: vi.fn(() =>
        broken ? Promise.reject(new BackendError('failed', 'no room')) : Promise.resolve(outline({ total: 50 })),
      ),
    });
    await transcript.open(null);
    state.whole = true;
    await transcript.changed();
    expect(transcript.excerpt?.problem?.message).toBe('No room.');
    expect(transcript.pages?.total).toBe(3);
    broken = false;
    await transcript.readAgain();
    expect(transcript.excerpt).toBeNull();
    expect(transcript.pages?.total).toBe(50);
    expect(backend.outline).toHaveBeenCalledTimes(2);
  });

  test('that is whole at once has no excerpt', async () => {
    const { transcript, state } = large();
    state.whole = true;
    await transcript.open(null);
    expect(transcript.excerpt).toBeNull();
    expect(transcript.jump).toEqual({ position: 49, align: 'end', flash: false });
  });
});
