// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { fakeBackend, ID, later, settled } from '../../test/fakes';
import { backend, desk, pieces } from '../../test/talking';
import { BackendError, type Sent } from '../backend';
import type { Desk } from '../desk/desk';
import type { TurnListener } from '../turn-events';
import type { Talk } from './talk.svelte';
import { Talks } from './talks.svelte';

const OTHER = '01JD0000000000000000000002';
const SENT: Sent = { turnId: 't1', queued: false, seq: 7, ahead: 0 };

function talking() {
  const following = new Set<TurnListener>();
  const events = {
    on: (listener: TurnListener) => {
      following.add(listener);
      return () => following.delete(listener);
    },
  };
  const hooks = { onSettings: () => undefined, onBegun: () => undefined };
  const parts = fakeBackend({ send: backend.send, turns: backend.turns, endTurn: backend.endTurn, keepImage });
  const talks = new Talks(parts, events as never, hooks, desk as unknown as Desk);
  // That which is yet to begin is there all the time.
  following.delete(talks.fresh);
  const go = async (id: string) => {
    const transcript = { id, recorded: vi.fn(() => Promise.resolve()), shown: { toEnd: vi.fn() } };
    const talk = talks.open(transcript as never);
    await settled();
    return { talk, transcript };
  };
  return { go, following, talks };
}

const keepImage = vi.fn();
const onItsWay = ({ parts }: Talk) => parts.map((part) => (part.kind === 'said' ? part.text : ''));

test('a message that is on its way while one is elsewhere is found on its way, and not in the field', async () => {
  const { go, following } = talking();
  const { talk } = await go(ID);
  const sent = later<Sent>();
  backend.send.mockReturnValue(sent.promise);
  talk.write('Hello');
  void talk.send();
  talk.write('half a');
  const { talk: other } = await go(OTHER);
  expect(other.text).toBe('');
  const { talk: back, transcript } = await go(ID);
  expect([back.text, onItsWay(back)]).toEqual(['half a', ['Hello']]);
  back.write('half a thought');
  sent.resolve(SENT);
  await settled();
  expect(back.text).toBe('half a thought');
  expect(pieces.get(`unsent.${ID}`)).toBe('half a thought');
  expect(backend.send).toHaveBeenCalledOnce();
  back.onTurn({ sessionId: ID, turnId: 't1', n: 1, kind: 'record', data: { seq: 7, role: 'user' } });
  expect(transcript.recorded, 'it is shown in what is open now').toHaveBeenCalledOnce();
  expect([...following]).toEqual([back]);
});

test('taken while one is elsewhere, it is nowhere else, and nobody follows it further', async () => {
  const { go, following } = talking();
  const { talk } = await go(ID);
  const sent = later<Sent>();
  backend.send.mockReturnValue(sent.promise);
  talk.write('Hello');
  void talk.send();
  await go(OTHER);
  sent.resolve(SENT);
  await settled();
  const { talk: third } = await go(OTHER);
  expect([...following]).toEqual([third]);
  const { talk: back } = await go(ID);
  expect(back.text).toBe('');
});

test('not taken while one is elsewhere, it stands in the field again, with why', async () => {
  const { go } = talking();
  const { talk } = await go(ID);
  const sent = later<Sent>();
  backend.send.mockReturnValue(sent.promise);
  talk.write('Hello');
  void talk.send();
  await go(OTHER);
  sent.reject(new BackendError('busy', 'held', 'wait'));
  await settled();
  await go(OTHER);
  const { talk: back } = await go(ID);
  expect(back.text).toBe('Hello');
  expect(back.failure).toMatchObject({ code: 'busy', sent: false });
});

test('what is attached or taken back while one is elsewhere is there, beside what was written since', async () => {
  const { go } = talking();
  const { talk } = await go(ID);
  const kept = later<{ blob: string; mediaType: string; bytes: number }>();
  keepImage.mockReturnValue(kept.promise);
  const withdrawn = later<{ withdrawn: boolean; text: string }>();
  backend.endTurn.mockReturnValue(withdrawn.promise);
  const png = Uint8Array.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x09\0\0\0\x09', (sign) => sign.charCodeAt(0));
  void talk.attached.add([new File([png], 'pier.png')]);
  const taken = talk.withdraw({ turnId: 't2', text: 'Later' });
  await vi.waitFor(() => {
    expect(keepImage).toHaveBeenCalledOnce();
  });
  await go(OTHER);
  const { talk: back } = await go(ID);
  back.write('half a');
  kept.resolve({ blob: 'sha-1', mediaType: 'image/png', bytes: 24 });
  withdrawn.resolve({ withdrawn: true, text: 'Later' });
  expect(await taken).toBe('Later');
  await settled();
  expect(back.text).toBe('half a');
  expect(back.attached.files).toMatchObject([{ name: 'pier.png' }]);
});

test('what is put back after one has left stands in the field, behind what was written', async () => {
  const { go, talks, following } = talking();
  const { talk } = await go(ID);
  talk.write('One');
  await go(OTHER);
  talks.giveBack(talk, 'Withdrawn');
  await settled();
  expect(pieces.get(`unsent.${ID}`), 'it is kept, wherever one is').toBe('One\n\nWithdrawn');
  const { talk: back } = await go(ID);
  expect(back.text).toBe('One\n\nWithdrawn');
  expect([...following], 'and followed once').toEqual([back]);
});

test('what is put back once one is here again goes into the field that is open now', async () => {
  const { go, talks } = talking();
  const { talk: before } = await go(ID);
  before.write('One');
  await go(OTHER);
  const { talk: back } = await go(ID);
  expect(back).not.toBe(before);
  back.write('Another');
  talks.giveBack(before, 'Withdrawn', [{ name: 'chart.md', bytes: 5, text: 'chart' }]);
  expect([back.text, pieces.get(`unsent.${ID}`)]).toEqual(Array(2).fill('Another\n\nWithdrawn'));
  expect(back.attached.files).toMatchObject([{ name: 'chart.md' }]);
});
