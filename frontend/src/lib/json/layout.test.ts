import { expect, test } from 'vitest';
import { jsonOf } from './layout';

test('is set out to be read', () => {
  expect(jsonOf(' {"a":[1,{}],"b":{"c":null,"d":[]},"e":"x: {1, 2}"}\n')).toBe(
    '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": {\n    "c": null,\n    "d": []\n  },\n  "e": "x: {1, 2}"\n}',
  );
  expect(jsonOf('[\n  1\n]')).toBeNull();
  for (const none of ['', 'text', '['.repeat(20_000) + ']'.repeat(20_000), '"a"', '{"a": }', '{} {}', '[1,]'])
    expect(jsonOf(none)).toBeNull();
});

test('says what the text says: numbers, members that stand there twice, and their order', () => {
  const said = '{"v":3.10,"id":1234567890123456789,"n":-0,"e":1E400,"cmd":"rm -rf /","cmd":"ls","10":1,"9":2}';
  expect(jsonOf(said)?.replace(/\s*\n\s*|(?<=:) /g, '')).toBe(said);
  expect(jsonOf('{"v":3.10,"t":"\\u00e9\\"\\/ \\u202e"}')).toBe('{\n  "v": 3.10,\n  "t": "é\\"/ \u202e"\n}');
});
