import { describe, expect, test } from 'vitest';
import { jsonOf, callsOf, plainText } from '../transcript/record';
import { recordAsMarkdown } from '../transcript/as-markdown';
import { isSaid, pretty, restOf, summarize } from '../transcript/tools';
import { exactOf, membersOf, parseExactly } from './exact';
import { tokensOf } from './tokens';

/** The arguments of a call in a record of a page, as the page gets them. */
function argumentsOf(json: string): unknown {
  const page = parseExactly(
    `{"records":[{"seq":1,"content":"arguments"},{"recordType":"message","role":"assistant","content":[{"type":"text","text":"\\"}"},{"type":"toolCall","id":"c","name":"x","arguments":${json}}]}],"total":2}`,
  ) as { records: Record<string, unknown>[] };
  return callsOf(page.records[1] ?? {})[0]?.args;
}

describe('arguments are what the log holds', () => {
  const said = '{"id":1234567890123456789,"v":3.10,"a":1,"a":2}';

  test('token for token where they are set out, and in the one line', () => {
    const args = argumentsOf(said);
    expect(pretty(args)).toBe('{\n  "id": 1234567890123456789,\n  "v": 3.10,\n  "a": 1,\n  "a": 2\n}');
    expect(jsonOf(args)).toBe(said);
    expect(summarize(args)).toBe('id: 1234567890123456789');
    expect(summarize(argumentsOf('{"10":1.0,"9":2}'))).toBe('10: 1.0');
  });

  test('what is copied of them too', () => {
    const record = { recordType: 'message', role: 'assistant', timestamp: 't' };
    const content = [{ type: 'toolCall', id: 'c', name: 'x', arguments: argumentsOf(said) }];
    expect(plainText({ ...record, content })).toBe(`[x] ${said}`);
    expect(recordAsMarkdown({ ...record, content })).toContain('"id": 1234567890123456789,\n  "v": 3.10');
  });

  test('what has a form of its own is left out of the rest, but not one of two of a name', () => {
    const args = argumentsOf('{"command":"ls","timeout":3.10}');
    expect(pretty(restOf(args, ['command']))).toBe('{\n  "timeout": 3.10\n}');
    expect(restOf(argumentsOf('{"command":"ls","timeout":3.10}'), ['command', 'timeout'])).toBeUndefined();
    expect(isSaid(argumentsOf('{"id":"a","id":"b"}'), 'b')).toBe(false);
    const twice = argumentsOf('{"command":"rm -rf /","n":1,"command":"ls"}');
    expect(pretty(restOf(twice, ['command', 'n']))).toBe('{\n  "command": "rm -rf /",\n  "command": "ls"\n}');
  });

  test.each(['{"a":{"b":[1,2,{"c":null}]},"d":"\\u00e9\\/"}', '{ "a" : [ ] }', '[]', '"text"', '12', 'null'])(
    '%s says no more than its value',
    (json) => {
      const args = argumentsOf(json);
      expect(args).toEqual(JSON.parse(json));
      expect(exactOf(args)).toBeUndefined();
    },
  );

  test.each(['{"a":{"b":[1,2,{"c":1.0}]}}', '[-0]', '{"__proto__":1,"__proto__":2}', '{"arguments":{"n":1e2}}'])(
    '%s says more',
    (json) => {
      expect(exactOf(argumentsOf(json))).toBe(json);
    },
  );

  test('names that stand twice where the first has other members', () => {
    const json = '{"a":{"toString":{"arguments":{"n":1.0}}},"a":{},"b":{"arguments":{"n":2.0}}}';
    const value = parseExactly(json) as { b: { arguments: unknown } };
    expect(exactOf(value.b.arguments)).toBe('{"n":2.0}');
    expect(exactOf({}.toString)).toBeUndefined();
  });

  test('deep and huge ones are read, and stand as they are written', () => {
    const deep = '{"a":' + '['.repeat(10_000) + '1.0' + ']'.repeat(10_000) + '}';
    expect(pretty(argumentsOf(deep))).toBe(deep);
    const huge = `{"n":1.0,"t":"${'x\\\\'.repeat(2_500_000)}"}`;
    expect(pretty(argumentsOf(huge))).toBe(huge);
    expect(summarize(argumentsOf(huge))).toBe('n: 1.0');
  });
});

test('members in their order, as they are written', () => {
  expect([...membersOf('{ "a" : {"x":[1, 2]} , "\\u0062":"},\\"", "a":[ ]}')]).toEqual([
    { name: 'a', value: '{"x":[1, 2]}' },
    { name: 'b', value: '"},\\""' },
    { name: 'a', value: '[ ]' },
  ]);
  expect([...membersOf('{}')]).toEqual([]);
});

test('tokens are signs, strings, numbers and words', () => {
  expect([...tokensOf(' {"a\\\\":[-1.0e3,true],"\\"":null}')]).toEqual([
    '{',
    '"a\\\\"',
    ':',
    '[',
    '-1.0e3',
    ',',
    'true',
    ']',
    ',',
    '"\\""',
    ':',
    'null',
    '}',
  ]);
});
