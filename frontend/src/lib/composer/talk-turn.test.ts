// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { ID, later, settled } from '../../test/fakes';
import { backend, desk, frame, pieces, running, shown, talk, talkAt, turn } from '../../test/talking';
import type { Answered, Question, Sent, Turns } from '../backend';
import { Answer } from './answer.svelte';

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

  test('that was answered takes the reason with it, however late who answered hears of it', async () => {
    const told = later<Answered>();
    backend.answer.mockReturnValueOnce(told.promise);
    const say = turn('t1');
    say('started');
    say('permission', { ...question });
    talk.reason?.write('Not now.');
    const answered = talk.answer('no', 'Not now.');
    say('answered', { callId: 'c1', asked: 1, answer: 'no' });
    say('done', { status: 'ok' });
    expect(talk.text).toBe('');
    told.resolve({ callId: 'c1', answer: 'no', rules: [], problem: null });
    await answered;
    expect(pieces.get(`reason.${ID}`)).toBeNull();
    expect(talk.text).toBe('');
  });

  test('that was answered leaves alone what is written to the next one before who answered hears of it', async () => {
    await settled();
    const told = later<Answered>();
    backend.answer.mockReturnValueOnce(told.promise);
    const say = turn('t1');
    say('started');
    say('permission', { ...question });
    talk.reason?.write('Not now.');
    const answered = talk.answer('no', 'Not now.');
    say('answered', { callId: 'c1', asked: 1, answer: 'no' });
    say('permission', { ...question, callId: 'c2', asked: 2 });
    talk.reason?.write('Not there.');
    told.resolve({ callId: 'c1', answer: 'no', rules: [], problem: null });
    await answered;
    expect(talk.reason?.text).toBe('Not there.');
    expect(pieces.get(`reason.${ID}`)).toBe('Not there.');
  });

  test('to which something was written before it is known what lies there keeps both', async () => {
    pieces.set(`reason.${ID}`, 'Not now.');
    talkAt(desk);
    turn('t1')('started');
    talk.reason?.write('Never.');
    await settled();
    expect(talk.reason?.text).toBe('Not now. Never.');
    expect(pieces.get(`reason.${ID}`)).toBe('Not now. Never.');
  });

  test('that nobody answered leaves the reason in the field, and on the desk until the field lies there', async () => {
    const laid = later<null>();
    talkAt({ ...desk, laid: () => laid.promise });
    await settled();
    const say = turn('t1');
    say('started');
    say('permission', { ...question });
    talk.reason?.write('Not now.');
    say('answered', { callId: 'c1', asked: 1, answer: 'stopped' });
    say('done', { status: 'aborted' });
    await settled();
    expect(talk.text).toBe('Not now.');
    expect(pieces.get(`reason.${ID}`)).toBe('Not now.');
    laid.resolve(null);
    await settled();
    expect(pieces.get(`reason.${ID}`)).toBeNull();
  });

  test('that nobody answered leaves the reason on the desk where the field can’t lie there', async () => {
    talkAt({ ...desk, laid: () => Promise.resolve(new Error('no room')) });
    await settled();
    const say = turn('t1');
    say('started');
    say('permission', { ...question });
    talk.reason?.write('Not now.');
    say('done', { status: 'aborted' });
    await settled();
    expect(talk.text).toBe('Not now.');
    expect(pieces.get(`reason.${ID}`)).toBe('Not now.');
  });

  test('stays where the turn before is told to be over only by now', async () => {
    const before = turn('t0');
    before('started');
    const say = turn('t1');
    say('started');
    say('permission', { ...question });
    talk.reason?.write('Not now.');
    before('done', { status: 'ok' });
    await settled();
    expect(talk.turn?.question?.callId).toBe('c1');
    expect([talk.reason?.text, talk.text]).toEqual(['Not now.', '']);
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

  test('that is asked for leaves what the log holds above it, until that is read there', async () => {
    backend.turns.mockResolvedValue(running({ state: 'asking', answer: '', callsSeq: 8, asking: question }));
    talk.write('Hello');
    await talk.send();
    const say = turn('t1');
    say('started');
    say('record', { seq: 7, role: 'user' });
    say('toolCall', { id: 'c1', name: 'bash', arguments: {} });
    say('record', { seq: 8, role: 'assistant' });
    say('permission', { ...question, cut: true });
    await settled();
    expect(talk.parts.map(({ kind, seq }) => [kind, seq])).toEqual([
      ['said', 7],
      ['answer', 8],
    ]);
  });
});

test('an answer is said to have started also where that is asked for before it is told', async () => {
  const asked = later<Turns>();
  const sent = later<Sent>();
  backend.turns.mockReturnValue(asked.promise);
  backend.send.mockReturnValue(sent.promise);
  void talk.sync();
  talk.write('Hello');
  void talk.send();
  turn('t1')('started');
  asked.resolve(running());
  await settled();
  sent.resolve({ turnId: 't1', queued: false, seq: 7, ahead: 0 });
  await settled();
  expect(talk.spoken).toBe('started');
});

test('how calls ran stays known, however often the turn after them is asked for', async () => {
  const before = turn('t0');
  before('started');
  before('toolCall', { id: 'c0', name: 'bash', arguments: {} });
  before('record', { seq: 3, role: 'assistant' });
  before('done', { status: 'ok' });
  const say = turn('t1');
  say('started');
  say('toolCall', { id: 'c1', name: 'bash', arguments: {} });
  say('record', { seq: 8, role: 'assistant' });
  backend.turns.mockResolvedValue(running({ callsSeq: 10 }));
  for (let times = 0; times <= 100; times++) await talk.sync();
  expect([3, 8].map((seq) => talk.runsOf(seq).length)).toEqual([1, 1]);
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

  test('whoever comes while a server is waited for reads why, and for how long', async () => {
    const retry = { attempt: 2, inMs: 3000, reason: 'overloaded' };
    backend.turns.mockResolvedValue(running({ state: 'retrying', answer: '', retry }));
    await talk.sync();
    expect([talk.turn?.state, talk.turn?.retry]).toEqual([
      'retrying',
      { attempt: 2, reason: 'overloaded', at: Date.now() + 3000 },
    ]);
  });

  test('is over where the answer begins with a call', () => {
    const say = turn('t1');
    say('started');
    say('retry', { attempt: 1, inMs: 3000, reason: 'overloaded' });
    say('toolCall', { id: 'c1', name: 'ask', arguments: {} });
    expect([talk.turn?.state, talk.turn?.retry]).toEqual(['streaming', null]);
  });

  test('whoever comes while a summary is asked for again sees that go on', async () => {
    const retry = { attempt: 1, inMs: 3000, reason: 'overloaded' };
    backend.turns.mockResolvedValue(running({ state: 'compacting', answer: '', retry }));
    await talk.sync();
    expect([talk.turn?.state, talk.turn?.retry?.reason]).toEqual(['retrying', 'overloaded']);
    await vi.advanceTimersByTimeAsync(3000);
    expect([talk.turn?.state, talk.turn?.retry]).toEqual(['compacting', null]);
  });

  test('a draft of a compaction is no turn', () => {
    const say = turn('d1');
    say('compaction', { state: 'text', text: '## Goal' });
    say('compaction', { state: 'ready' });
    expect([talk.turn, talk.parts]).toEqual([null, []]);
  });
});
