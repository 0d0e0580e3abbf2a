import { expect, test } from 'vitest';
import { readable } from './terminal';

test.each([
  ['\u001b[1mbold\u001b[0m and \u001b[38;5;196mred\u001b[m', 'bold and red'],
  ['\u001b[2Kerased', '\u001b[2Kerased'],
  ['\u001b[1Aup \u001b]0;title\u0007', '\u001b[1Aup \u001b]0;title\u0007'],
  ['[31m is text', '[31m is text'],
  ['\u009b31mred\u009b0m', 'red'],
  [
    '\u001b]8;;https://evil.example/a\u001b\\the docs\u001b]8;;\u001b\\ and on',
    '⟨https://evil.example/a⟩ the docs and on',
  ],
  ['\u001b]8;id=1;javascript:x\u0007press\u001b]8;;\u0007', '⟨javascript:x⟩ press'],
])('%j becomes %j', (output, shown) => {
  expect(readable(output)).toBe(shown);
});
