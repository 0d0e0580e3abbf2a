import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ID } from '../../test/fakes';
import { BackendError } from '../backend';
import { Fate } from './fate';

const OFFLINE = new BackendError('offline', 'no answer');
const giveUp = vi.fn((): Promise<{ taken: boolean }> => Promise.resolve({ taken: true }));
let fate: Fate;

beforeEach(() => {
  vi.useFakeTimers();
  giveUp.mockReset();
  fate = new Fate({ giveUp }, ID);
});
afterEach(() => {
  vi.useRealTimers();
});

test('of what was refused with a reason nobody is asked', async () => {
  expect(await fate.wasTaken('k', new BackendError('busy', 'held'))).toBe(false);
  expect(giveUp).not.toHaveBeenCalled();
});

for (const code of ['offline', 'failed']) {
  test(`of what ${code === 'offline' ? 'nobody answered' : 'failed'} the program knows`, async () => {
    for (const taken of [true, false]) {
      giveUp.mockResolvedValueOnce({ taken });
      expect(await fate.wasTaken('k', new BackendError(code, 'hm'))).toBe(taken);
    }
    expect(giveUp).toHaveBeenLastCalledWith(ID, 'k');
  });
}

test('it is asked until somebody answers: now and then, and when the program is heard of', async () => {
  const told = vi.fn();
  giveUp.mockRejectedValue(OFFLINE);
  void fate.wasTaken('k', OFFLINE).then(told);
  await vi.advanceTimersByTimeAsync(5000);
  expect(giveUp).toHaveBeenCalledTimes(2);
  giveUp.mockResolvedValue({ taken: true });
  fate.ask();
  await vi.advanceTimersByTimeAsync(0);
  expect([giveUp.mock.calls.length, told.mock.calls]).toEqual([3, [[true]]]);
});

test('a conversation that is gone has not taken it; of what the program can’t tell nobody knows', async () => {
  giveUp.mockRejectedValueOnce(new BackendError('not_found', 'gone'));
  expect(await fate.wasTaken('k', OFFLINE)).toBe(false);
  giveUp.mockRejectedValueOnce(new BackendError('failed', 'the log cannot be read'));
  expect(await fate.wasTaken('k', OFFLINE)).toBeNull();
});

test('that nobody answers is told for as long as that is so', async () => {
  const away = vi.fn();
  fate = new Fate({ giveUp }, ID, away);
  giveUp.mockRejectedValueOnce(OFFLINE);
  void fate.wasTaken('k', OFFLINE);
  await vi.advanceTimersByTimeAsync(0);
  expect(away).toHaveBeenLastCalledWith(true);
  fate.ask();
  await vi.advanceTimersByTimeAsync(0);
  expect(away).toHaveBeenLastCalledWith(false);
});

test('nobody is asked any more once nobody wants to know', async () => {
  giveUp.mockRejectedValue(OFFLINE);
  const taken = fate.wasTaken('k', OFFLINE);
  await vi.advanceTimersByTimeAsync(0);
  fate.close();
  expect(await taken).toBeNull();
  expect(giveUp).toHaveBeenCalledOnce();
});
