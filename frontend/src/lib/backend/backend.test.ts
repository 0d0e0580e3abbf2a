// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ID, settled } from '../../test/fakes';
import { createBackend } from '.';
import type { NewsListener } from './backend';
import { errorOfCall } from './errors';
import { deliver, NewsGate, parseNews } from './news';
import { backOff, EventParser } from './sse';
import { tokenIn } from './token';

function listener() {
  return {
    onNews: vi.fn(),
    onTurn: vi.fn(),
    onGap: vi.fn(),
    onUnauthorised: vi.fn(),
    onConnection: vi.fn(),
  } satisfies NewsListener;
}
const news = (n: number) => ({ sessionId: ID, n, kind: 'changed' });

describe('news', () => {
  test('in order are passed on, with a gap everything is asked for again', () => {
    const heard = listener();
    const gate = new NewsGate(heard);
    for (const n of [7, 8, 9]) gate.receive(news(n));
    expect(heard.onNews).toHaveBeenCalledTimes(3);
    expect(heard.onGap).not.toHaveBeenCalled();
    gate.receive(news(11));
    expect(heard.onGap).toHaveBeenCalledTimes(1);
    gate.receive(news(12));
    gate.receive(news(12));
    expect(heard.onNews).toHaveBeenCalledTimes(4);
  });

  test('a count that began anew is a program that was restarted', () => {
    const heard = listener();
    const gate = new NewsGate(heard);
    gate.receive(news(50));
    gate.receive(news(1));
    gate.receive(news(2));
    expect(heard.onGap).toHaveBeenCalledTimes(1);
    expect(heard.onNews).toHaveBeenCalledTimes(2);
  });

  test.each([null, 'x', {}, { n: '1', kind: 'x' }, { n: 1 }])('%j is none', (value) => {
    expect(parseNews(value)).toBeNull();
  });
});

test('events of turns are not counted with the news', () => {
  const heard = listener();
  const gate = new NewsGate(heard);
  const event = { sessionId: ID, turnId: 't', n: 1, kind: 'text', data: { text: 'a' } };
  for (const value of [{ ...news(7), turnId: null, data: {} }, event, { ...event, n: 9 }, news(8)])
    deliver(value, gate, heard);
  expect(heard.onNews).toHaveBeenCalledTimes(2);
  expect(heard.onTurn.mock.calls).toEqual([[event], [{ ...event, n: 9 }]]);
  expect(heard.onGap).not.toHaveBeenCalled();
});

describe('the stream of events', () => {
  test('is taken apart wherever it was cut', () => {
    const text = ': hello\n\ndata: {"a":1}\n\nid: 4\ndata:b\ndata: c\r\n\r\ndata: unfinished';
    for (let cut = 0; cut <= text.length; cut++) {
      const parser = new EventParser();
      expect([...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))]).toEqual(['{"a":1}', 'b\nc']);
    }
  });

  test('is asked for again after longer and longer waits', () => {
    expect([0, 1, 2, 5, 6, 100].map(backOff)).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000]);
  });
});

test('errors of bound methods', () => {
  expect(errorOfCall(new Error('{"code":"busy","message":"held","hint":"wait"}'))).toMatchObject({
    code: 'busy',
    message: 'Held.',
    hint: 'Wait.',
  });
  expect(errorOfCall(new Error('plain'))).toMatchObject({ code: 'failed', message: 'Plain.' });
  const input = new Error('{"code":"bad_input","message":"bad input: writing the provider: the address is wrong"}');
  expect(errorOfCall(input), 'what was wrong, and not where in the program').toMatchObject({
    message: 'The address is wrong.',
  });
  expect(errorOfCall('{"x":1}')).toMatchObject({ message: '{"x":1}' });
});

test('a token is found in the link as well as alone', () => {
  expect(tokenIn(' http://127.0.0.1:4000/#token=a%2Bb \n')).toBe('a+b');
  expect(tokenIn('abc')).toBe('abc');
});

