// @vitest-environment jsdom
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { ID, later, settled } from '../../test/fakes';
import {
  IDLE,
  backend,
  desk,
  frame,
  onRecord,
  onSent,
  pieces,
  running,
  shown,
  talk,
  talkAt,
  turn,
} from '../../test/talking';
import { BackendError, type Sent, type Turns } from '../backend';
import { Talk } from './talk.svelte';
import { Unsent } from './unsent';

describe('a message', () => {
  test('stands below the log at once, and its answer below it, until the log is shown with them', async () => {
    talk.write('Hello');
    const sent = later<Sent>();
    backend.send.mockReturnValue(sent.promise);
    void talk.send();
    expect(talk.text).toBe('');
    expect(shown()).toEqual(['said: Hello']);
    expect(onSent, 'the view goes to it now, not once it is answered').toHaveBeenCalledOnce();
    sent.resolve({ turnId: 't1', queued: false, seq: 7, ahead: 0 });
    await settled();
    expect(shown()).toEqual(['said: Hello', 'answer: ']);
    expect(onSent).toHaveBeenCalledOnce();

    const say = turn('t1');
    say('started');
    say('record', { seq: 7, role: 'user' });
    say('text', { text: 'One ' });
    say('text', { text: 'two.' });
    expect(shown(), 'not for each piece').toEqual(['said: Hello', 'answer: ']);
    await frame();
    expect(shown()).toEqual(['said: Hello', 'answer: One two.']);
    say('record', { seq: 8, role: 'assistant' });
    expect(talk.parts.map(({ seq }) => seq)).toEqual([7, 8]);

    const read = later<undefined>();
    onRecord.mockReturnValue(read.promise as never);
    say('done', { status: 'ok', seqs: [7, 8], usage: null });
    expect(talk.turn).toBeNull();
    expect(shown(), 'until the log has been read').toEqual(['said: Hello', 'answer: One two.']);
    read.resolve(undefined);
    await settled();
    expect(shown()).toEqual([]);
    expect(talk.spoken).toBe('finished');
  });

  test('whose turn is heard of before the answer to it is one turn all the same', async () => {
    talk.write('Hello');
    const sent = later<Sent>();
    backend.send.mockReturnValue(sent.promise);
    void talk.send();
    const say = turn('t1');
    say('started');
    say('record', { seq: 7, role: 'user' });
    say('text', { text: 'Hi' });
    await frame();
    sent.resolve({ turnId: 't1', queued: false, seq: 7, ahead: 0 });
    await settled();
    expect(shown()).toEqual(['said: Hello', 'answer: Hi']);
    say('done', { status: 'ok' });
    await settled();
    expect(shown()).toEqual([]);
    say('text', { text: 'late' }, 2);
    expect(talk.turn).toBeNull();
  });

  test('that cannot be sent stands in the field again, with why', async () => {
    backend.send.mockRejectedValue(new BackendError('busy', 'held', 'wait'));
    talk.write('Hello');
    void talk.send();
    talk.write('And more');
    await settled();
    expect(talk.text).toBe('Hello\n\nAnd more');
    expect(talk.failure).toMatchObject({ code: 'busy', sent: false });
    expect(shown()).toEqual([]);
    await talk.send();
    expect(backend.send).toHaveBeenLastCalledWith(ID, expect.objectContaining({ text: 'Hello\n\nAnd more' }));
  });

  test('of which nobody knows whether it arrived is never as one that was sent, and neither once that is known', async () => {
    await settled();
    const offline = new BackendError('offline', 'Palimpsest does not answer.');
    const doubtful = () => talk.parts.map((part) => talk.isInDoubt(part));
    backend.send.mockRejectedValue(offline);
    backend.giveUp.mockRejectedValueOnce(offline);
    talk.write('Hello');
    void talk.send();
    expect(doubtful()).toEqual([false]);
    await settled();
    expect([shown(), doubtful()]).toEqual([['said: Hello'], [true]]);
    talk.write('And more');
    void talk.send();
    expect(talk.leaving.map((one) => talk.standingOf(one))).toEqual(['waitsForProgram']);
    talk.onGap();
    await settled();
    expect([talk.text, talk.isAway]).toEqual(['Hello\n\nAnd more', false]);
    expect(talk.failure?.code).toBe('undelivered');
    expect(talk.failure?.message, 'it answers by now').not.toContain('does not answer');

    backend.giveUp.mockRejectedValueOnce(new BackendError('failed', 'the log cannot be read'));
    await talk.send();
    expect([talk.failure?.code, talk.failure?.sent]).toEqual(['unheard', false]);
  });

  test('that could not leave as nobody answered is not said to be so once somebody does', async () => {
    await settled();
    const offline = new BackendError('offline', 'Palimpsest does not answer.');
    talkAt({ ...desk, laid: () => Promise.resolve(offline) });
    talk.write('Hello');
    await talk.send();
    expect(talk.failure).toMatchObject({ code: 'offline', sent: false });
    talk.onGap();
    expect(talk.failure?.message).not.toContain('does not answer');
    expect(talk.text).toBe('Hello');
    talkAt(desk);
    backend.send.mockRejectedValue(offline);
    await talk.retry();
    expect(talk.failure).toMatchObject({ code: 'offline', sent: true });
    talk.onGap();
    expect(talk.failure, 'what the log holds can be tried again from there').toBeNull();
  });

  test('lies on the desk until it is known to be sent', async () => {
    await settled();
    const sent = later<Sent>();
    backend.send.mockReturnValue(sent.promise);
    talk.write('Hello');
    void talk.send();
    talk.write('And more');
    expect(talk.text).toBe('And more');
    expect(pieces.get(`unsent.${ID}`)).toEqual({
      text: 'And more',
      sending: [{ by: desk.by, text: 'Hello', key: expect.any(String) as string }],
    });
    sent.resolve({ turnId: 't1', queued: false, seq: 7, ahead: 0 });
    await settled();
    expect(talk.text).toBe('And more');
    expect(pieces.get(`unsent.${ID}`)).toBe('And more');
  });

  test('that came back while nobody looked stands in the field, before what is written there', async () => {
    pieces.set(`returned.${ID}`, ['one', 'al']);
    pieces.set(`unsent.${ID}`, 'half');
    const again = new Talk(backend, ID, new Unsent(desk), { onRecord, onSent });
    await settled();
    expect(again.text).toBe('one\n\nal\n\nhalf');
    expect(pieces.get(`unsent.${ID}`)).toBe(again.text);
    expect(pieces.get(`returned.${ID}`)).toBeNull();
  });

  test('of which the event held the beginning is put back whole, and once', async () => {
    let tell: (value: unknown) => void = () => undefined;
    const follow: typeof desk.follow = (key, listener) => {
      if (key.startsWith('returned')) tell = listener;
      return desk.follow(key, listener);
    };
    talkAt({ ...desk, follow });
    await settled();
    const say = turn('t1');
    say('done', { status: 'error', error: { code: 'busy', message: 'held', hint: '' }, unsent: 'The wh…' });
    talk.write(`${talk.text}\n\nAnd more`);
    tell(['The whole of it']);
    expect(talk.text).toBe('The whole of it\n\nAnd more');
    tell(['The whole of it']);
    expect(talk.text).toBe('The whole of it\n\nAnd more');
  });

  test('of nothing but spaces is none', async () => {
    talk.write(' \n ');
    await talk.send();
    expect(backend.send).not.toHaveBeenCalled();
  });

  test('is found again when the page is loaded anew, and goes to the model that was chosen', async () => {
    await settled();
    talk.write('half a');
    const again = new Talk(backend, ID, new Unsent(desk), { onRecord, onSent });
    await settled();
    expect(again.text).toBe('half a');
    again.model = 'm2';
    await again.send();
    expect(backend.send).toHaveBeenCalledWith(ID, expect.objectContaining({ text: 'half a', model: 'm2' }));
    expect(pieces.get(`unsent.${ID}`)).toBeNull();
  });

  test('that was begun before what lay on the desk was known stands behind it', async () => {
    pieces.set(`unsent.${ID}`, 'from before');
    const again = new Talk(backend, ID, new Unsent(desk), { onRecord, onSent });
    again.write('typed early');
    await settled();
    expect(again.text).toBe('from before\n\ntyped early');
    expect(pieces.get(`unsent.${ID}`)).toBe(again.text);
  });
});

