import { describe, expect, test } from 'vitest';
import { visible, visibleLine, visibleProse } from './visible';

describe('hidden characters are shown', () => {
  test.each([
    ['invoice\u202efdp.exe', 'invoice⟨RLO⟩fdp.exe'],
    ['a\u2066b\u2069c', 'a⟨LRI⟩b⟨PDI⟩c'],
    ['rm\u200b -rf', 'rm⟨ZWSP⟩ -rf'],
    ['pass\u00adword', 'pass⟨SHY⟩word'],
    ['\ufeffstart', '⟨BOM⟩start'],
    ['a\u2028b', 'a⟨LS⟩b'],
    ['bell\u0007', 'bell\u2407'],
    ['\u001b[31mred', '\u241b[31mred'],
    ['del\u007f', 'del\u2421'],
    ['hidden\rshown', 'hidden\u240dshown'],
    ['c1\u0085x', 'c1⟨U+0085⟩x'],
    ['tag\u{e0041}x', 'tag⟨U+E0041⟩x'],
    ['fill\u3164er', 'fill⟨U+3164⟩er'],
    ['a\u200db', 'a⟨ZWJ⟩b'],
    ['a\u200cb', 'a⟨ZWNJ⟩b'],
    ['a\u2061b', 'a⟨U+2061⟩b'],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test.each([
    'plain text, café, naïve',
    'lines\nand\ttabs',
    '日本語 العربية עברית हिन्दी',
    '👨‍👩‍👧 family and 🏳️‍🌈 flag and 👩🏽‍💻',
    'می‌خواهم',
    'क्‍ष',
  ])('%j stays as it is', (text) => {
    expect(visible(text)).toBe(text);
  });

  test('the line ends of Windows are no secret', () => {
    expect(visible('a\r\nb')).toBe('a\nb');
  });
});

test('one line, of bounded length, without cutting a character', () => {
  expect(visibleLine('  a\n b\t c ')).toBe('a b c');
  expect(visibleLine('👍'.repeat(10), 3)).toBe('👍👍👍…');
  expect(visibleLine('x'.repeat(10_000_000), 5)).toBe('xxxxx…');
});

test('prose keeps the marks of right-to-left text and shows overrides', () => {
  expect(visibleProse('שלום\u200f!')).toBe('שלום\u200f!');
  expect(visibleProse('a\u202eb')).toBe('a⟨RLO⟩b');
});
