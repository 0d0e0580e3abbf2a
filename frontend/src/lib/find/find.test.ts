import { expect, test, vi } from 'vitest';
import { BackendError, type FindOptions, type Finds } from '../backend';
import { later, settled } from '../../test/fakes';
import { Find } from './find.svelte';

/** A log of 100 lines; a request looks through ten of them. */
function backendOf(lines: number[], total = 100) {
  return {
    total,
    find: vi.fn(function (this: { total: number }, _: string, { query, from }: FindOptions): Promise<Finds> {
      const end = Math.min(from + 10, this.total);
      const matches = lines
        .filter((line) => line >= from && line < end)
        .map((index) => ({ index, seq: index + 1, count: 1, excerpt: { before: '', match: query, after: '' } }));
      return Promise.resolve({ query, matches, next: end < this.total ? end : null, total: this.total });
    }),
  };
}

type FindIn = ReturnType<typeof backendOf>['find'];

function finding(backend: { find: FindIn }, inView = 0, matches = () => Promise.resolve<number[][]>([])) {
  const goTo = vi.fn(() => Promise.resolve());
  const find = new Find({ find: (id, options) => backend.find(id, options), matches }, 'id', goTo);
  find.inView = () => inView;
  find.open();
  return { find, went: () => goTo.mock.calls.map((call) => (call as unknown[])[0]) };
}

test('begins at what is in view, goes round the end, and counts once all is known', async () => {
  const { find, went } = finding(backendOf([5, 42, 60, 99]), 40);
  find.look('x');
  expect(find.looking).toBe(true);
  await find.settled();
  expect([find.at, find.ordinal, find.count, find.looking]).toEqual([42, 2, 4, false]);
  for (let n = 0; n < 4; n++) find.step(1);
  expect(went()).toEqual([42, 60, 99, 5, 42]);
  expect(find.ordinal).toBe(2);
  for (let n = 0; n < 4; n++) find.step(-1);
  expect(went().slice(5)).toEqual([5, 99, 60, 42]);
});

test('the first is gone to before the rest is known; what is not known yet is waited for', async () => {
  const first = later<Finds>();
  const second = later<Finds>();
  const find = vi.fn().mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise);
  const { find: finder, went } = finding({ find });
  finder.look('x');
  const page = (index: number, next: number | null): Finds => ({
    ...{ query: 'x', next, total: 100 },
    matches: [{ index, seq: index, count: 1, excerpt: { before: '', match: 'x', after: '' } }],
  });
  first.resolve(page(3, 50));
  await settled();
  expect([finder.at, finder.share, finder.ordinal]).toEqual([3, 0.5, null]);
  finder.step(1);
  expect(finder.at, 'where the next one is, nobody knows yet').toBe(3);
  second.resolve(page(80, null));
  await finder.settled();
  expect(went()).toEqual([3, 80]);
  expect([finder.ordinal, finder.count]).toEqual([2, 2]);
});

test('a change forgets what was asked for before, and asks one question at a time', async () => {
  const slow = later<Finds>();
  const backend = backendOf([7]);
  backend.find.mockReturnValueOnce(slow.promise);
  const { find, went } = finding(backend);
  find.look('a');
  find.look('ab');
  find.look('abc');
  expect(backend.find).toHaveBeenCalledTimes(1);
  slow.resolve({
    query: 'a',
    matches: [{ index: 1, seq: 2, count: 9, excerpt: { before: '', match: 'a', after: '' } }],
    next: null,
    total: 100,
  });
  await find.settled();
  expect(went()).toEqual([7]);
  expect(backend.find.mock.calls.map(([, { query }]) => query).filter((query) => query === 'ab')).toEqual([]);
  find.look('');
  await find.settled();
  expect([find.count, find.looking, find.at]).toEqual([0, false, null]);
});

test('nothing found is said; a failure can be tried again', async () => {
  const backend = backendOf([]);
  const { find, went } = finding(backend);
  find.look('x');
  await find.settled();
  find.step(1);
  expect([find.count, find.at, went()]).toEqual([0, null, []]);
  backend.find.mockRejectedValueOnce(new BackendError('failed', 'no disk'));
  find.look('y');
  await find.settled();
  expect([find.error?.message, find.looking]).toEqual(['No disk.', false]);
  find.retry();
  await find.settled();
  expect([find.error, find.looking]).toEqual([null, false]);
});

