import { expect, test } from 'vitest';
import { Attached } from './attached.svelte';
import { fenced, FILE_MOST, filesIn, isPicture, readText, withFiles } from './file';
import { IMAGE_MOST, IMAGES_MOST } from './image';
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
      by: 'here',
      follow: (_, listener) => {
        tell = listener;
        return () => undefined;
      },
      lay: (key, value) => void pieces.set(key, value),
      laid: () => Promise.resolve(null),
    }),
  };
}

const head = (width: number) =>
  `\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0${String.fromCharCode(width >> 8, width & 255)}\0\0\0\x09`;
const PNG = head(9);
const bytesOf = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const picture = (name: string, size = 24) => file(name, bytesOf(PNG.padEnd(size)));
let kept = 0;
const backend = {
  keepImage: (bytes: ArrayBuffer) =>
    Promise.resolve({ blob: `sha-${++kept}`, mediaType: 'image/png', bytes: bytes.byteLength }),
};

test('images are known by what is in them, and lie on the desk until their message is where it belongs', async () => {
  const { unsent, pieces, tell } = desk();
  const attached = new Attached(unsent, 'S', backend);
  tell();
  expect(await attached.add([picture('pier.txt'), file('not.png', 'words'), picture('x'.repeat(250))])).toEqual([]);
  const [pier, , long] = attached.files;
  expect(pier).toEqual({ name: 'pier.txt', bytes: 24, image: { blob: 'sha-1', mediaType: 'image/png' } });
  expect(long?.name).toHaveLength(200);
  const sent = attached.files.filter(isPicture);
  attached.sends('k1', sent, []);
  expect(attached.files).toEqual([]);
  expect(pieces.get('attached.S')).toEqual([pier, long].map((one) => ({ ...one, by: 'here', key: 'k1' })));
  attached.cameBack(sent);
  attached.putBack(sent.filter((one) => one === pier));
  expect(attached.files).toEqual(sent);
  attached.sends('k1', sent, []);
  attached.sends('k2', [], []);
  attached.taken();
  expect(pieces.get('attached.S')).toBeNull();
});

test('what another window attached or left out is followed, and not laid down once more', () => {
  const { unsent, pieces, tell } = desk();
  let laid = 0;
  const lay = pieces.set.bind(pieces);
  const attached = new Attached(unsent, 'S', backend);
  tell();
  pieces.set = (key, value) => (laid++, lay(key, value));
  for (const there of [[{ name: 'a.md', text: 'a', bytes: 1 }], null]) {
    lay('attached.S', there);
    tell();
    expect(attached.files).toEqual(there ?? []);
  }
  expect(laid).toBe(0);
});

test('images have bounds of their own', async () => {
  const { unsent, tell } = desk();
  const attached = new Attached(unsent, 'S', backend);
  tell();
  const whys = async (...files: File[]) => (await attached.add(files)).map(({ why }) => why);
  expect(await whys(picture('a', IMAGE_MOST + 1))).toEqual(['imageTooLarge']);
  expect(await whys(...Array.from({ length: 4 }, () => picture('a', 4_500_000)))).toEqual(['imagesTooMuch']);
  expect(await whys(...Array.from({ length: 6 }, () => picture('a')))).toEqual(['tooManyImages']);
  expect(attached.files).toHaveLength(IMAGES_MOST);
  const one = new Attached(unsent, 'S', backend);
  const sizes = ['\x89PNG\r\n\x1a\n', head(0), head(8001), head(8000)].map((png) => file('a.png', bytesOf(png)));
  expect((await one.add(sizes)).map(({ why }) => why)).toEqual(['imageDamaged', 'imageDamaged', 'imageTooWide']);
  // At the same time no more of them than one after the other.
  const many = Array.from({ length: 6 }, () => picture('a'));
  await Promise.all([one.add(many), one.add(many)]);
  expect(one.files).toHaveLength(IMAGES_MOST);
  const refusing = new Attached(unsent, 'S', { keepImage: () => Promise.reject(new Error('full')) });
  expect(await refusing.add([picture('a')])).toEqual([{ name: 'a', why: 'notKept' }]);
});

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
  expect(await readText(file('a.heic', 'x', 'image/heic'))).toBe('image');
  expect(await readText(file('a.svg', '<svg/>', 'image/svg+xml'))).toMatchObject({ text: '<svg/>' });
  expect(await readText(file('a.bin', new Uint8Array([0xff, 0xfe, 0])))).toBe('binary');
  expect(await readText(file('a.bin', 'a\0b'))).toBe('binary');
  expect(await readText(file('a.txt', 'x'.repeat(FILE_MOST + 1)))).toBe('tooLarge');
});

test('what is attached lies on the desk, with what was attached before that was known', async () => {
  const { unsent, pieces, tell } = desk([text('before', 'x')]);
  const attached = new Attached(unsent, 'S', backend);
  await attached.add([file('now', 'y')]);
  expect(pieces.get('attached.S')).toHaveLength(1);
  tell();
  expect(attached.files.map(({ name }) => name)).toEqual(['before', 'now']);
  expect(pieces.get('attached.S')).toHaveLength(2);
  attached.remove(0);
  expect(attached.files.map(({ name }) => name)).toEqual(['now']);
  const sent = attached.files;
  attached.sends('k1', [], []);
  expect(pieces.get('attached.S')).toBeNull();
  attached.cameBack(sent);
  expect(attached.files).toEqual(sent);
});

test('all files together have a bound', async () => {
  const { unsent, tell } = desk();
  const attached = new Attached(unsent, 'S', backend);
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
