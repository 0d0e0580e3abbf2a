// @vitest-environment jsdom
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ID, later } from '../../test/fakes';
import { backend, onRecord, onSent } from '../../test/talking';
import { BackendError, type Sent } from '../backend';
import { Desk } from '../desk/desk';
import { Talk } from './talk.svelte';
import { Unsent } from './unsent';

const SENT: Sent = { turnId: 't1', queued: false, seq: 7, ahead: 0 };
const pieces = new Map<string, unknown>();
let desks: Desk[];
let here: Talk;
let there: Talk;

/** What was written is laid down, and told everywhere. */
const laid = () => vi.advanceTimersByTimeAsync(500);

async function opened(): Promise<Talk> {
  const desk = new Desk({
    deskPiece: (key) => Promise.resolve(pieces.get(key) ?? null),
    layOnDesk: (key, value, by) => {
      pieces.set(key, value);
      for (const one of desks) one.onNews({ key, by });
      return Promise.resolve();
    },
  });
  desks.push(desk);
  const talk = new Talk(backend, ID, new Unsent(desk), { onRecord, onSent });
  await laid();
  return talk;
}

const texts = () => [here.text, there.text];
const elsewhere = (talk = there) => talk.elsewhere.map(({ text }) => text);

const lastKey = () => (backend.send.mock.lastCall as unknown as [string, { key: string }])[1].key;

beforeEach(async () => {
  pieces.clear();
  desks = [];
  here = await opened();
  there = await opened();
});

/** Sends it in the one window, where it is not taken until that is said. */
async function sends(text: string) {
  const sent = later<Sent>();
  backend.send.mockReturnValueOnce(sent.promise);
  here.write(text);
  void here.send();
  await laid();
  return sent;
}

test('what one window sends stands in no field, and is shown in the other until it is taken', async () => {
  const sent = await sends('Hello');
  expect(texts()).toEqual(['', '']);
  expect(elsewhere()).toEqual(['Hello']);
  there.write('half a');
  await laid();
  expect(texts()).toEqual(['half a', 'half a']);
  sent.resolve(SENT);
  await laid();
  expect(texts()).toEqual(['half a', 'half a']);
  expect(elsewhere()).toEqual([]);
  expect(pieces.get(`unsent.${ID}`)).toBe('half a');
});

test('what is not taken stands in both fields, before what was written since', async () => {
  const sent = await sends('Hello');
  there.write('half a');
  await laid();
  sent.reject(new BackendError('busy', 'held', 'wait'));
  await laid();
  expect(texts()).toEqual(['Hello\n\nhalf a', 'Hello\n\nhalf a']);
  expect(elsewhere()).toEqual([]);
});

test('what both send is taken one by one', async () => {
  const first = await sends('Hello');
  const second = later<Sent>();
  backend.send.mockReturnValueOnce(second.promise);
  there.write('Ahoy');
  void there.send();
  await laid();
  first.resolve(SENT);
  await laid();
  expect(texts()).toEqual(['', '']);
  expect(elsewhere(here)).toEqual(['Ahoy']);
  second.resolve({ ...SENT, turnId: 't2', queued: true });
  await laid();
  expect(elsewhere(here)).toEqual([]);
  expect(pieces.get(`unsent.${ID}`)).toBeNull();
});

test('a window that opens meanwhile learns that it is on its way', async () => {
  const sent = await sends('Hello');
  here.write('half a');
  await laid();
  there = await opened();
  expect(texts()).toEqual(['half a', 'half a']);
  expect(elsewhere()).toEqual(['Hello']);
  sent.resolve(SENT);
  await laid();
  expect(texts()).toEqual(['half a', 'half a']);
  expect(elsewhere()).toEqual([]);
});

test('what a window sent that is gone stands in the field of the next one, and so in every other', async () => {
  await sends('Hello');
  here.close();
  here = await opened();
  expect(texts()).toEqual(['Hello', 'Hello']);
  expect(elsewhere()).toEqual([]);
  expect(pieces.get(`unsent.${ID}`)).toBe('Hello');
});

