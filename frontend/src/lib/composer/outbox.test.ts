// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { ID, fakeBackend, later, session, settled } from '../../test/fakes';
import { backend, desk, onRecord, pieces, shown, talk, turn } from '../../test/talking';
import { BackendError, type Sent, type Session } from '../backend';
import { Desk } from '../desk/desk';
import { Talks } from './talks.svelte';

const answer = (turnId: string, queued = true): Sent => ({ turnId, queued, seq: null, ahead: 0 });
/** What is asked for with a message, under the key that the desk has of it. */
const sent = (text: string, chosen = {}): unknown => ({ text, ...chosen, by: desk.by, key: expect.any(String) });
const leaving = () => talk.leaving.map(({ text }) => text);

/** Writes it, and presses Enter. */
function say(text: string): void {
  talk.write(text);
  void talk.send();
}

describe('sent while the one before it is on its way', () => {
  test('a message goes next, and is shown until then', async () => {
    await settled();
    const first = later<Sent>();
    backend.send.mockReturnValueOnce(first.promise).mockResolvedValue(answer('t2'));
    say('One');
    say('Two');
    talk.write('half a th');
    expect(talk.text, 'the field is free for the next one').toBe('half a th');
    expect(shown()).toEqual(['said: One']);
    expect(leaving()).toEqual(['Two']);
    const sending = ['One', 'Two'].map((text) => ({ by: desk.by, text, key: expect.any(String) as string }));
    expect(pieces.get(`unsent.${ID}`), 'as little of it is lost as of the first').toEqual({
      text: 'half a th',
      sending,
    });
    await settled();
    expect(backend.send).toHaveBeenCalledOnce();
    first.resolve(answer('t1', false));
    await settled();
    expect(backend.send).toHaveBeenLastCalledWith(ID, sent('Two'));
    expect(leaving()).toEqual([]);
    expect(talk.queued).toMatchObject([{ turnId: 't2', text: 'Two' }]);
    expect(pieces.get(`unsent.${ID}`)).toBe('half a th');
  });

  test('a message goes to the model that was chosen when it was sent', async () => {
    const first = later<Sent>();
    backend.send.mockReturnValueOnce(first.promise).mockResolvedValue(answer('t2'));
    talk.model = 'small';
    talk.provider = 'work';
    say('One');
    say('Two');
    talk.model = 'large';
    talk.provider = null;
    say('Three');
    first.resolve(answer('t1', false));
    await settled();
    expect(backend.send.mock.calls).toEqual([
      [ID, sent('One', { model: 'small', provider: 'work' })],
      [ID, sent('Two', { model: 'small', provider: 'work' })],
      [ID, sent('Three', { model: 'large' })],
    ]);
  });

  test('none goes before one that failed: all stand in the field again, in their order', async () => {
    backend.send.mockRejectedValueOnce(new BackendError('busy', 'held', 'wait'));
    say('One');
    say('Two');
    talk.write('Three');
    await settled();
    expect(talk.text).toBe('One\n\nTwo\n\nThree');
    expect(backend.send).toHaveBeenCalledOnce();
    expect(talk.failure).toMatchObject({ code: 'busy', sent: false });
    expect(leaving()).toEqual([]);
  });

  test('behind a turn that runs, each is shown once', async () => {
    turn('t1')('started');
    const first = later<Sent>();
    backend.send.mockReturnValueOnce(first.promise);
    say('Two');
    expect(leaving()).toEqual(['Two']);
    turn('t2')('queued', { text: 'Two' });
    expect(leaving(), 'that it waits is known before it is answered').toEqual([]);
    expect(talk.queued).toHaveLength(1);
    first.resolve(answer('t2'));
    await settled();
    expect(talk.queued).toHaveLength(1);
  });

  test('a message waits for the answer to another try', async () => {
    const tried = later<Sent>();
    backend.send.mockReturnValueOnce(tried.promise);
    void talk.retry();
    say('Then this');
    expect(backend.send).toHaveBeenCalledOnce();
    expect(leaving(), 'and is shown').toEqual(['Then this']);
    tried.resolve(answer('t1', false));
    await settled();
    expect(backend.send).toHaveBeenLastCalledWith(ID, sent('Then this'));
  });
});

test('a conversation begins with all that was written until there is one', async () => {
  const made = later<Session>();
  const send = vi.fn((_: string, request: object) => Promise.resolve(answer(JSON.stringify(request))));
  const parts = fakeBackend({ createSession: () => made.promise, send, turns: backend.turns });
  const open = { id: ID, recorded: onRecord, shown: { toEnd: () => undefined } };
  const events = { on: () => () => undefined };
  const begun = vi.fn(() => talks.open(open as never));
  const hooks = { onSettings: () => undefined, onBegun: begun };
  const talks: Talks = new Talks(parts, events as never, hooks, desk as unknown as Desk);
  const { fresh } = talks;
  await settled();

  fresh.model = 'small';
  fresh.write('One');
  void fresh.send();
  expect(
    fresh.leaving.map(({ text }) => text),
    'it is on its way',
  ).toEqual(['One']);
  fresh.model = 'large';
  fresh.write('Two');
  void fresh.send();
  fresh.write('half a th');
  made.resolve(session(ID));
  await settled();
  expect(begun).toHaveBeenCalledOnce();
  expect(send.mock.calls).toEqual([
    [ID, sent('One', { model: 'small' })],
    [ID, sent('Two', { model: 'large' })],
  ]);
  expect(pieces.get(`unsent.${ID}`)).toBe('half a th');
  expect([fresh.text, fresh.leaving, pieces.get('unsent')]).toEqual(['', [], null]);
});

test.each([false, true])(
  'what can not be laid with the conversation that begins stays where it was; it can later: %s',
  async (can) => {
    const parts = fakeBackend({
      createSession: () => Promise.resolve(session(ID)),
      send: () => Promise.resolve(answer('t1', false)),
      turns: backend.turns,
    });
    let tries = 0;
    const kept = new Map<string, unknown>();
    const theirs = `unsent.${ID}`;
    const full = {
      ...desk,
      lay: (key: string, value: unknown) => void (key === theirs ? kept : pieces).set(key, value),
      laid: (key: string) => {
        if (key !== theirs) return Promise.resolve(null);
        if (tries++ === 0 || !can) return Promise.resolve(new Error('the disk is full'));
        pieces.set(key, kept.get(key));
        return Promise.resolve(null);
      },
    };
    const open = { id: ID, recorded: onRecord, shown: { toEnd: () => undefined } };
    const hooks = { onSettings: () => undefined, onBegun: () => talks.open(open as never) };
    const talks: Talks = new Talks(parts, { on: () => () => undefined } as never, hooks, full as unknown as Desk);
    const { fresh } = talks;
    await settled();
    fresh.write('One');
    void fresh.send();
    fresh.write('half a th');
    await settled();
    await settled();
    const there = { text: 'half a th', sending: [{ by: desk.by, text: 'One', key: expect.any(String) as string }] };
    expect([pieces.get('unsent'), pieces.get(theirs)]).toEqual(can ? [null, 'half a th'] : [there, undefined]);
  },
);