describe('a queue', () => {
  test('shows what waits, once, and it stands above its answer when its time has come', async () => {
    turn('t1')('started');
    backend.send.mockResolvedValue({ turnId: 't2', queued: true, seq: null, ahead: 1 });
    talk.write('Next');
    const second = turn('t2');
    second('queued', { text: 'Next', ahead: 1 });
    await talk.send();
    expect(talk.queued).toEqual([{ turnId: 't2', text: 'Next', images: [] }]);
    expect(shown()).toEqual(['answer: ']);
    second('started');
    expect(talk.queued).toEqual([]);
    expect(shown()).toEqual(['said: Next', 'answer: ']);
  });

  test('gives back what is withdrawn, into the field or beside it', async () => {
    for (const id of ['a', 'b']) turn(id)('queued', { text: `text ${id}` });
    expect(await talk.withdraw({ turnId: 'a', text: 'text a' })).toBeNull();
    expect(talk.text).toBe('text a');
    expect(await talk.withdraw({ turnId: 'b', text: 'text b' })).toBe('text b');
    expect(talk.text).toBe('text a');
    expect(talk.queued).toEqual([]);
  });

  test('withdrawn elsewhere is withdrawn here', () => {
    const say = turn('a');
    say('queued', { text: 'x' });
    say('withdrawn');
    expect(talk.queued).toEqual([]);
  });
});

