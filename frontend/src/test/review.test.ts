// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import AppView from '../App.svelte';
import Changes from '../features/compaction/Changes.svelte';
import Editor from '../features/compaction/Editor.svelte';
import Preview from '../features/compaction/Preview.svelte';
import Rows from '../features/compaction/Rows.svelte';
import Tabs from '../features/compaction/Tabs.svelte';
import { parts } from '../features/parts.svelte';
import { App } from '../lib/app.svelte';
import type { Backend, CompactionInfo } from '../lib/backend';
import { draftState, plan, ready, review, row } from '../lib/compaction/fakes';
import { Version } from '../lib/compaction/version.svelte';
import { config, fakeBackend, ID, listOf, outline, pageOf, session, settled } from './fakes';
import Host from './Host.svelte';

beforeAll(() => parts.review.load());
beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
});

function show(of: unknown, props: Record<string, unknown>) {
  const app = new App(fakeBackend());
  render(Host, { props: { app, of: of as Component<Record<string, unknown>>, props } });
}

describe('rows and their cut', () => {
  const slider = () => screen.getByRole('slider', { name: 'Cut' });

  test('are named, and go or stay', () => {
    show(Rows, { review: review(), cut: 5 });
    const rows = screen.getAllByTestId('review-row');
    expect(rows.map((one) => one.dataset.stays)).toEqual([...Array(4).fill('false'), ...Array(4).fill('true')]);
    expect(screen.queryByRole('slider'), 'what was made is not moved').toBeNull();
    expect(screen.queryByTestId('cut-here')).toBeNull();
  });

  test('of the past stayed where the model was sent them again, wherever the cut is', () => {
    show(Rows, { review: review({ plan: plan({ keep: [2, 3] }) }), cut: 9, past: true });
    const rows = screen.getAllByTestId('review-row');
    expect(rows.filter((one) => one.dataset.stays === 'true').map((one) => one.dataset.seq)).toEqual(['2', '3']);
  });

  test('keys move it from boundary to boundary', async () => {
    const onmove = vi.fn();
    show(Rows, { review: review(), cut: 5, onmove });
    expect(slider().getAttribute('aria-valuetext')).toBe('cut at 5: 4 messages go, 4 stay. user: Row 5.');
    expect([slider().getAttribute('aria-valuenow'), slider().getAttribute('aria-valuemax')]).toEqual(['2', '4']);
    for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'End', 'x']) await fireEvent.keyDown(slider(), { key });
    expect(onmove.mock.calls.map(([seq]: number[]) => seq)).toEqual([3, 7, 1, 9]);
  });

  test('a press puts it there; only where it may be', async () => {
    const onmove = vi.fn();
    show(Rows, { review: review(), cut: 5, onmove });
    expect(screen.queryByRole('button', { name: 'Cut before 4' })).toBeNull();
    await fireEvent.click(screen.getByRole('button', { name: 'Cut before 3' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Cut at the end' }));
    expect(onmove.mock.calls.map(([seq]: number[]) => seq)).toEqual([3, 9]);
  });

  test('of 2,000 only those in view exist', () => {
    const rows = Array.from({ length: 2000 }, (_, i) => row(i + 1));
    show(Rows, { review: review({ rows, totalRows: 2000 }), cut: 5 });
    expect(screen.getAllByTestId('review-row').length).toBeLessThan(80);
  });
});

test('tabs: arrows choose, one of them is on the way of the Tab key', async () => {
  const onchoose = vi.fn();
  const tabs = ['a', 'b', 'c'].map((key) => ({ key, label: key }));
  render(Tabs, { label: 't', id: 'x', panel: 'p', tabs, chosen: 'a', onchoose });
  expect(screen.getAllByRole('tab').map((tab) => tab.tabIndex)).toEqual([0, -1, -1]);
  await fireEvent.keyDown(screen.getByRole('tab', { name: 'a' }), { key: 'ArrowLeft' });
  expect(onchoose).toHaveBeenCalledExactlyOnceWith('c');
});

test('the editor shows what is new, and takes what is typed', async () => {
  const state = ready('## Goal\nold\nnew');
  if (!state.draft) throw new Error('no draft');
  const version = new Version(state, state.draft, {});
  show(Editor, { version, previous: '## Goal\nold' });
  expect([...document.querySelectorAll('pre span')].map((line) => line.className.split(' ')[0])).toEqual([
    'heading',
    expect.stringMatching(/^(svelte-.*)?$/) as string,
    'fresh',
  ]);
  const field = screen.getByRole('textbox', { name: 'Summary' });
  await fireEvent.input(field, { target: { value: ' ' } });
  expect([version.text, version.edited]).toEqual([' ', true]);
  expect(screen.getByText('An empty summary cannot be accepted.')).toBeDefined();
});

test('preview and changes of hostile text are text', async () => {
  show(Preview, { source: '<img src=x onerror=alert(1)> **b**' });
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByTestId('preview').querySelector('strong')?.textContent).toBe('b');
  show(Changes, { before: 'a', after: 'a\n<img src=x>\u202e', label: 'x' });
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByTestId('changes').textContent).toContain('<img src=x>⟨RLO⟩');
  await tick();
});

