// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick, type Component } from 'svelte';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { App } from '../../lib/app.svelte';
import { BackendError, type Backend, type ModelList } from '../../lib/backend';
import { config, fakeBackend, models, settled } from '../../test/fakes';
import Host from '../../test/Host.svelte';
import Composer from './Composer.svelte';
import Connect from './Connect.svelte';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', '/');
});

const many = (n: number) =>
  Array.from({ length: n }, (_, i) => ({
    id: `model-${i}`,
    window: i ? null : 128_000,
    windowFrom: i ? null : ('server' as const),
    maxOutput: null,
    prices: i === 1 ? { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } : null,
  }));
const connected = (more: Partial<ModelList> = {}) =>
  models({ baseUrl: 'http://m/v1', model: 'model-0', models: many(3), ...more });

async function show(of: unknown, parts: Partial<Backend>) {
  const app = new App(fakeBackend(parts));
  app.talks.models.follow(config());
  await settled();
  const { fresh } = app.talks;
  render(Host, { props: { app, of: of as Component<Record<string, unknown>>, props: { talk: fresh } } });
  await settled();
  await tick();
  return { app, talk: fresh };
}

describe('the field', () => {
  const parts = () => ({
    models: () => Promise.resolve(connected()),
    createSession: vi.fn(() => Promise.reject(new BackendError('failed', 'disk full', 'free some'))),
  });

  test('sends with Enter, but not while a word is composed; what fails stays, with why', async () => {
    const backend = parts();
    const { talk } = await show(Composer, backend);
    const field = screen.getByTestId<HTMLTextAreaElement>('message-field');
    await fireEvent.input(field, { target: { value: 'に' } });
    await fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    await fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
    await fireEvent.keyDown(field, { key: 'Enter', shiftKey: true });
    expect(backend.createSession).not.toHaveBeenCalled();
    await fireEvent.keyDown(field, { key: 'Enter' });
    await settled();
    await tick();
    expect(backend.createSession).toHaveBeenCalledOnce();
    expect(talk.text).toBe('に');
    expect(screen.getByRole('alert').textContent).toContain('Disk full');
    expect(screen.getByRole('alert').textContent).toContain('Free some');
  });

  test('without a model to ask it wants one first', async () => {
    const backend = { ...parts(), models: () => Promise.resolve(connected({ model: '' })) };
    const { talk } = await show(Composer, backend);
    const field = screen.getByTestId('message-field');
    await fireEvent.input(field, { target: { value: 'Hello' } });
    await fireEvent.keyDown(field, { key: 'Enter' });
    expect(backend.createSession).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: 'model-2' }));
    expect(talk.model).toBe('model-2');
    await fireEvent.keyDown(field, { key: 'Enter' });
    await settled();
    expect(backend.createSession).toHaveBeenCalledWith({ model: 'model-2', first: expect.any(String) as string });
  });
});

test('what failed beside an answer stands there while it is written, and after it, until the next turn', async () => {
  const { talk } = await show(Composer, { models: () => Promise.resolve(connected()) });
  let n = 0;
  const say = async (turnId: string, kind: string, data: Record<string, unknown> = {}) => {
    talk.onTurn({ sessionId: talk.id, turnId, n: ++n, kind, data });
    await settled();
    await tick();
  };
  const notes = () => screen.queryAllByTestId('turn-note').map((note) => note.textContent);
  const failed = ['Compacting failed, nothing was lost: no answer'];
  await say('t1', 'started');
  await say('t1', 'compaction', { state: 'failed', error: { message: 'no answer' } });
  expect(notes()).toEqual(failed);
  await say('t1', 'text', { text: 'So.' });
  expect(notes()).toEqual(failed);
  await say('t1', 'done', { status: 'ok' });
  expect(talk.turn).toBeNull();
  expect(notes()).toEqual(failed);
  n = 0;
  await say('t2', 'started');
  expect(notes()).toEqual([]);
});

