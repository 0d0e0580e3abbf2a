import { expect, test } from 'vitest';
import { Attached } from './attached.svelte';
import { fenced, FILE_MOST, filesIn, readText, withFiles } from './file';
import { Unsent } from './unsent';

const file = (name: string, content: BlobPart, type = '') => new File([content], name, { type });
const text = (name: string, content: string) => ({ name, text: content, bytes: content.length });

function desk(there: unknown = null) {
  const pieces = new Map<string, unknown>([['attached.S', there]]);
  let tell: (value: unknown) => void = () => undefined;
  return {
    pieces,
    tell: () => {
      tell(pieces.get('attached.S'));
    },
    unsent: new Unsent({
      follow: (_, listener) => {
        tell = listener;
        return () => undefined;
      },
      lay: (key, value) => void pieces.set(key, value),
    }),
  };
}

test('a file is its path, and its text in a fence', () => {
  expect(fenced(text('src/a.go', 'package a\n'))).toBe('`src/a.go`\n\n```go\npackage a\n```');
  expect(fenced(text('Makefile', 'all:'))).toBe('`Makefile`\n\n```\nall:\n```');
});

test('nothing in a file closes its fence, and no name is more than a line', () => {
  const hostile = fenced(text('a`\n# b\u202e.md', 'x\n````\ny'));
  expect(hostile.split('\n').slice(2)).toEqual(['`````md', 'x', '````', 'y', '`````']);
  expect(hostile.split('\n')[0]).toMatch(/^`a' .*# b.*\.md`$/);
});

test('files stand behind what is written, or alone', () => {
  const one = text('a', 'x');
  expect(withFiles('Look.', [one])).toBe(`Look.\n\n${fenced(one)}`);
  expect(withFiles(' ', [one, one])).toBe(`${fenced(one)}\n\n${fenced(one)}`);
  expect(withFiles('Look.', [])).toBe('Look.');
});

test('only text goes with a message', async () => {
  expect(await readText(file('a.txt', 'größer'))).toEqual({ name: 'a.txt', text: 'größer', bytes: 8 });
  expect(await readText(file('a.png', 'x', 'image/png'))).toBe('image');
  expect(await readText(file('a.svg', '<svg/>', 'image/svg+xml'))).toMatchObject({ text: '<svg/>' });
  expect(await readText(file('a.bin', new Uint8Array([0xff, 0xfe, 0])))).toBe('binary');
  expect(await readText(file('a.bin', 'a\0b'))).toBe('binary');
  expect(await readText(file('a.txt', 'x'.repeat(FILE_MOST + 1)))).toBe('tooLarge');
});

test('what is attached lies on the desk, with what was attached before that was known', async () => {
  const { unsent, pieces, tell } = desk([text('before', 'x')]);
  const attached = new Attached(unsent, 'S');
  await attached.add([file('now', 'y')]);
  expect(pieces.get('attached.S')).toHaveLength(1);
  tell();
  expect(attached.files.map(({ name }) => name)).toEqual(['before', 'now']);
  expect(pieces.get('attached.S')).toHaveLength(2);
  attached.remove(0);
  expect(attached.files.map(({ name }) => name)).toEqual(['now']);
  const taken = attached.take();
  expect(pieces.get('attached.S')).toBeNull();
  attached.putBack(taken);
  expect(attached.files).toEqual(taken);
});

test('all files together have a bound', async () => {
  const { unsent, tell } = desk();
  const attached = new Attached(unsent, 'S');
  tell();
  const half = 'x'.repeat(FILE_MOST);
  expect(await attached.add([file('a', half), file('b', half), file('c', 'y')])).toEqual([
    { name: 'c', why: 'tooMuch' },
  ]);
  expect(attached.files).toHaveLength(2);
});

test('what lies on the desk is taken for files only where it is some', () => {
  expect(filesIn('x')).toEqual([]);
  expect(filesIn([null, 3, { name: 'a' }, text('a', 'x')])).toEqual([text('a', 'x')]);
});