describe('the review in the window', () => {
  const made: CompactionInfo = {
    seq: 9,
    index: 8,
    timestamp: '2026-11-21T10:00:00Z',
    firstKeptSeq: 5,
    tokensBefore: 80,
    tokensAfter: 20,
    model: null,
    trigger: null,
    edited: false,
    messages: 4,
    readFiles: 0,
    modifiedFiles: 0,
    state: 'inForce',
    revertedBy: null,
  };

  async function opened(parts: Partial<Backend>, hash = `#/s/${ID}/compact`) {
    history.replaceState(null, '', hash);
    const app = new App(
      fakeBackend({
        sessions: listOf([session(ID, { name: 'harbour' })]),
        outline: () => Promise.resolve(outline({ compactions: [made] })),
        records: () => Promise.resolve(pageOf([], 0, 0)),
        plan: () => Promise.resolve(review()),
        startDraft: () => Promise.resolve(ready('## Goal\nGo on.', {}, null)),
        ...parts,
      }),
    );
    render(AppView, { app });
    for (let i = 0; i < 4; i++) {
      await settled();
      await tick();
    }
    return app;
  }

  test('stands over a window that takes no part; Escape leaves it', async () => {
    const app = await opened({});
    expect(screen.getByRole('dialog').getAttribute('aria-modal')).toBe('true');
    expect(screen.getByTestId('review-title').textContent).toBe('Compact “harbour”');
    expect(document.querySelector<HTMLElement>('.shell')?.inert).toBe(true);
    expect((screen.getByTestId('editor') as HTMLTextAreaElement).value).toBe('## Goal\nGo on.');
    const leave = vi.spyOn(app.route, 'leaveReview');
    await fireEvent.keyDown(window, { key: 'Escape' });
    expect(leave).toHaveBeenCalledWith(ID);
  });

  test('a draft by a model is offered with its cost, and asked for only then', async () => {
    const startDraft = vi.fn(() => Promise.resolve(draftState()));
    await opened({
      startDraft,
      plan: () => Promise.resolve(review({ model: 'gpt-5', inputTokens: 62_000, requests: 2 })),
    });
    const offer = screen.getByTestId('offer').textContent;
    for (const said of ['gpt-5', 'about 62,000 tokens', '2']) expect(offer).toContain(said);
    expect(startDraft).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByTestId('write'));
    await settled();
    expect(startDraft).toHaveBeenCalledOnce();
    await tick();
    expect(screen.getByTestId('progress').textContent).toContain('gpt-5 is writing');
  });

  test('a model that is connected meanwhile is the one that would write', async () => {
    const startDraft = vi.fn(() => Promise.resolve(ready('## Goal\nGo on.', {}, null)));
    let model: string | null = null;
    const app = await opened({ startDraft, plan: () => Promise.resolve(review({ model })) });
    expect(screen.queryByTestId('offline-note')).not.toBeNull();
    model = 'gpt-5';
    app.connection.follow(config({ baseUrl: 'http://m/v1', model }));
    await settled();
    await tick();
    expect(screen.queryByTestId('offline-note'), 'there is one now').toBeNull();
    await fireEvent.click(screen.getByTestId('again'));
    expect(startDraft).toHaveBeenLastCalledWith(ID, { cut: 5, previousSeq: null });
  });

  test('what has to be cleared, and where the turn is split, is said', async () => {
    const split = plan({ splitTurn: true, prune: { seqs: [6, 7], tokensFreed: 4000 } });
    await opened({ plan: () => Promise.resolve(review({ plan: split })) });
    const note = screen.getByTestId('plan-note').textContent;
    expect(note).toContain('inside a turn');
    expect(note).toContain('2 kept tool results');
  });

  test.each([
    [true, 'not recorded'],
    [false, 'no model, by rule'],
  ])('who wrote a summary without a model is not known of another agent’s: %s', async (foreign, said) => {
    const compaction = {
      ...{ seq: 9, timestamp: made.timestamp, summary: 'Was.', model: null, trigger: 'manual', foreign },
      ...{ edited: false, instructions: null, tokensAfter: null, state: 'inForce' as const, revertedBy: null },
    };
    await opened({ compactionReview: () => Promise.resolve(review({ compaction })) }, `#/s/${ID}/compaction/9`);
    expect(screen.getByTestId('past-facts').textContent).toContain(said);
  });

  test('a compaction of the past is only looked at', async () => {
    const compaction = {
      ...{
        seq: 9,
        timestamp: made.timestamp,
        summary: '## Goal\nWas.',
        model: 'gpt-5',
        trigger: 'overflow',
        foreign: false,
      },
      ...{ edited: true, instructions: 'short', tokensAfter: 20, state: 'inForce' as const, revertedBy: null },
    };
    await opened({ compactionReview: () => Promise.resolve(review({ compaction })) }, `#/s/${ID}/compaction/9`);
    expect(screen.getByTestId('preview').textContent).toContain('Was.');
    for (const said of ['gpt-5', 'overflow, edited by hand', 'short']) {
      expect(screen.getByTestId('past-facts').textContent).toContain(said);
    }
    expect(screen.queryByTestId('accept')).toBeNull();
    expect(screen.queryByRole('slider')).toBeNull();
    const said = screen.getAllByTestId('review-row').map((one) => one.querySelector('.unseen')?.textContent);
    expect(new Set(said)).toEqual(new Set(['went', 'stayed']));
    expect(screen.getByTestId('rows').getAttribute('aria-label')).toBe('What went, what stayed');
  });
});
