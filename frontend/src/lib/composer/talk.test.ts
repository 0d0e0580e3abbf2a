import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ID, later, settled } from '../../test/fakes';
import { BackendError, type Answered, type Question, type Sent, type TurnEvent, type Turns } from '../backend';
import { Answer } from './answer.svelte';
import { Talk } from './talk.svelte';
import { Unsent } from './unsent';

const IDLE: Turns = { running: null, queued: [], canRetry: false, heldBy: null, readOnly: false, noTools: null };
const running = (more: Partial<NonNullable<Turns['running']>> = {}): Turns => ({
  ...IDLE,
  running: {
    turnId: 't1',
    n: 5,
    state: 'streaming',
    text: 'Hello',
    answer: 'So far',
    thinking: '',
    toolCalls: [],
    callsSeq: null,
    asking: null,
    ...more,
  },
});

const backend = {
  turns: vi.fn((): Promise<Turns> => Promise.resolve(IDLE)),
  send: vi.fn((): Promise<Sent> => Promise.resolve({ turnId: 't1', queued: false, seq: 7, ahead: 0 })),
  endTurn: vi.fn(() => Promise.resolve({ withdrawn: true, text: '' })),
  keepImage: vi.fn(() => Promise.reject(new Error('none'))),
  answer: vi.fn((): Promise<Answered> => Promise.resolve({ callId: 'c1', answer: 'once', rules: [], problem: null })),
};
/** A desk on which everything lies at once. */
const pieces = new Map<string, unknown>();
const desk = {
  follow: (key: string, listener: (value: unknown) => void) => {
    void Promise.resolve().then(() => {
      listener(pieces.get(key) ?? null);
    });
    return () => undefined;
  },
  lay: (key: string, value: unknown) => void pieces.set(key, value),
};
const onRecord = vi.fn(() => Promise.resolve());
const onSent = vi.fn();
let talk: Talk;

/** Events of a turn, counted as they come. */
function turn(id: string) {
  let n = 0;
  return (kind: string, data: Record<string, unknown> = {}, at = ++n) => {
    const event: TurnEvent = { sessionId: ID, turnId: id, n: (n = at), kind, data };
    talk.onTurn(event);
  };
}
const shown = () => talk.parts.map((part) => (part instanceof Answer ? `answer: ${part.text}` : `said: ${part.text}`));
// What came in is shown no later than this, however slow the machine.
const frame = () => vi.advanceTimersByTimeAsync(250);

