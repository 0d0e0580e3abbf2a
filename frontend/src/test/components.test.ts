// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import AppView from '../App.svelte';
import Size from '../features/context/Size.svelte';
import DamageNote from '../features/transcript/DamageNote.svelte';
import DamageRow from '../features/transcript/DamageRow.svelte';
import EventRow from '../features/transcript/EventRow.svelte';
import Prose from '../features/transcript/Prose.svelte';
import ToolCard from '../features/transcript/ToolCard.svelte';
import { App } from '../lib/app.svelte';
import { commands } from '../lib/commands/commands';
import { BackendError, type Backend, type Config } from '../lib/backend';
import type { RecordRow } from '../lib/transcript/rows';
import Menu from '../ui/Menu.svelte';
import { context, entry, fakeBackend, ID, listOf, message, models, session, settled } from './fakes';
import Host from './Host.svelte';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
});

// What colours code is read as it is first wanted; nobody may go while it is being read.
afterAll(() => import('../lib/markdown/highlight'));

function show(of: unknown, props: Record<string, unknown>, parts: Partial<Backend> = {}, id = ID) {
  const app = new App(fakeBackend(parts));
  render(Host, { props: { app, of: of as Component<Record<string, unknown>>, props, id } });
  return app;
}

describe('the app', () => {
  test('without a token: a way in, and a word if it was the wrong one', async () => {
    const config = vi.fn((): Promise<Config> => Promise.reject(new BackendError('unauthorised', 'no')));
    const signIn = vi.fn();
    render(AppView, { app: new App(fakeBackend({ config, signIn })) });
    await settled();
    expect(screen.getByRole('heading').textContent).toBe('This page needs its token');
    await fireEvent.input(screen.getByLabelText('Link or token'), { target: { value: 'http://x/#token=t' } });
    await fireEvent.submit(screen.getByTestId('token').closest('form') as HTMLFormElement);
    await settled();
    expect(signIn).toHaveBeenCalledWith('http://x/#token=t');
    expect(screen.getByRole('alert').textContent).toContain('not accepted');
    config.mockImplementation(fakeBackend().config);
    await fireEvent.submit(screen.getByTestId('token').closest('form') as HTMLFormElement);
    await settled();
    await tick();
    expect(screen.queryByTestId('sign-in')).toBeNull();
  });

  test('with nothing yet: what it is for, where sessions live, and a sample', async () => {
    const addSample = vi.fn(() => Promise.reject(new BackendError('failed', 'disk full', 'free some')));
    render(AppView, { app: new App(fakeBackend({ addSample })) });
    await settled();
    await tick();
    expect(screen.getByTestId('home').textContent).toContain('/home/u/.agent');
    expect(screen.getByTestId('library-empty').textContent).toContain('No sessions yet');
    await fireEvent.click(screen.getByTestId('add-sample'));
    await settled();
    await tick();
    expect(screen.getByTestId('toast').textContent).toContain('Disk full');
  });

  test('a program that does not answer: why, and another try', async () => {
    const config = vi.fn(() => Promise.reject(new BackendError('offline', 'No answer.', 'Check it.')));
    render(AppView, { app: new App(fakeBackend({ config })) });
    await settled();
    await tick();
    expect(screen.getByTestId('error').textContent).toContain('Check it.');
    await fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(config).toHaveBeenCalledTimes(2);
  });
});

test('the filter has the focus before the next key, also where the library has yet to be shown', async () => {
  const app = new App(fakeBackend());
  render(AppView, { app });
  await settled();
  app.layout.library = false;
  await tick();
  expect(screen.queryByTestId('filter')).toBeNull();
  commands.filter.run(app);
  expect(document.activeElement).toBe(screen.getByTestId('filter'));
});

