// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { App } from '../lib/app.svelte';
import { fakeBackend, ID, settled } from './fakes';
import Host from './Host.svelte';
import LiveCards from './LiveCards.svelte';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

describe('a question', () => {
  const calls = [0, 1].map(() => ({ id: 'c1', name: 'bash', arguments: { command: 'ls' } }));
  const question = {
    callId: 'c1',
    tool: 'bash',
    command: 'ls',
    paths: [],
    diff: '',
    why: 'No rule.',
    rules: [],
    cut: false,
  };

  /** Two calls of one id, as they stand below the log. */
  async function asking() {
    const answered = vi.fn(() => Promise.resolve({ callId: 'c1', answer: 'once' as const, rules: [], problem: null }));
    const app = new App(fakeBackend({ answer: answered }));
    render(Host, { props: { app, of: LiveCards as unknown as Component<Record<string, unknown>> } });
    let n = 0;
    let turnId = 't1';
    const say = async (kind: string, data: Record<string, unknown> = {}) => {
      app.turnEvents.emit({ sessionId: ID, turnId, n: ++n, kind, data });
      await settled();
      await tick();
    };
    await say('started');
    for (const call of calls) await say('toolCall', call);
    await say('permission', { ...question, asked: 1 });
    const next = async () => {
      await say('done', { status: 'cancelled' });
      [turnId, n] = ['t2', 0];
      await say('started');
      await say('toolCall', calls[0]);
      await say('permission', { ...question, asked: 1 });
    };
    return { say, answered, next };
  }
  const cards = () =>
    screen.getAllByTestId('tool-card').map((card) => card.querySelector('[data-testid="approval"]') !== null);

  test('is put on one card, though a model may use an id twice', async () => {
    const { say } = await asking();
    expect(cards()).toEqual([true, false]);
    await say('answered', { callId: 'c1', asked: 1, answer: 'once' });
    await say('toolResult', { toolCallId: 'c1', text: 'a', isError: false });
    await say('permission', { ...question, asked: 2 });
    expect(cards()).toEqual([false, true]);
  });

  test('that was answered leaves the focus on its card, or on that of the next', async () => {
    const { say, answered } = await asking();
    const press = async () => {
      const once = screen.getByRole('button', { name: 'Once' });
      once.focus();
      await fireEvent.click(once);
      await settled();
    };
    const heads = screen.getAllByTestId('tool-head');
    await press();
    expect(answered).toHaveBeenCalledOnce();
    await say('answered', { callId: 'c1', asked: 1, answer: 'once' });
    expect(document.activeElement).toBe(heads[0]);
    await say('toolResult', { toolCallId: 'c1', text: 'a', isError: false });
    await say('permission', { ...question, asked: 2 });
    await press();
    await say('answered', { callId: 'c1', asked: 2, answer: 'once' });
    expect(document.activeElement).toBe(heads[1]);
  });

  test('does not take the focus that one of a turn before had, whose call had the same id', async () => {
    const { next } = await asking();
    screen.getByRole('button', { name: 'Once' }).focus();
    await next();
    expect(screen.getByRole('button', { name: 'Once' })).not.toBe(document.activeElement);
  });
});
