import { expect, test } from 'vitest';
import { withoutColours } from './terminal';

test.each([
  ['\u001b[1mbold\u001b[0m and \u001b[38;5;196mred\u001b[m', 'bold and red'],
  ['\u001b[2Kerased', '\u001b[2Kerased'],
  ['\u001b[1Aup \u001b]0;title\u0007', '\u001b[1Aup \u001b]0;title\u0007'],
  ['[31m is text', '[31m is text'],
])('%j becomes %j', (output, shown) => {
  expect(withoutColours(output)).toBe(shown);
});