test('many models can be filtered', async () => {
  const { talk } = await show(Composer, { models: () => Promise.resolve(connected({ models: many(40) })) });
  await fireEvent.click(screen.getByTestId('model'));
  const filter = screen.getByLabelText('Filter models');
  expect(document.activeElement).toBe(filter);
  await fireEvent.input(filter, { target: { value: 'MODEL 17' } });
  expect(screen.getByTestId('model-menu').textContent).toContain('model-17');
  expect(screen.getByTestId('model-menu').textContent).not.toContain('model-18');
  await fireEvent.keyDown(filter, { key: 'Enter' });
  expect(talk.model).toBe('model-17');
  expect(screen.queryByTestId('model-menu')).toBeNull();
});

describe('without a model', () => {
  test('what is found is offered, and used with one press', async () => {
    const server = { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.2', 'qwen'] };
    const useModel = vi.fn(() => Promise.resolve(config({ baseUrl: server.baseUrl, model: 'llama3.2' })));
    const list = vi.fn(() => Promise.resolve(models()));
    const { app } = await show(Connect, { localServers: () => Promise.resolve([server]), useModel, models: list });
    expect(screen.getByTestId('found').textContent).toContain('Ollama at 127.0.0.1:11434');
    list.mockResolvedValue(connected({ model: 'llama3.2' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Use llama3.2' }));
    await settled();
    expect(useModel).toHaveBeenCalledWith(server.baseUrl, 'llama3.2');
    expect(app.talks.models.connected).toBe(true);
    expect(app.connection.config?.model).toBe('llama3.2');
  });

  test('what is written stays in sight, can be changed, and goes once there is a model; an empty field is not shown', async () => {
    const list = vi.fn(() => Promise.resolve(models()));
    const { app, talk } = await show(Composer, { models: list });
    expect(screen.queryByTestId('message-field')).toBeNull();
    expect(screen.getByTestId('connect')).toBeTruthy();
    talk.write('Half a thought');
    await tick();
    const field = screen.getByTestId<HTMLTextAreaElement>('message-field');
    expect(field.value).toBe('Half a thought');
    expect(screen.getByTestId('send').getAttribute('aria-disabled')).toBe('true');
    await fireEvent.keyDown(field, { key: 'Enter' });
    expect(talk.text, 'there is nobody to send it to').toBe('Half a thought');
    await fireEvent.input(field, { target: { value: '' } });
    expect(screen.getByTestId('message-field'), 'it stays under the hands of who empties it').toBe(field);
    list.mockResolvedValue(connected());
    app.talks.wantFocus();
    await app.talks.models.load(true);
    await tick();
    expect(screen.queryByTestId('connect')).toBeNull();
    expect(screen.getByTestId('message-field')).toBe(field);
    expect(document.activeElement).toBe(field);
  });

  test('where it could not be looked for any, that is said, and the way to one is a press', async () => {
    const { app } = await show(Connect, { localServers: () => Promise.reject(new Error('no answer')) });
    await settled();
    expect(screen.getByTestId('connect').textContent).not.toContain('Looking');
    expect(screen.getByTestId('connect').textContent).toContain('could not be looked for');
    await fireEvent.click(screen.getByTestId('connect-settings'));
    expect(app.dialog).toBe('settings');
  });

  test('nothing found: what to set, and where', async () => {
    const { app } = await show(Connect, {});
    app.connection.config = config();
    await tick();
    const said = screen.getByTestId('connect-how').textContent;
    for (const word of ['base_url', 'model', '/home/u/.agent/config.yaml', 'PALIMPSEST_API_KEY']) {
      expect(said).toContain(word);
    }
  });
});

test('which model answers', async () => {
  const { app } = await show(Composer, { models: () => Promise.resolve(connected()) });
  const { models: state } = app.talks;
  expect(state.inUse('')).toBe('model-0');
  expect(state.inUse('model-2')).toBe('model-2');
  expect(state.inUse('of another server')).toBe('model-0');
  state.list = connected({ error: { code: 'failed', message: 'no list', hint: '' } });
  expect(state.inUse('of another server')).toBe('of another server');
});