test('places within a message come before the next message', async () => {
  const { find, went } = finding(backendOf([1, 2]));
  find.look('x');
  await find.settled();
  find.here = 3;
  find.step(1);
  find.step(1);
  expect([find.nth, went()]).toEqual([2, [1]]);
  find.step(1);
  expect([find.nth, went()]).toEqual([0, [1, 2]]);
  find.here = 1;
  find.step(-1);
  expect([find.nth, find.at], 'back to the last place of the one before').toEqual([-1, 1]);
});

test('what is appended is looked through as well', async () => {
  const backend = backendOf([5, 103]);
  const { find } = finding(backend);
  find.look('x');
  await find.settled();
  expect(find.count).toBe(1);
  backend.total = 110;
  find.grew(110);
  await find.settled();
  expect([find.count, find.ordinal]).toEqual([2, 1]);
  find.grew(110);
  expect(find.looking).toBe(false);
});

test('a program that does not get on does not hold it for ever', async () => {
  const find = vi.fn(() => Promise.resolve({ query: 'x', matches: [], next: 0, total: 9 }));
  const { find: finder } = finding({ find } as never);
  finder.look('x');
  await finder.settled();
  expect([finder.looking, find.mock.calls.length]).toEqual([false, 1]);
});

test('an expression is asked for as one, and what it fits is known as it is written', async () => {
  const backend = backendOf([5]);
  const { find } = finding(backend);
  find.look('x+', { regex: true });
  await find.settled();
  expect(backend.find.mock.calls[0]?.[1]).toMatchObject({ query: 'x+', regex: true, matchCase: false });
  expect(find.writtenHere.map((one) => one.firstIn('an X+ here'))).toEqual([3]);
  find.look('x+', { regex: false, matchCase: true });
  await find.settled();
  expect(backend.find.mock.lastCall?.[1]).toMatchObject({ regex: false, matchCase: true });
  expect(find.writtenHere).toEqual([]);
});

test('what a tool was given is marked without its name, where that is not shown', async () => {
  const { find } = finding(backendOf([5]));
  find.look('command: grep -rn', { regex: true });
  await find.settled();
  expect(find.writtenHere.map((one) => one.firstIn('bash grep -rn'))).toEqual([-1, 5]);
});

test('what is too long to be looked for is not, and that is said', async () => {
  const backend = backendOf([5]);
  const { find } = finding(backend);
  find.look('é'.repeat(2049));
  await find.settled();
  expect(backend.find).not.toHaveBeenCalled();
  expect([find.error?.code, find.error?.message, find.looking, find.pattern]).toEqual([
    ...['bad_input', 'What is looked for may be at most 4,096 bytes long.', false, null],
  ]);
  find.look('é'.repeat(2048));
  await find.settled();
  expect([find.error, find.at]).toEqual([null, 5]);
});

test('what is selected is a text, also where an expression was looked for', async () => {
  const { find } = finding(backendOf([5]));
  find.look('x+', { regex: true });
  find.open(' y* '.trim());
  await find.settled();
  expect([find.query, find.regex]).toEqual(['y*', false]);
  find.look('z', { regex: true });
  find.open('z');
  expect(find.regex).toBe(true);
});

test('another question calls the one before off', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  const backend = backendOf([7]);
  const find = new Find(
    {
      find: (id, options, signal) => {
        signals.push(signal);
        return backend.find(id, options);
      },
      matches: () => Promise.resolve([]),
    },
    'id',
    () => Promise.resolve(),
  );
  find.open();
  find.look('a');
  find.look('b');
  expect(signals[0]?.aborted).toBe(true);
  await find.settled();
  expect(signals.at(-1)?.aborted).toBe(false);
  find.close();
  expect(signals.at(-1)?.aborted).toBe(true);
});

test('where an expression fits can fail, which is said, and be tried again', async () => {
  const matches = vi.fn<() => Promise<number[][]>>().mockRejectedValueOnce(new BackendError('failed', 'no program'));
  const { find } = finding(backendOf([7]), 0, matches);
  find.look('a', { regex: true });
  await find.settled();
  expect(find.pattern?.firstIn('aa')).toBe(-1);
  await settled();
  expect(find.error?.message).toBe('No program.');
  expect(find.pattern?.firstIn('aa'), 'it is not asked for over and over').toBe(-1);
  await settled();
  expect(matches).toHaveBeenCalledTimes(1);
  matches.mockResolvedValue([[1, 2]]);
  find.retry();
  expect(find.pattern?.firstIn('aa')).toBe(-1);
  await settled();
  expect([find.pattern?.firstIn('aa'), find.error]).toEqual([1, null]);
});
