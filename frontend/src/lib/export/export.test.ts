import { expect, test } from 'vitest';
import { crc32 } from './crc32';
import { fileName } from './names';
import { downloads, nameIn } from '../backend/exporting';
import { Reader } from '../backend/reader';
import { Zip } from './zip';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the checksum is that of everybody', () => {
  expect(crc32(bytes('123456789'))).toBe(0xcbf43926);
  expect(crc32(bytes('6789'), crc32(bytes('12345')))).toBe(0xcbf43926);
  expect(crc32(bytes(''))).toBe(0);
});

test('names are what every system takes, and no two the same', () => {
  const free = () => false;
  expect(fileName('a/b: "c"?', 'x', 'markdown', free)).toBe('a b c.md');
  expect(fileName('..', 'x', 'jsonl', free)).toBe('session.jsonl');
  expect(fileName('x\u202ey\u0000', 'x', 'pi', free)).toBe('x y.pi.jsonl');
  expect([...fileName('é'.repeat(300), 'x', 'markdown', free)].length).toBe(83);
  const taken = new Set(['a.md', 'a codex-1.md']);
  expect(fileName('A', 'codex:1', 'markdown', (name) => taken.has(name))).toBe('A codex-1 2.md');
});

test('an archive has its files as they are', async () => {
  const zip = new Zip(new Date(2026, 10, 22, 12, 30, 4));
  await zip.add('ä.md', new Blob(['hello']));
  await zip.add('b.md', new Blob([]));
  const view = new DataView(await zip.blob().arrayBuffer());
  const end = view.byteLength - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  expect(view.getUint16(end + 10, true)).toBe(2);
  const directory = view.getUint32(end + 16, true);
  expect(view.getUint32(directory, true)).toBe(0x02014b50);
  expect(view.getUint32(directory + 16, true)).toBe(crc32(bytes('hello')));
  expect([view.getUint32(directory + 20, true), view.getUint32(directory + 24, true)]).toEqual([5, 5]);
  const second = directory + 46 + bytes('ä.md').length;
  const at = view.getUint32(second + 42, true);
  expect(view.getUint32(at, true)).toBe(0x04034b50);
  expect(new TextDecoder().decode(new Uint8Array(view.buffer, at + 30, 4))).toBe('b.md');
});

test('what is downloaded has the name that is told, and so is how many secrets were left out', async () => {
  const told = (value: string) => nameIn(new Headers({ 'Content-Disposition': value }));
  expect(told('attachment; filename=first.md')).toBe('first');
  expect(told('attachment; filename="a \\"b\\".pi.jsonl"')).toBe('a "b"');
  expect(told("attachment; filename*=utf-8''gr%C3%B6%C3%9Fer%20%5Bsecret%20removed%5D.jsonl")).toBe(
    'größer [secret removed]',
  );
  expect(told('attachment')).toBeNull();
  const reader = new Reader(() => ({}));
  const headers = {
    'Content-Disposition': 'attachment; filename="with [secret removed].md"',
    'X-Secrets-Left-Out': '3',
  };
  reader.ask = () => Promise.resolve(new Response('x', { headers }));
  const place = downloads(reader, 2);
  expect(await place.add({ id: 'x', title: 'with a key' }, 'markdown')).toBe(3);
});
