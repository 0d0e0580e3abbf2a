import { expect, test, vi } from 'vitest';
import { later, settled } from '../test/fakes';
import { OnceMore } from './once-more';

/** Questions that are answered when it is said. */
function questions() {
  const open: ReturnType<typeof later<undefined>>[] = [];
  const ask = vi.fn(() => {
    const answer = later<undefined>();
    open.push(answer);
    return answer.promise as Promise<void>;
  });
  return { ask, answer: () => open.shift()?.resolve(undefined), fail: () => open.shift()?.reject(new Error('no')) };
}

test('one at a time, and however often it is wanted meanwhile, once more', async () => {
  const { ask, answer } = questions();
  const once = new OnceMore(ask);
  let done = 0;
  for (let n = 0; n < 3; n++) void once.now().then(() => done++);
  expect([ask.mock.calls.length, once.isAsking]).toEqual([1, true]);
  answer();
  await settled();
  expect([ask.mock.calls.length, done]).toEqual([2, 0]);
  answer();
  await settled();
  expect([ask.mock.calls.length, done, once.isAsking]).toEqual([2, 3, false]);
  void once.now();
  expect(ask).toHaveBeenCalledTimes(3);
});

test('what is wanted as it is answered is asked behind that, and nothing comes between the last answer and the end', async () => {
  const { ask, answer } = questions();
  const behind: boolean[] = [];
  const once: OnceMore = new OnceMore(ask, () => {
    if (ask.mock.calls.length === 1) void once.now();
    else queueMicrotask(() => behind.push(once.isAsking));
  });
  const done = once.now();
  answer();
  await settled();
  expect(ask).toHaveBeenCalledTimes(2);
  answer();
  await done;
  expect(ask).toHaveBeenCalledTimes(2);
  expect(behind).toEqual([false]);
});

test('a question that fails is told to all who wanted it, and can be asked again', async () => {
  const { ask, answer, fail } = questions();
  const once = new OnceMore(ask);
  const both = Promise.allSettled([once.now(), once.now()]);
  fail();
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(once.isAsking).toBe(false);
  const next = once.now();
  answer();
  await next;
  expect(ask).toHaveBeenCalledTimes(2);
});
