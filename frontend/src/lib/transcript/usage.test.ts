import { expect, test } from 'vitest';
import { entry, message } from '../../test/fakes';
import type { RawRecord } from '../backend';
import type { Row } from './rows';
import { exactly, inShort, spentOf, usedBy, usedInTurn } from './usage';

const used = (input: number, output: number, cost?: number, stopReason = 'toolUse') => ({
  usage: { input, output, cacheRead: 0, cacheWrite: 0, ...(cost === undefined ? {} : { cost }) },
  stopReason,
});

function rows(...records: RawRecord[]): (at: number) => Row | undefined {
  const all = records.map((record, i): Row => ({ kind: 'record', entry: entry(i), record, seq: i + 1, notes: [] }));
  return (at) => all[at];
}

test('a turn is all requests since the message that it answers', () => {
  const rowAt = rows(
    message(1, 'user', 'a'),
    message(2, 'assistant', 'x', used(9999, 1, 9, 'stop')),
    message(3, 'user', 'b'),
    message(4, 'assistant', 'x', used(1000, 100, 0.01)),
    message(5, 'toolResult', 'x'),
    message(6, 'assistant', 'x', used(200, 240, 0.002, 'stop')),
  );
  const turn = usedInTurn(rowAt, 5);
  expect(turn && inShort(turn)).toBe('1.2k in · 340 out · $0.012');
  expect(turn && exactly(turn)).toBe('2 requests\n1,200 tokens in\n340 tokens out\n0.012 US dollars');
  expect(usedInTurn(rowAt, 3)).toBeNull();
  expect(usedInTurn(rowAt, 2)).toBeNull();
});

test.each(['user', 'assistant'])('what a person alone was shown as of %s ends no turn', (role) => {
  const rowAt = rows(
    message(1, 'user', 'a'),
    message(2, 'assistant', 'x', used(1000, 100, 0.01)),
    message(3, role, 'shown', { aside: true, stopReason: 'stop' }),
    message(4, 'assistant', 'x', used(200, 240, 0.002, 'stop')),
  );
  const turn = usedInTurn(rowAt, 3);
  expect(turn && inShort(turn)).toBe('1.2k in · 340 out · $0.012');
});

test('a sum that misses something says so', () => {
  const unknown = rows(
    message(1, 'user', 'a'),
    message(2, 'assistant', 'x', used(1000, 100)),
    message(3, 'assistant', 'x', used(200, 240, 0.002, 'stop')),
  );
  const turn = usedInTurn(unknown, 2);
  expect(turn && inShort(turn)).toBe('1.2k in · 340 out · ≥ $0.002');
  expect(turn && exactly(turn)).toContain('at least 0.002 US dollars\n1 of 2 requests did not tell its cost');
  const partly = rows(
    message(1, 'user', 'a'),
    message(2, 'assistant', 'x', { stopReason: 'toolUse' }),
    message(3, 'assistant', 'x', used(200, 240, 0.002, 'stop')),
  );
  const known = usedInTurn(partly, 2);
  expect(known && inShort(known)).toBe('≥ 200 in · ≥ 240 out · ≥ $0.002');
  expect(known && exactly(known)).toContain('at least 200 tokens in');
  expect(known && exactly(known)).toContain('1 of 2 requests did not tell its tokens in');
  const noInput = rows(
    message(1, 'user', 'a'),
    message(2, 'assistant', 'x', { usage: { output: 5 }, stopReason: 'toolUse' }),
    message(3, 'assistant', 'x', used(200, 240, 0.002, 'stop')),
  );
  const some = usedInTurn(noInput, 2);
  expect(some && inShort(some), 'the sum of one of two').toBe('≥ 200 in · 245 out · ≥ $0.002');
  const rowAt = (at: number) => (at === 0 ? undefined : partly(at));
  expect(usedInTurn(rowAt, 2)).toBeNull();
  for (const usage of [null, 'x', { input: 'a' }, { input: 0, output: -1 }]) {
    expect(usedBy(message(1, 'assistant', 'x', { usage }))).toBeNull();
  }
});