test.each([
  ['dropped', 'The model does not see this: shown to a person alone'],
  ['fresh', undefined],
  ['offPath', undefined],
] as const)('why the model does not see a note is said where it is dropped: %s', (state, why) => {
  const record = { recordType: 'note', seq: 1, namespace: 'pi.bash', display: true, content: [], aside: true };
  const row = {
    kind: 'record',
    entry: entry(0, { state, reason: 'shown to a person alone' }),
    record,
    seq: 1,
    notes: [],
  };
  show(EventRow, { row, position: 0 });
  expect(screen.queryByTestId('state-note')?.textContent).toBe(why);
});

test('a dialog about one conversation does not stay over another', () => {
  const app = new App(fakeBackend());
  const stop = app.start();
  const go = (id: string) => {
    history.replaceState(null, '', `#/s/${id}`);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  };
  go(ID);
  app.sheet = { kind: 'rules', id: ID };
  go(ID);
  expect(app.sheet).not.toBeNull();
  go(ID.replace(/1$/, '2'));
  expect(app.sheet).toBeNull();
  stop();
});

test('what another window changed in the settings is known once missed news are made up for', async () => {
  let missed: () => void = () => undefined;
  const subscribe: Backend['subscribe'] = ({ onGap }) => {
    missed = onGap;
    return () => undefined;
  };
  const asked = vi.fn(() => Promise.resolve(models()));
  const app = new App(fakeBackend({ subscribe, models: asked }));
  const stop = app.start();
  await settled();
  asked.mockResolvedValue(models({ inUse: 'work' }));
  missed();
  await settled();
  expect(app.talks.models.list?.inUse).toBe('work');
  stop();
});

test('a session that asks is marked in the library until it is answered', async () => {
  const app = new App(fakeBackend({ sessions: listOf([session(ID)]) }));
  render(AppView, { app });
  await settled();
  await tick();
  expect(screen.queryByTestId('asking')).toBeNull();
  for (const [kind, marks] of [
    ['permission', 1],
    ['answered', 0],
    ['permission', 1],
    ['done', 0],
  ] as const) {
    app.turnEvents.emit({ sessionId: ID, turnId: 't1', n: 1, kind, data: {} });
    await tick();
    expect(screen.queryAllByTestId('asking'), kind).toHaveLength(marks);
  }
  app.turnEvents.emit({ sessionId: ID, turnId: 't1', n: 1, kind: 'permission', data: {} });
  expect(app.toasts.list).toEqual([]);
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  app.turnEvents.emit({ sessionId: ID, turnId: 't1', n: 2, kind: 'permission', data: {} });
  expect(app.toasts.list.map(({ message }) => message)).toEqual([`“session ${ID}” asks whether a tool may run`]);
  app.toasts.list[0]?.action?.run();
  expect(location.hash).toBe(`#/s/${ID}`);
});

describe('a tool card', () => {
  const call = { type: 'toolCall', id: 'x', name: 'bash', args: { command: 'make \u202elint' } };
  const result = (text: string, more = {}): RecordRow => ({
    kind: 'record',
    entry: entry(4),
    record: message(5, 'toolResult', text, { toolCallId: 'x', ...more }),
    seq: 5,
    notes: [],
  });

  test('says what was done, and unfolds what came of it', async () => {
    show(ToolCard, { call, result: result('all\nwell'), foldKey: 'k' });
    const head = screen.getByTestId('tool-head');
    expect(head.textContent).toContain('make ⟨RLO⟩lint');
    expect(head.textContent).toContain('2 lines');
    expect(screen.queryByTestId('tool-output')).toBeNull();
    await fireEvent.click(head);
    expect(head.getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByTestId('tool-output').textContent).toContain('well');
  });

  test('a failure is open at once', () => {
    show(ToolCard, { call, result: result('boom', { isError: true }), foldKey: 'k' });
    expect(screen.getByTestId('tool-head').textContent).toContain('error');
    expect(screen.getByTestId('tool-output').textContent).toContain('boom');
  });

  test('a call without a result says so', () => {
    show(ToolCard, { call, result: null, foldKey: 'k' });
    expect(screen.getByTestId('tool-head').textContent).toContain('no result');
  });

  test('long output is clamped, with its size', async () => {
    show(ToolCard, { call: null, result: result('line\n'.repeat(5000)), foldKey: 'k' });
    await fireEvent.click(screen.getByTestId('tool-head'));
    const shown = () => document.querySelector('pre')?.textContent.match(/line/g);
    expect(shown()).toHaveLength(20);
    expect(screen.getByTestId('show-all').textContent).toContain('24.4 KB, 5,000 lines');
    await fireEvent.click(screen.getByTestId('show-all'));
    await vi.waitFor(() => expect(shown()).toHaveLength(5000)); // the rest comes in turns
  });

  test('hostile output is text', async () => {
    show(ToolCard, { call, result: result('<img src=x onerror=alert(1)>'), foldKey: 'k' });
    await fireEvent.click(screen.getByTestId('tool-head'));
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getByTestId('tool-output').textContent).toContain('<img src=x');
  });
});

