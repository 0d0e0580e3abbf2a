// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { BackendError, type Page, type RawRecord } from '../backend';
import { ID, later, message, pageOf, settled } from '../../test/fakes';
import { Ahead } from '../markdown/ahead';
import { isKnown } from '../markdown/markdown';
import { CHUNK, Pages } from './pages.svelte';

const log = (n: number): RawRecord[] => Array.from({ length: n }, (_, i) => message(i + 1, 'user', `m${i}`));

function pagesOf(records: RawRecord[], most = 500) {
  const asked: number[] = [];
  const gone = vi.fn();
  const backend = {
    records: vi.fn((_: string, range: { index: number; limit: number }) => {
      asked.push(range.index);
      return Promise.resolve(pageOf(records, range.index, Math.min(range.limit, most)));
    }),
  };
  const pages = new Pages(backend, ID, 'all', gone);
  pages.total = records.length;
  return { pages, backend, asked, gone };
}
const seqAt = (pages: Pages, at: number) => {
  const row = pages.row(at);
  return row?.kind === 'record' ? row.seq : undefined;
};

describe('pages', () => {
  test('what is looked at is read, and a chunk to either side', async () => {
    const { pages, asked } = pagesOf(log(1000));
    pages.want(CHUNK * 10 + 1, CHUNK * 10 + 5);
    await settled();
    expect([...asked].sort((a, b) => a - b)).toEqual([CHUNK * 9, CHUNK * 10, CHUNK * 11]);
    expect(seqAt(pages, CHUNK * 10 + 3)).toBe(CHUNK * 10 + 4);
    expect(seqAt(pages, 0)).toBeUndefined();
  });

  test('what was passed over on the way is not read', async () => {
    const { pages, backend, asked } = pagesOf(log(100_000));
    const first = later<Page>();
    backend.records.mockImplementationOnce(() => first.promise).mockImplementationOnce(() => first.promise);
    for (let at = 0; at < 90_000; at += 1000) pages.want(at, at + 10);
    first.resolve(pageOf(log(CHUNK), 0, CHUNK));
    await settled();
    expect(asked.length).toBeLessThan(10);
    expect(asked).toContain(Math.floor(89_000 / CHUNK) * CHUNK);
  });

  test('a chunk is read in several pages where its records are long', async () => {
    const { pages, asked } = pagesOf(log(CHUNK), 15);
    pages.want(0, 3);
    await settled();
    expect(asked).toEqual([0, 15, 30]);
    expect(seqAt(pages, CHUNK - 1)).toBe(CHUNK);
  });

  test('after a change what is shown stays until it has been read again', async () => {
    const records = log(10);
    const { pages, backend } = pagesOf(records);
    pages.want(0, 9);
    await settled();
    records.push(message(11, 'user', 'new'));
    const answer = later<Page>();
    backend.records.mockImplementationOnce(() => answer.promise);
    pages.invalidate(11);
    expect(seqAt(pages, 9)).toBe(10);
    expect(seqAt(pages, 10)).toBeUndefined();
    answer.resolve(pageOf(records, 0, 40));
    await settled();
    expect(seqAt(pages, 10)).toBe(11);
  });

  test('what is added next to what is looked at is counted once it is there', async () => {
    const records = log(CHUNK);
    const { pages, backend } = pagesOf(records);
    pages.want(0, CHUNK - 1);
    await settled();
    records.push(message(CHUNK + 1, 'user', 'new'));
    const answers = [later<Page>(), later<Page>()];
    for (const { promise } of answers) backend.records.mockImplementationOnce(() => promise);
    pages.invalidate(CHUNK + 1);
    let grown = false;
    void pages.grown.then(() => (grown = true));
    await settled();
    expect([pages.total, grown]).toEqual([CHUNK, false]);
    answers[0]?.resolve(pageOf(records, CHUNK, 1));
    await settled();
    expect([pages.total, grown, seqAt(pages, CHUNK)]).toEqual([CHUNK + 1, true, CHUNK + 1]);

    backend.records.mockRejectedValueOnce(new BackendError('failed', 'no'));
    pages.invalidate(CHUNK + 2);
    await settled();
    expect(pages.total, 'what cannot be read is counted all the same').toBe(CHUNK + 2);
  });

  test('an answer from before a change is not shown after it', async () => {
    const { pages, backend } = pagesOf(log(5));
    const old = later<Page>();
    backend.records.mockImplementationOnce(() => old.promise);
    pages.want(0, 4);
    pages.invalidate(5);
    await settled();
    old.resolve(pageOf([message(99, 'user', 'old')], 0, 1));
    await settled();
    expect(seqAt(pages, 0)).toBe(1);
  });

  test('fewer lines than were counted do not make it ask for ever', async () => {
    const { pages, backend } = pagesOf(log(3));
    pages.total = 10;
    pages.want(0, 9);
    await settled();
    expect(backend.records.mock.calls.length).toBeLessThanOrEqual(3);
    expect(seqAt(pages, 2)).toBe(3);
  });

  test('what could not be read is read once the file has changed, or all is asked for again', async () => {
    const { pages, backend } = pagesOf(log(5));
    backend.records.mockRejectedValueOnce(new BackendError('offline', 'no'));
    pages.want(0, 4);
    await settled();
    expect(pages.error?.code).toBe('offline');
    pages.invalidate(5);
    await settled();
    expect([pages.error, seqAt(pages, 4)]).toEqual([null, 5]);
  });

  test('an error is told, and tried again on request only', async () => {
    const { pages, backend, gone } = pagesOf(log(5));
    backend.records.mockRejectedValueOnce(new BackendError('failed', 'no'));
    pages.want(0, 4);
    await settled();
    expect(pages.error?.message).toBe('No.');
    expect(backend.records).toHaveBeenCalledTimes(1);
    pages.retry();
    await settled();
    expect(pages.error).toBeNull();
    expect(seqAt(pages, 4)).toBe(5);
    expect(gone).not.toHaveBeenCalled();
  });

  test('a session that is gone is told of', async () => {
    const { pages, backend, gone } = pagesOf(log(5));
    backend.records.mockRejectedValueOnce(new BackendError('not_found', 'gone'));
    pages.want(0, 4);
    await settled();
    expect(gone).toHaveBeenCalledOnce();
  });

  test('closed, it asks for nothing more', async () => {
    const { pages, backend } = pagesOf(log(500));
    pages.close();
    pages.want(0, 4);
    await settled();
    expect(backend.records).not.toHaveBeenCalled();
  });

  test('what is in the page as it was written is rendered ahead only once it is there no more', async () => {
    vi.useFakeTimers();
    const long = 'An answer of some length.\n\n'.repeat(400);
    const { pages } = pagesOf([message(1, 'user', 'said'), message(2, 'assistant', long)]);
    pages.drawnBy({ isShown: (position) => position === 1, ahead: new Ahead() });
    pages.want(0, 1);
    await vi.runAllTimersAsync();
    expect(seqAt(pages, 1)).toBe(2);
    expect(isKnown(long)).toBe(false);
    pages.shownNoMore(1);
    await vi.runAllTimersAsync();
    expect(isKnown(long)).toBe(true);
    vi.useRealTimers();
  });
});