test('compactions and what was tried before belong to the turn', () => {
  const compaction = (more: RawRecord): RawRecord => ({ recordType: 'compaction', seq: 4, ...more });
  const turnOf = (...between: RawRecord[]) => {
    const rowAt = rows(
      message(1, 'user', 'a'),
      message(2, 'assistant', 'x', used(9999, 1, 9, 'stop')),
      message(3, 'user', 'b'),
      ...between,
      message(9, 'assistant', 'x', used(200, 40, 0.002, 'stop')),
    );
    const turn = usedInTurn(rowAt, 3 + between.length);
    return turn && inShort(turn);
  };
  const failed = message(3, 'assistant', '', used(1000, 1, 0.01, 'error'));
  const summary = compaction({
    model: 'm',
    usage: { input: 500, output: 60, cacheRead: 0, cacheWrite: 0, cost: 0.005 },
  });
  expect(turnOf(failed, summary)).toBe('1.7k in · 101 out · $0.017');
  expect(turnOf(compaction({}))).toBe('200 in · 40 out · $0.002');
  expect(turnOf(compaction({ model: 'm' }))).toBe('≥ 200 in · ≥ 40 out · ≥ $0.002');
  expect(turnOf(message(3, 'assistant', '', { stopReason: 'error' }))).toBe('≥ 200 in · ≥ 40 out · ≥ $0.002');
});

test('what came from the cache went in, too', () => {
  const usage = { input: 10, output: 5, cacheRead: 1000, cacheWrite: 200, cost: 0.5 };
  const known = usedBy(message(1, 'assistant', 'x', { usage }));
  expect(known && inShort(known)).toBe('1.2k in · 5 out · $0.50');
  expect(known && exactly(known)).toContain('1,000 tokens from the cache\n200 tokens into the cache');
});

test('what an answer does not tell is left out, and what it tells is 0 is 0', () => {
  const part = usedBy(message(1, 'assistant', 'x', { usage: { output: 5 } }));
  expect(part && inShort(part)).toBe('5 out');
  expect(part && exactly(part)).toBe('5 tokens out');
  const nothing = usedBy(message(1, 'assistant', 'x', { usage: { input: 0, output: 5 } }));
  expect(nothing && inShort(nothing)).toBe('0 in · 5 out');
});

test('a session of which no answer told what it used has used nobody knows what', () => {
  const none = { input: null, output: null, cacheRead: null, cacheWrite: null, total: null, contextTokens: null };
  expect(spentOf({ ...none, cost: null, compactions: 0, turns: 2 })).toBeNull();
  expect(spentOf({ ...none, input: 3, output: 4, total: 7, cost: 0.5, compactions: 0, turns: 2 })).toEqual({
    requests: 0,
    input: 3,
    output: 4,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0.5,
    untold: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 },
  });
});

test('of a session of which some answers do not tell, the sum is at least that', () => {
  const told = { input: 300, output: 40, cacheRead: null, cacheWrite: null, total: 340, contextTokens: null };
  const spent = spentOf({ ...told, cost: null, untold: 2, compactions: 0, turns: 2 });
  expect(spent && inShort(spent)).toBe('≥ 300 in · ≥ 40 out');
  expect(spent && exactly(spent)).toBe('at least 300 tokens in\nat least 40 tokens out');
});

test('of a session of which some answers leave a kind of tokens out, the sum with that kind is at least that', () => {
  const told = { input: 300, output: 40, cacheRead: 50, cacheWrite: null, total: 390, contextTokens: null };
  const untoldKinds = { cacheRead: 1, cacheWrite: 2 };
  const spent = spentOf({ ...told, cost: null, untoldKinds, compactions: 0, turns: 2 });
  expect(spent && inShort(spent)).toBe('≥ 350 in · 40 out');
  expect(spent && exactly(spent)).toBe('300 tokens in\nat least 50 tokens from the cache\n40 tokens out');
  const never = spentOf({ ...told, cost: null, untoldKinds: { cacheWrite: 2 }, compactions: 0, turns: 2 });
  expect(never && inShort(never), 'what no answer tells is no part').toBe('350 in · 40 out');
});