test.each([
  ['of ours is told by its place in the file', ID, /line 2, byte 1,410(?! of)/],
  ['of another agent’s by its place in our reading', 'pi:s1', /line 2, byte 1,410 of the reading/],
])('damage %s', (_, id, place) => {
  const damage = { kind: 'corrupt', line: 2, offset: 1410, reason: 'not one JSON object' };
  for (const of of [DamageRow, DamageNote]) show(of, { damage, position: 1 }, {}, id);
  expect(screen.getByTestId('damage-row').textContent).toMatch(place);
  expect(screen.getByTestId('damage-note').textContent).toMatch(place);
});

test('damage of what is yet to be read has no place', () => {
  const damage = { kind: 'corrupt', offset: 0, reason: 'not one JSON object' };
  for (const of of [DamageRow, DamageNote]) show(of, { damage, position: 1 }, {}, 'pi:s1');
  expect(document.body.textContent).not.toMatch(/line \d|byte/);
  expect(screen.getByRole('article').getAttribute('aria-label')).toBe('This line can’t be read');
});

test('a link asks first, by pointer and by key', async () => {
  const app = show(Prose, { source: '[x](https://a.example/)', foldKey: 'k' });
  const link = screen.getByRole('link');
  await fireEvent.click(link);
  expect(app.asked?.url).toBe('https://a.example/');
  app.asked = null;
  await fireEvent.keyDown(link, { key: 'Enter' });
  expect(app.asked).not.toBeNull();
  expect(app.backend.openLink).not.toHaveBeenCalled();
});

test('a menu is walked through with arrows and closed with Escape', async () => {
  const run = vi.fn();
  const onclose = vi.fn();
  const actions = ['a', 'b', 'c'].map((label) => ({ label, run }));
  render(Menu, { at: { x: 0, y: 0 }, label: 'm', actions, onclose });
  expect(document.activeElement?.textContent).toContain('a');
  await fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowUp' });
  expect(document.activeElement?.textContent).toContain('c');
  await fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toContain('a');
  await fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(onclose).toHaveBeenCalledOnce();
  await fireEvent.click(screen.getByRole('menuitem', { name: 'b' }));
  expect(run).toHaveBeenCalledOnce();
});

test('a menu goes where something else takes the focus, such as a dialog that a key opens', async () => {
  const onclose = vi.fn();
  const other = document.body.appendChild(document.createElement('button'));
  render(Menu, { at: { x: 0, y: 0 }, label: 'm', actions: [{ label: 'a', run: vi.fn() }], onclose });
  expect(document.activeElement?.textContent).toContain('a');
  await fireEvent.focusIn(document.activeElement as Element);
  expect(onclose).not.toHaveBeenCalled();
  other.focus();
  expect(onclose).toHaveBeenCalledOnce();
  other.remove();
});

test('the size of the context, with what stands for what', () => {
  const parts = { injected: 100, summary: 200, kept: 300, fresh: 400 };
  show(Size, { context: context({ parts, compactionSeq: 4 }) });
  expect(screen.getByTestId('context-total').textContent).toContain('1,000');
  expect(screen.getByTestId('part-summary').textContent).toContain('200');
  expect(screen.getByTestId('part-reserve').textContent).toContain('16,384');
});
