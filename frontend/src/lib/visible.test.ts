import { describe, expect, test } from 'vitest';
import { hiddenNames, visible, visibleExactly, visibleLine, visibleName, visibleProse } from './visible';

describe('hidden characters are shown', () => {
  test.each([
    ['invoice\u202efdp.exe', 'invoice⟨RLO⟩fdp.exe'],
    ['a\u2066b\u2069c', 'a⟨LRI⟩b⟨PDI⟩c'],
    ['rm\u200b -rf', 'rm⟨ZWSP⟩ -rf'],
    ['pass\u00adword', 'pass⟨SHY⟩word'],
    ['\ufeffstart', '⟨BOM⟩start'],
    ['a\u2028b', 'a⟨LS⟩b'],
    ['bell\u0007', 'bell⟨BEL⟩'],
    ['\u001b[31mred', '⟨ESC⟩[31mred'],
    ['del\u007f', 'del⟨DEL⟩'],
    ['hidden\rshown', 'hidden⟨CR⟩shown'],
    ['c1\u0085x', 'c1⟨U+0085⟩x'],
    ['tag\u{e0041}x', 'tag⟨U+E0041⟩x'],
    ['fill\u3164er', 'fill⟨U+3164⟩er'],
    ['a\u200db', 'a⟨ZWJ⟩b'],
    ['a\u200cb', 'a⟨ZWNJ⟩b'],
    ['a\u2061b', 'a⟨U+2061⟩b'],
    ['rm\u00a0-rf', 'rm⟨NBSP⟩-rf'],
    ['a\u2003b\u202fc', 'a⟨U+2003⟩b⟨NNBSP⟩c'],
    ['a\u2800b\u034fc', 'a⟨U+2800⟩b⟨CGJ⟩c'],
    ['x\ufe0fy\ufe01z', 'x⟨VS16⟩y⟨U+FE01⟩z'],
    ['x\u{e0100}y\u{e01ef}z', 'x⟨U+E0100⟩y⟨U+E01EF⟩z'],
    ['👍\ufe0f\ufe0f', '👍\ufe0f⟨VS16⟩'],
    ['half\ud800 and \udfff', 'half⟨U+D800⟩ and ⟨U+DFFF⟩'],
    ['none\uffff', 'none⟨U+FFFF⟩'],
    ['nul\u0000', 'nul⟨NUL⟩'],
    [`z${'\u0301'.repeat(40)}!`, `z${'\u0301'.repeat(5)}⟨35 marks⟩!`],
  ])('%j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('none is missed in text that has nothing else', () => {
    const hidden = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
    const space = /[^\P{Zs} \u3000]/u;
    const units = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const missed = units.filter((unit) => {
      if (/[\t\n]/.test(unit)) return false;
      if (/\p{M}/u.test(unit)) return visible(`a${unit.repeat(9)}`) === `a${unit.repeat(9)}`;
      return (hidden.test(unit) || space.test(unit)) && visible(unit) === unit;
    });
    expect(missed).toEqual([]);
  });

  test.each([
    'plain text, café, naïve',
    'lines\nand\ttabs',
    '日本語 العربية עברית हिन्दी',
    '👨‍👩‍👧 family and 🏳️‍🌈 flag and 👩🏽‍💻',
    'می‌خواهم',
    'क्‍ष',
    '1\ufe0f\u20e3 and ☎\ufe0e and ❤\ufe0f',
    '葛\u{e0100}城',
    'ก็ดี Việt n\u0303\u0323',
    '🙂 𝒳 𐍈',
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

test('what a line leaves out shows', () => {
  expect(visibleLine(`echo${' '.repeat(9000)}; rm -rf ~`)).toBe('echo…');
  expect(visibleLine(`echo${' '.repeat(9000)}`)).toBe('echo');
  expect(visibleLine(`${'x'.repeat(39)}👍 and more`, 10)).toBe('xxxxxxxxxx…');
});

test('names of what is hidden, each once', () => {
  expect(hiddenNames('a\u202eb\u202ec\u200b\u0007')).toEqual(['⟨RLO⟩', '⟨ZWSP⟩', '⟨BEL⟩']);
  expect(hiddenNames('plain\n\ttext 👍')).toEqual([]);
});

test('an isolate in prose ends with its line, or shows', () => {
  expect(visibleProse('a \u2067שלום\u2069 b')).toBe('a \u2067שלום\u2069 b');
  expect(visibleProse('a \u2067b\n\u2069')).toBe('a ⟨RLI⟩b\n⟨PDI⟩');
  expect(visibleProse('\u2069\u2066')).toBe('⟨PDI⟩⟨LRI⟩');
});

test('prose shows what carries data unseen, and marks that flood', () => {
  expect(visibleProse('hi\u{e0068}\u{e0069}\ufe01')).toBe('hi⟨U+E0068⟩⟨U+E0069⟩⟨U+FE01⟩');
  expect(visibleProse(`a${'\u0335'.repeat(9)}`)).toBe(`a${'\u0335'.repeat(5)}⟨4 marks⟩`);
});

test('prose keeps the marks of right-to-left text and shows overrides', () => {
  expect(visibleProse('שלום\u200f!')).toBe('שלום\u200f!');
  expect(visibleProse('a\u202eb')).toBe('a⟨RLO⟩b');
});

test('where one blank more makes it something else, each of them shows', () => {
  expect(visibleExactly('src/my file.go')).toBe('src/my file.go');
  expect(visibleExactly('a  b')).toBe('a ⟨SP⟩b');
  expect(visibleExactly(' a   b  ')).toBe('⟨SP⟩a ⟨2 SP⟩b⟨2 SP⟩');
  expect(visibleExactly('bash(ls\rrm\n\tx\u202e)')).toBe('bash(ls⟨CR⟩rm⟨LF⟩⟨HT⟩x⟨RLO⟩)');
  expect(visibleExactly(`x${' '.repeat(9000)}y`, 20)).toBe('x ⟨8999 SP⟩y');
});

test('a name that is nothing but blanks shows them, and one that has none or is none is as it was', () => {
  expect(visibleName(' ')).toBe('⟨SP⟩');
  expect(visibleName('   ')).toBe('⟨3 SP⟩');
  expect(visibleName('\n\t')).toBe('⟨LF⟩⟨HT⟩');
  expect(visibleName('\u3000\u3000')).toBe('⟨U+3000⟩⟨U+3000⟩');
  expect(visibleName('\u200b')).toBe('⟨ZWSP⟩');
  expect(visibleName(' ba sh ')).toBe('ba sh');
  expect(visibleName('')).toBe('');
  expect([...visibleName('\u3000'.repeat(1000), 60)]).toHaveLength(61);
});
