import { expect, test, vi } from 'vitest';
import { valuesOf } from './lines';

/** An answer that comes in pieces of so many bytes. */
function inPieces(text: string, size: number): Response {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(to) {
      for (let at = 0; at < bytes.length; at += size) to.enqueue(bytes.slice(at, at + size));
      to.close();
    },
  });
  return new Response(body);
}

const rows = [{ name: 'Größe 港 💡' }, { name: 'a\nb' }, { name: '' }];
const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');

test.each([1, 2, 3, 7, 1000])('lines are whole whatever the pieces they come in, such as %d bytes', async (size) => {
  expect(await valuesOf(inPieces(text, size))).toEqual(rows);
});

test('nothing is no line, and an answer that can be had only whole is read, too', async () => {
  expect(await valuesOf(new Response(''))).toEqual([]);
  expect(await valuesOf({ body: null, text: () => Promise.resolve(text) } as Response)).toEqual(rows);
});

test('an answer that was cut off is an error, and one whose last line has no end is whole', async () => {
  await expect(valuesOf(inPieces(text.slice(0, -4), 5))).rejects.toThrow();
  expect(await valuesOf(inPieces(text.slice(0, -1), 5))).toEqual(rows);
});

test('of many lines the page goes on in between', async () => {
  const now = vi.spyOn(performance, 'now');
  let at = 0;
  now.mockImplementation(() => (at += 1));
  let drawn = 0;
  const timer = setInterval(() => drawn++, 0);
  const many = Array.from({ length: 500 }, (_, n) => ({ n }));
  expect(await valuesOf(new Response(many.map((row) => `${JSON.stringify(row)}\n`).join('')))).toEqual(many);
  clearInterval(timer);
  now.mockRestore();
  expect(drawn).toBeGreaterThan(5);
});
