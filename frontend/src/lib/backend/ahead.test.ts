// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { config, fakeBackend, ID, later, listOf, session, settled } from '../../test/fakes';
import { App } from '../app.svelte';
import { ahead } from './ahead';
import type { NewsListener } from './backend';
import { BackendError } from './errors';

const listener = (): NewsListener => ({
  onNews: vi.fn(),
  onTurn: vi.fn(),
  onGap: vi.fn(),
  onConnection: vi.fn(),
  onUnauthorised: vi.fn(),
});

/** A program that notes in which order it is asked, and whom it tells. */
function program(rows = [session('A'), session('B')]) {
  const order: string[] = [];
  const heard: NewsListener[] = [];
  const stop = vi.fn();
  const backend = fakeBackend({
    subscribe: (to) => {
      order.push('news');
      heard.push(to);
      return stop;
    },
    config: () => {
      order.push('config');
      return Promise.resolve(config());
    },
    deskPiece: (key) => {
      order.push(key);
      return Promise.resolve(null);
    },
    lastList: () => {
      order.push('last');
      return Promise.resolve(null);
    },
    sessions: async function* (options) {
      order.push('list');
      yield* listOf(rows, 1)(options);
    },
  });
  return { backend, order, heard, stop };
}

describe('ahead of the window', () => {
  test.each([
    ['', ['news', 'config', 'view', 'place', 'last', 'list']],
    ['#/', ['news', 'config', 'view', 'place', 'last', 'list']],
    ['#/statistics?by=agent', ['news', 'config', 'view', 'place', 'last', 'list']],
    ['#/search?q=lamp', ['news', 'config', 'view', 'place', 'last', 'list']],
    ['#/new', ['news', 'config', 'view', 'last', 'list']],
    [`#/s/${ID}`, ['news', 'config', 'view']],
    [`#/s/${ID}/7`, ['news', 'config', 'view']],
  ])('at %j the program is asked for what the window asks for first, and not again', async (hash, asked) => {
    history.replaceState(null, '', `/${hash}`);
    const { backend, order } = program();
    const { backend: first } = ahead(backend, hash);
    await settled();
    expect(order).toEqual(asked);
    const app = new App(first);
    const stop = app.start();
    expect(order.filter((one) => asked.includes(one))).toEqual(asked);
    // Nothing is left over that somebody else would take for news.
    order.length = 0;
    void first.config();
    void first.deskPiece('view');
    void first.deskPiece('place');
    void first.sessions({ archived: true, quick: true })[Symbol.asyncIterator]().next();
    expect(order).toEqual(['config', 'view', 'place', 'list']);
    stop();
  });

  test('all of a list comes, and its failure', async () => {
    const { backend } = program();
    const parts = [];
    for await (const part of ahead(backend, '').backend.sessions({ archived: true, quick: true }))
      parts.push(part.rows[0]?.id);
    expect(parts).toEqual(['A', 'B']);
    const refused = new BackendError('unauthorised', 'no');
    const closed = fakeBackend({
      config: () => Promise.reject(refused),
      sessions: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(refused) }) }),
    });
    const { backend: first } = ahead(closed, '');
    await settled();
    await expect(first.config()).rejects.toBe(refused);
    const list = first.sessions({ archived: true, quick: true })[Symbol.asyncIterator]();
    await expect(list.next()).rejects.toBe(refused);
  });

  test('before a list comes how it began the last time, once, where that is known', async () => {
    const { backend } = program();
    const idsOf = async (list: AsyncIterable<{ rows: { id: string }[] }>) => {
      const ids: string[] = [];
      for await (const { rows } of list) ids.push(...rows.map(({ id }) => id));
      return ids;
    };
    const last = later<Awaited<ReturnType<typeof backend.lastList>>>();
    const { backend: first } = ahead({ ...backend, lastList: () => last.promise }, '');
    const list = idsOf(first.sessions({ archived: true, quick: true }));
    last.resolve({ rows: [session('GONE'), session('A')], from: 0, total: 3 });
    expect(await list).toEqual(['GONE', 'A', 'A', 'B']);
    expect(await idsOf(first.sessions({ archived: true, quick: true }))).toEqual(['A', 'B']);
    const { backend: broken } = ahead({ ...backend, lastList: () => Promise.reject(new Error('no')) }, '');
    expect(await idsOf(broken.sessions({ archived: true, quick: true }))).toEqual(['A', 'B']);
  });

  test('the list is asked for once how it began the last time is drawn, or where nothing is', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'requestAnimationFrame'] });
    try {
      const { backend, order } = program();
      const lastList = () => Promise.resolve({ rows: [session('A')], from: 0, total: 300 });
      const begin = async () => {
        const { backend: first } = ahead({ ...backend, lastList }, '');
        const list = first.sessions({ archived: true, quick: true })[Symbol.asyncIterator]();
        await list.next();
        void list.next();
        await settled();
        expect(order).not.toContain('list');
      };
      await begin();
      await vi.advanceTimersToNextTimerAsync();
      await vi.advanceTimersToNextTimerAsync();
      expect(order).toContain('list');
      order.length = 0;
      vi.stubGlobal('requestAnimationFrame', () => 0);
      await begin();
      await vi.advanceTimersByTimeAsync(1000);
      expect(order).toContain('list');
    } finally {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    }
  });

  test('it has answered once all is there that is shown first, also where it refuses; a conversation is not waited for', async () => {
    const { backend } = program();
    const last = later<Awaited<ReturnType<typeof backend.lastList>>>();
    let done = false;
    const config = () => Promise.reject(new BackendError('unauthorised', 'no'));
    void ahead({ ...backend, config, lastList: () => last.promise }, '').answered.then(() => (done = true));
    await settled();
    expect(done).toBe(false);
    last.resolve(null);
    await settled();
    expect(done).toBe(true);
    const never = () => new Promise<never>(() => undefined);
    await ahead({ ...backend, config: never, lastList: never }, `#/s/${ID}`).answered;
  });

  test('who listens first is told what was heard before, in order and once', async () => {
    const { backend, heard, stop } = program();
    const { backend: first } = ahead(backend, '');
    const news = { sessionId: 'A', n: 1, kind: 'changed' };
    heard[0]?.onNews(news);
    heard[0]?.onGap();
    const one = listener();
    const end = first.subscribe(one);
    expect(one.onNews).not.toHaveBeenCalled();
    heard[0]?.onConnection(false);
    await settled();
    expect(one.onNews).toHaveBeenCalledExactlyOnceWith(news);
    expect(one.onGap).toHaveBeenCalledTimes(1);
    expect(one.onConnection).toHaveBeenCalledExactlyOnceWith(false);
    heard[0]?.onUnauthorised();
    expect(one.onUnauthorised).toHaveBeenCalledTimes(1);
    end();
    expect(stop).toHaveBeenCalledTimes(1);
    const other = listener();
    first.subscribe(other);
    expect(heard[1], 'who listens next listens to the program').toBe(other);
  });

  test('what changes before the window is there is newer than the list that was asked for before it', async () => {
    history.replaceState(null, '', '/');
    const { backend, heard } = program();
    const list = later<undefined>();
    const { backend: first } = ahead(
      {
        ...backend,
        session: (id) => Promise.resolve(session(id, { name: 'newer' })),
        sessions: async function* (options) {
          await list.promise;
          yield* listOf([session('A'), session('B')])(options);
        },
      },
      '',
    );
    heard[0]?.onNews({ sessionId: 'A', n: 1, kind: 'removed' });
    heard[0]?.onNews({ sessionId: 'B', n: 2, kind: 'changed' });
    heard[0]?.onNews({ sessionId: 'C', n: 3, kind: 'created' });
    const app = new App(first);
    const stop = app.start();
    await settled();
    list.resolve(undefined);
    await expect.poll(() => app.library.complete).toBe(true);
    expect(app.library.everything.map(({ session: { id, name } }) => [id, name]).sort()).toEqual([
      ['B', 'newer'],
      ['C', 'newer'],
    ]);
    stop();
  });
});
