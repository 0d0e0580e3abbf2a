import { expect, test } from 'vitest';
import { ID } from '../../test/fakes';
import { Asking } from './asking.svelte';

const OTHER = ID.replace(/1$/, '2');
const event = (sessionId: string, kind: string) => ({ sessionId, turnId: 't', n: 1, kind, data: {} });

test('what asked before the window was loaded is known', async () => {
  const asking = new Asking({ asking: () => Promise.resolve([ID]) });
  await asking.load();
  expect(asking.has(ID)).toBe(true);
  asking.onTurn(event(ID, 'answered'));
  expect(asking.has(ID)).toBe(false);
});

test('what is heard while it is asked is newer than the answer', async () => {
  let answer: (ids: string[]) => void = () => undefined;
  const asking = new Asking({ asking: () => new Promise((resolve) => (answer = resolve)) });
  const loaded = asking.load();
  asking.onTurn(event(ID, 'done'));
  asking.onTurn(event(OTHER, 'permission'));
  answer([ID]);
  await loaded;
  expect([asking.has(ID), asking.has(OTHER)]).toEqual([false, true]);
});

test('a gap asks anew, and no answer is none', async () => {
  const asking = new Asking({ asking: () => Promise.reject(new Error('gone')) });
  asking.onTurn(event(ID, 'permission'));
  asking.onGap();
  await Promise.resolve();
  expect(asking.has(ID)).toBe(false);
});
