import { describe, expect, test } from 'vitest';
import { isDrawable, pixelsOf } from './pixels';

const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer;

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x2c\0\0\0\x02';
const JPEG = '\xff\xd8\xff\xe1\0\x06Exif\xff\xff\xc4\0\x03\0\xff\xc2\0\x11\x08\0\x02\x01\x2c\x03';
const KINDS: Record<string, string> = {
  PNG,
  GIF: 'GIF89a\x2c\x01\x02\0\0\0\0',
  JPEG,
  'WebP, lossy': 'RIFF....WEBPVP8 ....\x30\x01\0\x9d\x01\x2a\x2c\x01\x02\0 and so on',
  'WebP, lossless': 'RIFF....WEBPVP8L....\x2f\x2b\x41\0\0 and so on',
  'WebP, in pieces': 'RIFF....WEBPVP8X....\0\0\0\0\x2b\x01\0\x01\0\0 and so on',
  AVIF: '\0\0\0\x18ftypavif....\0\0\0\x14ispe\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x14ispe\0\0\0\0\0\0\x01\x2c\0\0\0\x02 and so on: data',
};

describe.each(Object.entries(KINDS))('%s', (_, content) => {
  test('says how large it is', () => {
    expect(pixelsOf(bytes(content))).toEqual({ width: 300, height: 2 });
  });

  test('cut anywhere says nothing, or something', () => {
    for (let n = 0; n < content.length; n++) {
      const found = pixelsOf(bytes(content.slice(0, n)));
      expect(found === null || found.width >= 0).toBe(true);
    }
    expect(pixelsOf(bytes(content.slice(0, 9)))).toBeNull();
  });
});

test('what is no picture says nothing, and does not go on for ever', () => {
  for (const content of [
    '',
    '<svg width="9"/>',
    '\xff\xd8\xff\xe0\0\0\xff\xe0\0\0',
    '\xff\xd8' + '\xff'.repeat(5000),
  ]) {
    expect(pixelsOf(bytes(content))).toBeNull();
  }
});

test('a picture of a billion points is not drawn, one of a long page is', () => {
  expect(isDrawable({ width: 32_000, height: 32_000 })).toBe(false);
  expect(isDrawable({ width: 1440, height: 40_000 })).toBe(true);
});