describe('what goes wrong', () => {
  test('a failed turn says why, and can be tried again', async () => {
    const say = turn('t1');
    say('started');
    backend.turns.mockResolvedValue({ ...IDLE, canRetry: true });
    say('error', { code: 'overflow', message: 'too long', hint: 'compact' });
    say('done', { status: 'error', seqs: [7] });
    await settled();
    expect(talk.failure).toEqual({ code: 'overflow', message: 'too long', hint: 'compact', sent: true });
    expect(talk.canRetry).toBe(true);
    expect(talk.spoken).toBe('failed');
    await talk.retry();
    expect(backend.send).toHaveBeenCalledWith(ID, { retry: true });
    expect(talk.failure).toBeNull();
  });

  test('what was streamed before another try is void', async () => {
    const say = turn('t1');
    say('started');
    say('text', { text: 'Half an' });
    await frame();
    say('retry', { attempt: 1, inMs: 3000, reason: 'overloaded' });
    expect(shown()).toEqual(['answer: ']);
    expect(talk.turn?.retry).toMatchObject({ attempt: 1, reason: 'overloaded' });
    say('text', { text: 'Whole' });
    await frame();
    expect(shown()).toEqual(['answer: Whole']);
    expect(talk.turn?.retry).toBeNull();
  });

  test('a message that waited and could not be sent stands in the field again', async () => {
    const say = turn('t1');
    say('queued', { text: 'The whole of it' });
    say('error', { code: 'busy', message: 'held', hint: '' });
    say('done', { status: 'error', seqs: [], error: { code: 'busy', message: 'held', hint: '' }, unsent: 'The wh…' });
    await settled();
    expect(talk.text).toBe('The whole of it');
    expect(talk.queued).toEqual([]);
    expect(talk.failure).toMatchObject({ code: 'busy', sent: false });
  });

  test('stopped is stopped once, and what had ended by itself is no failure', async () => {
    turn('t1')('started');
    void talk.stop();
    void talk.stop();
    await settled();
    expect(backend.endTurn).toHaveBeenCalledExactlyOnceWith(ID, 't1');

    backend.endTurn.mockRejectedValue(new BackendError('not_found', 'over'));
    turn('t2')('started');
    await talk.stop();
    expect(talk.turn).toBeNull();
  });
});

describe('a gap', () => {
  test('is closed by asking how it stands, and the count goes on from there', async () => {
    const say = turn('t1');
    say('started');
    say('text', { text: 'S' });
    say('text', { text: '!' }, 6);
    backend.turns.mockResolvedValue(running());
    await vi.advanceTimersByTimeAsync(400);
    expect(backend.turns).toHaveBeenCalledOnce();
    await frame();
    expect(shown()).toEqual(['answer: So far!']);
    say('text', { text: '?' }, 7);
    await frame();
    expect(shown()).toEqual(['answer: So far!?']);
  });

  test('what came while it was asked is neither lost nor said twice', async () => {
    const answer = later<Turns>();
    backend.turns.mockReturnValue(answer.promise);
    void talk.sync();
    const say = turn('t1');
    say('text', { text: ' twice' }, 5);
    say('text', { text: ' once' }, 6);
    answer.resolve(running());
    await settled();
    await frame();
    expect(shown()).toEqual(['answer: So far once']);
  });

  test('in which the turn ended leaves nothing running', async () => {
    turn('t1')('started');
    talk.onGap();
    await settled();
    await tick();
    expect(talk.turn).toBeNull();
    expect(shown()).toEqual([]);
    expect(onRecord).toHaveBeenCalled();
    expect(talk.spoken).toBe('finished');
  });

  test('in which the program ended while a tool asked leaves no question to be read out', async () => {
    turn('t1')('permission', { toolCallId: 'c1', tool: 'bash', command: 'ls' });
    expect(talk.spoken).toBe('asking');
    backend.turns.mockResolvedValue({ ...IDLE, canRetry: true });
    talk.onGap();
    await settled();
    expect([talk.turn, talk.spoken]).toEqual([null, 'failed']);
  });

  test('how a turn ended while it was asked is not lost', async () => {
    const say = turn('t1');
    say('started');
    const answer = later<Turns>();
    backend.turns.mockReturnValueOnce(answer.promise).mockResolvedValue({ ...IDLE, canRetry: true });
    void talk.sync();
    say('record', { seq: 8, role: 'assistant' });
    say('done', { status: 'error', error: { code: 'failed', message: 'no key', hint: '' } });
    answer.resolve(IDLE);
    await settled();
    expect(talk.failure).toMatchObject({ message: 'no key', sent: true });
    expect(talk.canRetry).toBe(true);
  });

  test('a turn that began while it was asked goes on', async () => {
    const answer = later<Turns>();
    backend.turns.mockReturnValueOnce(answer.promise).mockResolvedValue(running({ n: 1, answer: '' }));
    void talk.sync();
    talk.write('Hello');
    await talk.send();
    expect(talk.turn?.id).toBe('t1');
    answer.resolve(IDLE);
    await settled();
    expect(talk.turn?.id).toBe('t1');
  });
});
