import { beforeEach, expect, test, vi } from 'vitest';
import { ID } from '../../test/fakes';
import type { Notices } from '../backend/notices';
import { Notifier } from './notifier';

let allowed: Notices['allowed'];
let inFront: boolean;
let wanted: boolean;
const show = vi.fn(() => Promise.resolve());
const offer = vi.fn();
const sayHere = vi.fn();
let notifier: Notifier;

function turn(...events: [string, Record<string, unknown>?][]) {
  for (const [i, [kind, data = {}]] of events.entries()) {
    notifier.onTurn({ sessionId: ID, turnId: 't1', n: i + 1, kind, data });
  }
}

beforeEach(() => {
  [allowed, inFront, wanted] = ['yes', false, true];
  show.mockClear();
  offer.mockClear();
  sayHere.mockClear();
  notifier = new Notifier({
    notices: {
      get allowed() {
        return allowed;
      },
      ask: () => Promise.resolve(),
      show,
      onOpen: () => () => undefined,
    },
    wanted: () => wanted,
    inFront: () => inFront,
    nameOf: () => 'harbour',
    isShown: (session) => session !== ID,
    sayHere,
    offer,
  });
});

const told = (body: string) => {
  expect(show).toHaveBeenCalledExactlyOnceWith({ title: 'harbour', body, session: ID, tag: 't1' });
};
const ok: [string, Record<string, unknown>] = ['done', { status: 'ok' }];

test('an answer is told by the first line of what came after its tools', () => {
  turn(
    ['started'],
    ['text', { text: 'I look.' }],
    ['toolCall'],
    ['text', { text: '\nSeven \u202elights.\nMore.' }],
    ok,
  );
  told('Seven ⟨RLO⟩lights.');
});

test.each([
  ['one that somebody stopped', [['started'], ['text', { text: 'a' }], ['done', { status: 'aborted' }]]],
  ['one that says nothing on purpose', [['started'], ok]],
  ['one that was withdrawn', [['withdrawn']]],
] as [string, [string, Record<string, unknown>?][]][])('%s is not told', (_, events) => {
  turn(...events);
  expect(show).not.toHaveBeenCalled();
});

test('one that failed says so', () => {
  turn(['started'], ['done', { status: 'error', error: { message: 'overloaded' } }]);
  told('The answer failed: overloaded');
});

test('one whose beginning was not heard is complete all the same', () => {
  turn(ok);
  told('The answer is complete');
});

test('a question says what would run', () => {
  turn(['permission', { tool: 'bash', command: 'rm -rf /\nls', paths: [] }]);
  told('Asks whether it may run bash rm -rf /');
});

test('a question of a session that is not shown is told in the window, where that is in front', () => {
  const ask: [string, Record<string, unknown>] = ['permission', { tool: 'bash', command: 'ls', paths: [] }];
  turn(ask);
  expect(sayHere).not.toHaveBeenCalled();
  [inFront, wanted] = [true, false];
  show.mockClear();
  turn(ask);
  expect(sayHere).toHaveBeenCalledExactlyOnceWith(ID);
  notifier.onTurn({ sessionId: ID.replace(/1$/, '2'), turnId: 't2', n: 1, kind: ask[0], data: ask[1] });
  expect(sayHere).toHaveBeenCalledOnce();
  expect(show).not.toHaveBeenCalled();
});

test('nobody is told who looks, or does not want it', () => {
  inFront = true;
  turn(ok);
  [inFront, wanted] = [false, false];
  turn(ok);
  expect(show).not.toHaveBeenCalled();
});

test('where the browser has to be asked, that is offered once', () => {
  allowed = 'ask';
  turn(ok);
  turn(ok);
  expect(offer).toHaveBeenCalledOnce();
  expect(show).not.toHaveBeenCalled();
  allowed = 'no';
  turn(ok);
  expect(show).not.toHaveBeenCalled();
});