describe('over HTTP', () => {
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
  const json = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));

  beforeEach(() => {
    sessionStorage.clear();
    history.replaceState(null, '', '/#token=secret');
    fetched.mockReset().mockImplementation(() => json({}));
    vi.stubGlobal('fetch', fetched);
  });

  test('the token leaves the address, stays for a reload, and goes with every request', async () => {
    const backend = createBackend();
    expect(location.href).not.toContain('secret');
    await backend.config();
    await createBackend().config();
    for (const [, init] of fetched.mock.calls) expect(init.headers).toMatchObject({ Authorization: 'Bearer secret' });
  });

  test.each([
    ['rename', ['x'], 'PATCH', `/api/sessions/${ID}`, { name: 'x' }],
    ['archive', [], 'PATCH', `/api/sessions/${ID}`, { archived: true }],
    ['unarchive', [], 'PATCH', `/api/sessions/${ID}`, { archived: false }],
    ['moveToTrash', [], 'DELETE', `/api/sessions/${ID}`, undefined],
    ['restore', [], 'POST', `/api/trash/${ID}/restore`, undefined],
    ['restoreMany', [], 'POST', '/api/restores', { ids: ID }],
    ['fork', [0], 'POST', `/api/sessions/${ID}/forks`, {}],
    ['importSession', [], 'POST', '/api/imports', { id: ID }],
    ['fork', [7], 'POST', `/api/sessions/${ID}/forks`, { at: 7 }],
    ['revert', [7], 'POST', `/api/sessions/${ID}/reverts`, { targetSeq: 7 }],
    ['undoFiles', [{ sinceSeq: 7, dryRun: true }], 'POST', `/api/sessions/${ID}/undos`, { sinceSeq: 7, dryRun: true }],
    [
      'setPermissions',
      [[{ rule: 'bash', effect: 'ask' }], []],
      'PUT',
      `/api/sessions/${ID}/permissions`,
      { permissions: [{ rule: 'bash', effect: 'ask' }], base: [] },
    ],
    ['send', [{ text: 'a' }], 'POST', `/api/sessions/${ID}/messages`, { text: 'a' }],
    ['giveUp', ['k/1'], 'DELETE', `/api/sessions/${ID}/messages/k%2F1`, undefined],
    ['endTurn', ['t/1'], 'DELETE', `/api/sessions/${ID}/turns/t%2F1`, undefined],
    [
      'answer',
      ['t/1', { callId: 'c', asked: 1, answer: 'no', reason: 'r' }],
      'POST',
      `/api/sessions/${ID}/turns/t%2F1/answers`,
      { callId: 'c', asked: 1, answer: 'no', reason: 'r' },
    ],
    ['startDraft', [{ offline: true }], 'POST', `/api/sessions/${ID}/drafts`, { offline: true }],
    ['cancelDraft', ['d1'], 'DELETE', `/api/sessions/${ID}/drafts/d1`, undefined],
    [
      'compact',
      [{ summary: 's', previousSeq: null }],
      'POST',
      `/api/sessions/${ID}/compactions`,
      { summary: 's', previousSeq: null },
    ],
  ] as const)('%s %j', async (name, args, method, path, body) => {
    const backend = createBackend();
    await (backend[name] as (...args: unknown[]) => Promise<unknown>)(ID, ...args);
    const [asked, init] = fetched.mock.calls[0] ?? [];
    expect(asked).toBe(path);
    expect(init?.method).toBe(method);
    expect(init?.body).toBe(body === undefined ? undefined : JSON.stringify(body));
  });

  test('plans and drafts are read', async () => {
    const backend = createBackend();
    await backend.plan(ID, {});
    await backend.plan(ID, { cut: 7, keepRecent: 0, propose: true });
    await backend.compactionReview(ID, 9);
    await backend.draft(ID, 'd1');
    expect(fetched.mock.calls.map(([path]) => path)).toEqual([
      `/api/sessions/${ID}/compactions/plan?`,
      `/api/sessions/${ID}/compactions/plan?cut=7&keepRecent=0&propose=1`,
      `/api/sessions/${ID}/compactions/9`,
      `/api/sessions/${ID}/drafts/d1`,
    ]);
  });

  test('errors have a message and a hint; without the token the code says so', async () => {
    const backend = createBackend();
    fetched.mockImplementationOnce(() => json({ error: { code: 'stale', message: 'm', hint: 'h' } }, 409));
    await expect(backend.outline(ID)).rejects.toMatchObject({ code: 'stale', message: 'M.', hint: 'H.' });
    fetched.mockImplementationOnce(() => json({}, 401));
    await expect(backend.outline(ID)).rejects.toMatchObject({ code: 'unauthorised' });
    fetched.mockImplementationOnce(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(backend.outline(ID)).rejects.toMatchObject({ code: 'offline' });
  });

  test('a gateway that can’t reach the program is as if nobody answered; what the program refuses is not', async () => {
    const backend = createBackend();
    for (const status of [502, 503, 504]) {
      fetched.mockImplementationOnce(() => Promise.resolve(new Response('<h1>Bad Gateway</h1>', { status })));
      await expect(backend.outline(ID)).rejects.toMatchObject({ code: 'offline' });
    }
    fetched.mockImplementationOnce(() => json({ error: { code: 'no_model', message: 'm' } }, 503));
    await expect(backend.outline(ID)).rejects.toMatchObject({ code: 'no_model' });
  });

  test('a new connection may have missed news', async () => {
    vi.useFakeTimers();
    const stream = (text: string) => Promise.resolve(new Response(text));
    fetched.mockImplementation(() => stream('data: {"sessionId":null,"n":1,"kind":"config"}\n\n'));
    const heard = listener();
    const stop = createBackend().subscribe(heard);
    await vi.waitFor(() => {
      expect(heard.onNews).toHaveBeenCalledTimes(1);
    });
    expect(heard.onGap).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    await vi.waitFor(() => {
      expect(heard.onGap).toHaveBeenCalledTimes(1);
    });
    stop();
    const asked = fetched.mock.calls.length;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(fetched.mock.calls.length).toBe(asked);
    vi.useRealTimers();
  });

  test('a token that is no longer accepted ends it', async () => {
    fetched.mockImplementation(() => json({}, 401));
    const heard = listener();
    createBackend().subscribe(heard);
    await vi.waitFor(() => {
      expect(heard.onUnauthorised).toHaveBeenCalledTimes(1);
    });
    await settled();
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

describe('inside the window', () => {
  const App = Object.fromEntries(
    [
      'Rename',
      'Archive',
      'Unarchive',
      'Trash',
      'Restore',
      'Fork',
      'Revert',
      'AddSample',
      'OpenLink',
      'StartDraft',
      'CancelDraft',
      'Compact',
      'Create',
      'Send',
      'GiveUp',
      'EndTurn',
      'Answer',
      'UseModel',
      'UndoFiles',
      'SetPermissions',
    ].map((name) => [name, vi.fn(() => Promise.resolve({ name }))]),
  );
  let callback: (payload: unknown) => void = () => undefined;
  const off = vi.fn();

  beforeEach(() => {
    vi.stubGlobal('go', { main: { App } });
    vi.stubGlobal('runtime', {
      EventsOn: (_: string, heard: typeof callback) => {
        callback = heard;
        return off;
      },
      ClipboardSetText: vi.fn(() => Promise.resolve(true)),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('commands are bound methods, reads are requests without a token', async () => {
    const fetched = vi.fn((..._: unknown[]) => Promise.resolve(new Response('[]')));
    vi.stubGlobal('fetch', fetched);
    const backend = createBackend();
    await backend.fork(ID, 3);
    await backend.moveToTrash(ID);
    await backend.openLink('https://a.example');
    await backend.startDraft(ID, { offline: true });
    await backend.cancelDraft(ID, 'd1');
    await backend.compact(ID, { summary: 's' });
    expect(App.Fork).toHaveBeenCalledWith(ID, 3);
    expect(App.Trash).toHaveBeenCalledWith(ID);
    expect(App.StartDraft).toHaveBeenCalledWith(ID, { offline: true });
    expect(App.CancelDraft).toHaveBeenCalledWith(ID, 'd1');
    expect(App.Compact).toHaveBeenCalledWith(ID, { summary: 's' });
    expect(App.OpenLink).toHaveBeenCalledWith('https://a.example');
    await backend.send(ID, { text: 'a' });
    await backend.giveUp(ID, 'k');
    expect(App.GiveUp).toHaveBeenCalledWith(ID, 'k');
    await backend.endTurn(ID, 't');
    await backend.answer(ID, 't', { callId: 'c', asked: 1, answer: 'once' });
    expect(App.Answer).toHaveBeenCalledWith(ID, 't', { callId: 'c', asked: 1, answer: 'once' });
    await backend.createSession({ model: 'm' });
    await backend.undoFiles(ID, { sinceSeq: 7, dryRun: true });
    expect(App.UndoFiles).toHaveBeenCalledWith(ID, { sinceSeq: 7, dryRun: true });
    await backend.setPermissions(ID, [], []);
    expect(App.SetPermissions).toHaveBeenCalledWith(ID, [], []);
    expect(App.Send).toHaveBeenCalledWith(ID, { text: 'a' });
    expect(App.EndTurn).toHaveBeenCalledWith(ID, 't');
    expect(App.Create).toHaveBeenCalledWith({ model: 'm' });
    expect(fetched).not.toHaveBeenCalled();
    await backend.trash();
    expect(fetched.mock.calls[0]).toEqual(['/api/trash?brief=1&parts=1', { headers: {} }]);
    expect(backend.signIn).toBeNull();
    expect(backend.linkTo('#/s/x')).toBe('#/s/x');
  });

  test('errors are read from their JSON', async () => {
    App.Rename?.mockRejectedValueOnce(new Error('{"code":"busy","message":"held","hint":""}'));
    await expect(createBackend().rename(ID, 'x')).rejects.toMatchObject({ code: 'busy' });
  });

  test('news come as events of the window', () => {
    const heard = listener();
    const stop = createBackend().subscribe(heard);
    callback(news(1));
    callback('nonsense');
    expect(heard.onNews).toHaveBeenCalledExactlyOnceWith(news(1));
    stop();
    expect(off).toHaveBeenCalledOnce();
  });
});
