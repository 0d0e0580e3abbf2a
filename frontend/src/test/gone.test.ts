// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import AppView from '../App.svelte';
import { parts } from '../features/parts.svelte';
import { App } from '../lib/app.svelte';
import { BackendError, type Backend, type Outline, type SessionAnswer } from '../lib/backend';
import { fakeBackend, ID, later, outline, pageOf, session, settled, listOf } from './fakes';

beforeAll(() => parts.transcript.load());
beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  localStorage.clear();
  history.replaceState(null, '', `#/s/${ID}`);
});
afterEach(() => {
  vi.useRealTimers();
});

const shown = async () => {
  // So long does what asks wait for more to be typed.
  await vi.advanceTimersByTimeAsync(200);
  await settled();
  await tick();
};
async function show(parts: Partial<Backend>) {
  const app = new App(fakeBackend(parts));
  render(AppView, { app });
  await shown();
  return app;
}
const notFound = () => Promise.reject(new BackendError('not_found', 'There is no such session.'));

test('what is taken back from the trash is not said to be missing while it is being read', async () => {
  const back = later<Outline>();
  let answer: () => Promise<Outline> = notFound;
  const app = await show({
    trash: () => Promise.resolve([session(ID)]),
    restore: () => Promise.resolve(session(ID)),
    outline: () => answer(),
    records: () => Promise.resolve(pageOf([], 0, 0)),
  });
  expect(screen.getByTestId('gone').textContent).toContain('not here any more');
  await app.library.openShelf('trash');
  await tick();
  answer = () => back.promise;
  await fireEvent.click(screen.getByRole('button', { name: 'Restore' }));
  await shown();
  expect(screen.queryByTestId('gone')).toBeNull();
  back.resolve(outline());
  await shown();
  expect(screen.getByTestId('transcript-empty')).not.toBeNull();
});

test('of another agent’s nobody is sent to the trash', async () => {
  history.replaceState(null, '', '#/s/foo:bar');
  await show({ outline: () => Promise.reject(new BackendError('invalid_id', 'No agent is called foo.')) });
  expect(screen.getByTestId('gone').textContent).toContain('Its agent may have deleted it');
  expect(screen.queryByRole('button', { name: 'Look in the trash' })).toBeNull();
});

test('what is listed and still not there is said to be missing', async () => {
  await show({ sessions: listOf([session(ID)]) });
  expect(screen.getByTestId('gone').textContent).toContain('not here any more');
});

test('what is left of a conversation is asked for again once the index has come further', async () => {
  let answer: SessionAnswer = {
    query: { text: '', terms: [], filters: [], problems: [] },
    ...{ id: ID, hits: [], total: 0, complete: false, skipped: [] },
  };
  const app = await show({
    sessions: listOf([session(ID, { gone: true, foreign: true, agent: 'pi' })]),
    searchIn: () => Promise.resolve(answer),
  });
  expect(screen.getByTestId('gone').textContent, 'nobody knows yet').not.toContain('0 messages');
  expect(screen.getByTestId('gone').textContent).toContain('not been read yet');
  const said = { before: '', match: 'Where is the light?', after: '' };
  const place = { seq: 1, index: 0, scope: 'user' as const, time: null, state: null, excerpt: said };
  answer = { ...answer, hits: [place], total: 1, complete: true };
  app.indexed++;
  await shown();
  expect(screen.getByTestId('remains').textContent).toContain('Where is the light?');
});