beforeEach(() => {
  vi.useFakeTimers();
  pieces.clear();
  backend.turns.mockReset().mockResolvedValue(IDLE);
  backend.send.mockReset().mockResolvedValue({ turnId: 't1', queued: false, seq: 7, ahead: 0 });
  backend.endTurn.mockReset().mockResolvedValue({ withdrawn: true, text: '' });
  onRecord.mockReset().mockResolvedValue(undefined);
  onSent.mockReset();
  talk = new Talk(backend, ID, new Unsent(desk), { onRecord, onSent });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a question', () => {
  const question: Question = {
    callId: 'c1',
    asked: 1,
    tool: 'bash',
    command: 'ls',
    paths: [],
    diff: '',
    why: 'No rule.',
    rules: ['bash(ls *)'],
    cut: false,
  };

  test('is there until it is answered, by whomever', async () => {
    const say = turn('t1');
    say('started');
    say('toolCall', { id: 'c1', name: 'bash', arguments: { command: 'ls' } });
    say('permission', { ...question });
    expect(talk.turn?.state).toBe('asking');
    expect(talk.turn?.question).toEqual(question);
    expect(talk.spoken).toBe('asking');
    await talk.answer('no', 'not now');
    const told = { callId: 'c1', asked: 1, answer: 'no', reason: 'not now' };
    expect(backend.answer).toHaveBeenCalledExactlyOnceWith(ID, 't1', told);
    say('answered', { callId: 'c1', asked: 1, answer: 'no' });
    expect(talk.turn?.question).toBeNull();
    expect(talk.turn?.state).toBe('tools');
    expect(talk.spoken, 'the next is read out as well').toBeNull();
    await talk.answer('once');
    expect(backend.answer).toHaveBeenCalledOnce();
  });

  test('that an event does not hold is asked for, and not shown before', async () => {
    backend.turns.mockResolvedValue(running({ state: 'asking', n: 2, asking: { ...question, command: 'a long one' } }));
    const say = turn('t1');
    say('started');
    say('permission', { ...question, cut: true });
    expect(talk.turn?.question).toBeNull();
    await settled();
    expect(talk.turn?.question?.command).toBe('a long one');
  });
});

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
    expect(backend.send).toHaveBeenLastCalledWith(ID, { text: 'Hello\n\nAnd more' });
  });

  test('lies on the desk until it is known to be sent', async () => {
    await settled();
    const sent = later<Sent>();
    backend.send.mockReturnValue(sent.promise);
    talk.write('Hello');
    void talk.send();
    talk.write('And more');
    expect(talk.text).toBe('And more');
    expect(pieces.get(`unsent.${ID}`)).toBe('Hello\n\nAnd more');
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
    talk = new Talk(backend, ID, new Unsent({ ...desk, follow }), { onRecord, onSent });
    await settled();
    const say = turn('t1');
    say('done', { status: 'error', error: { code: 'busy', message: 'held', hint: '' }, unsent: 'The wh…' });
    talk.write(`${talk.text}\n\nAnd more`);
    tell(['The whole of it']);
    expect(talk.text).toBe('The whole of it\n\nAnd more');
    tell(['The whole of it']);
    expect(talk.text).toBe('The whole of it\n\nAnd more');
  });

  test('of nothing but spaces is none, and one at a time is sent', async () => {
    talk.write(' \n ');
    await talk.send();
    expect(backend.send).not.toHaveBeenCalled();
    talk.write('a');
    void talk.send();
    talk.write('b');
    void talk.send();
    await settled();
    expect(backend.send).toHaveBeenCalledOnce();
    expect(talk.text).toBe('b');
  });

  test('is found again when the page is loaded anew, and goes to the model that was chosen', async () => {
    await settled();
    talk.write('half a');
    const again = new Talk(backend, ID, new Unsent(desk), { onRecord, onSent });
    await settled();
    expect(again.text).toBe('half a');
    again.model = 'm2';
    await again.send();
    expect(backend.send).toHaveBeenCalledWith(ID, { text: 'half a', model: 'm2' });
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

test('tools: calls with their results, then the answer after them', async () => {
  const say = turn('t1');
  say('started');
  say('toolCall', { id: 'x', name: 'bash', arguments: '{"command":"ls"}' });
  say('record', { seq: 8, role: 'assistant' });
  say('toolResult', { toolCallId: 'x', isError: false, text: 'a b' });
  const [first] = talk.parts;
  expect(first instanceof Answer && first.calls[0]?.call.args).toEqual({ command: 'ls' });
  expect(first instanceof Answer && first.calls[0]?.run.result?.record.content).toMatchObject([{ text: 'a b' }]);
  say('record', { seq: 9, role: 'toolResult' });
  say('text', { text: 'Done.' });
  await frame();
  expect(shown()).toEqual(['answer: ', 'answer: Done.']);
});

describe('a call that runs', () => {
  const call = { id: 'x', name: 'bash', arguments: { command: 'make' } };
  const state = () => talk.runsOf(8).map((run) => `${run.state}: ${run.output}`);

  test('says since when, and what it prints, also beside the log', async () => {
    const say = turn('t1');
    say('started');
    say('toolCall', { ...call, id: 'x' });
    say('toolCall', { ...call, id: 'y' });
    say('record', { seq: 8, role: 'assistant' });
    expect(state()).toEqual(['waiting: ', 'waiting: ']);
    say('toolStarted', { toolCallId: 'x', startedAt: '2026-11-20T09:00:00Z' });
    say('toolOutput', { toolCallId: 'x', text: 'one ' });
    say('toolOutput', { toolCallId: 'x', text: 'two' });
    say('toolOutput', { toolCallId: 'nobody', text: 'lost' });
    await frame();
    expect(state()).toEqual(['running: one two', 'waiting: ']);
    expect(talk.runsOf(8)[0]?.startedAt).toBe(Date.parse('2026-11-20T09:00:00Z'));
    say('toolResult', { toolCallId: 'x', isError: false, text: 'one two' });
    expect(state()).toEqual(['done: one two', 'waiting: ']);
    say('done', { status: 'aborted', seqs: [] });
    await settled();
    // What was seen stays until the log has it.
    expect(state()).toEqual(['done: one two', 'waiting: ']);
    expect(talk.runsOf(9)).toEqual([]);
  });

  test('stands as it was asked for, and goes on from there', async () => {
    backend.turns.mockResolvedValue(
      running({
        state: 'tools',
        n: 4,
        answer: '',
        callsSeq: 8,
        toolCalls: [
          {
            ...call,
            id: 'a',
            state: 'done',
            startedAt: null,
            output: '',
            outputCut: false,
            result: { isError: true, text: 'no' },
          },
          {
            ...call,
            state: 'running',
            startedAt: '2026-11-20T09:00:00Z',
            output: 'so far',
            outputCut: false,
            result: null,
          },
        ],
      }),
    );
    await talk.sync();
    expect(state()).toEqual(['done: ', 'running: so far']);
    expect(talk.runsOf(8)[0]?.result?.record.isError).toBe(true);
    const say = turn('t1');
    say('toolOutput', { toolCallId: 'x', text: ', and more' }, 5);
    await frame();
    expect(state()).toEqual(['done: ', 'running: so far, and more']);
  });

  test('that is said to be cut is, however many characters came', async () => {
    const printing = (output: string, outputCut: boolean) =>
      running({
        callsSeq: 8,
        toolCalls: [{ ...call, state: 'running', startedAt: null, output, outputCut, result: null }],
      });
    for (const [output, cut] of [
      ['é'.repeat(16_000), true],
      ['all of it', false],
      ['a'.repeat(24_000), false],
    ] as const) {
      backend.turns.mockResolvedValue(printing(output, cut));
      await talk.sync();
      expect(talk.runsOf(8)[0]).toMatchObject({ output, cut });
    }
  });

  test('that floods is kept to its end, in whole lines', async () => {
    const say = turn('t1');
    say('toolCall', call);
    say('record', { seq: 8, role: 'assistant' });
    for (let n = 0; n < 500; n++) say('toolOutput', { toolCallId: 'x', text: `${'line '.repeat(100)}${n}\n` });
    await frame();
    const [run] = talk.runsOf(8);
    expect(run?.output.length).toBeLessThan(24_001);
    expect(run?.output).toMatch(/^line .* 499\n$/s);
    expect(run?.cut).toBe(true);
    say('toolOutput', { toolCallId: 'x', text: 'the end', skipped: 100_000 });
    await frame();
    expect(run?.output).toBe('the end');
  });
});

describe('what a turn does beside answering', () => {
  const now = () => [talk.turn?.state, talk.turn?.doing, talk.turn?.notes];

  test('is said while it goes on, and what matters of it stays', () => {
    const say = turn('t1');
    say('started');
    say('memoryFlush', { state: 'started' });
    expect(now()).toEqual(['compacting', 'Noting down what is worth keeping…', []]);
    say('memoryFlush', { state: 'done' });
    expect(now()).toEqual(['waiting', '', []]);
    say('compaction', { state: 'pruned', tokensFreed: 24_000, committedSeq: 9 });
    expect(now()).toEqual(['waiting', '', ['Cleared old tool output: 24k tokens']]);
    say('compaction', { state: 'started', trigger: 'threshold' });
    expect(now().slice(0, 2)).toEqual(['compacting', 'Compacting first…']);
    say('compaction', { state: 'done', committedSeq: 10, hook: { used: 'none', problem: 'it took too long' } });
    expect(now()[2]).toEqual([
      'Cleared old tool output: 24k tokens',
      'compaction.hook was not heard: it took too long',
    ]);
    say('memoryFlush', { state: 'failed', reason: 'the disk is full' });
    say('compaction', { state: 'failed', error: { message: 'no answer' } });
    expect(talk.turn?.notes.slice(2)).toEqual([
      'Writing memory failed, nothing was lost: the disk is full',
      'Compacting failed, nothing was lost: no answer',
    ]);
    say('text', { text: 'So.' });
    expect(now().slice(0, 2)).toEqual(['streaming', '']);
  });

  test('goes on when it was asked for again', async () => {
    const say = turn('t1');
    say('started');
    say('compaction', { state: 'started', trigger: 'threshold' });
    for (let attempt = 1; attempt < 3; attempt++) {
      say('retry', { attempt, inMs: 3000, reason: 'overloaded' });
      await vi.advanceTimersByTimeAsync(2900);
      expect([talk.turn?.state, talk.turn?.retry?.attempt]).toEqual(['retrying', attempt]);
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(now().slice(0, 2)).toEqual(['compacting', 'Compacting first…']);
    expect(talk.turn?.retry).toBeNull();
    say('compaction', { state: 'done', committedSeq: 10 });
    expect(talk.turn?.state).toBe('waiting');
  });
});