test('what is already told of otherwise is not shown once more', async () => {
  const sent = await sends('Hello');
  there.onTurn({ sessionId: ID, turnId: 't1', n: 1, kind: 'queued', data: { text: 'Hello' } });
  expect(elsewhere()).toEqual([]);
  sent.resolve(SENT);
});

test('images of what one window sends go with no message of another', async () => {
  const pier = { name: 'pier.png', bytes: 24, image: { blob: 'sha-1', mediaType: 'image/png' } };
  const chart = { name: 'chart.md', bytes: 5, text: 'chart' };
  const attached = () => [here, there].map(({ attached: { files } }) => files.map(({ name }) => name));
  here.attached.putBack([pier]);
  const sent = await sends('Hello');
  expect(attached()).toEqual([[], []]);
  there.attached.putBack([chart]);
  await laid();
  expect(attached()).toEqual([['chart.md'], ['chart.md']]);
  there = await opened();
  expect(attached(), 'nor of one that opens meanwhile').toEqual([['chart.md'], ['chart.md']]);
  sent.reject(new BackendError('busy', 'held', 'wait'));
  await laid();
  expect(attached()).toEqual([
    ['pier.png', 'chart.md'],
    ['pier.png', 'chart.md'],
  ]);
  backend.send.mockReturnValueOnce(later<Sent>().promise);
  void here.send();
  await laid();
  here.close();
  here = await opened();
  expect(attached(), 'who sends it may be gone').toEqual([['pier.png'], ['pier.png']]);
  expect(pieces.get(`attached.${ID}`)).toEqual([pier]);
});

test('a message that is taken is on its way nowhere, whatever its window said last', async () => {
  await sends('Hello');
  expect(pieces.get(`unsent.${ID}`)).toMatchObject({ sending: [{ text: 'Hello', key: lastKey() }] });
  expect(elsewhere()).toEqual(['Hello']);
  // Its window goes, and the program hands out the piece without it.
  here.close();
  pieces.set(`unsent.${ID}`, { text: '', sending: [] });
  for (const one of desks) one.onNews({ key: `unsent.${ID}`, by: 'program' });
  await laid();
  expect(elsewhere()).toEqual([]);
  const next = await opened();
  expect([next.text, there.text]).toEqual(['', '']);
});

describe('once the program is back, of what another window was sending', () => {
  const pier = { name: 'pier.png', bytes: 24, image: { blob: 'sha-1', mediaType: 'image/png' } };
  beforeEach(async () => {
    here.attached.putBack([pier]);
    await sends('Hello');
    there.write('half a');
    await laid();
    here.close();
  });

  test('what was not taken stands in the field, with its images', async () => {
    there.onGap();
    await laid();
    expect(backend.giveUp).toHaveBeenCalledExactlyOnceWith(ID, lastKey());
    expect([there.text, there.attached.files]).toEqual(['Hello\n\nhalf a', [pier]]);
    expect(elsewhere()).toEqual([]);
    expect(pieces.get(`unsent.${ID}`)).toBe('Hello\n\nhalf a');
    expect(pieces.get(`attached.${ID}`)).toEqual([pier]);
  });

  test('what was taken is on its way no more', async () => {
    backend.giveUp.mockResolvedValue({ taken: true });
    there.onGap();
    await laid();
    expect([there.text, there.attached.files, elsewhere()]).toEqual(['half a', [], []]);
    expect(pieces.get(`unsent.${ID}`)).toBe('half a');
    expect(pieces.get(`attached.${ID}`)).toBeNull();
  });

  test('what nobody can tell is on its way until somebody can', async () => {
    backend.giveUp.mockRejectedValueOnce(new BackendError('offline', 'no'));
    there.onGap();
    await laid();
    expect([there.text, elsewhere()]).toEqual(['half a', ['Hello']]);
    there.onGap();
    await laid();
    expect([there.text, elsewhere()]).toEqual(['Hello\n\nhalf a', []]);
  });
});

test('a window that is still there says that it sends what another one took over', async () => {
  const sent = await sends('Hello');
  there.onGap();
  await laid();
  expect(texts()).toEqual(['', '']);
  expect(elsewhere()).toEqual(['Hello']);
  sent.resolve(SENT);
  await laid();
  expect([...texts(), ...elsewhere()]).toEqual(['', '']);
});
