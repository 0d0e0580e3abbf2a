import { expect, test } from 'vitest';
import { beginningOf, eventOf } from './events';

const note = (namespace: string, more: object = {}) =>
  eventOf({
    recordType: 'note',
    seq: 1,
    namespace,
    data: null,
    display: false,
    content: [{ type: 'text', text: '<reminder>\nNow.' }],
    ...more,
  });

test.each([
  ['agent.attachment.todo_list', 'Injected · todo list'],
  ['agent.injected', 'Injected'],
  ['memory', 'Injected'],
  ['a.b\u202Ec', 'Injected · b⟨RLO⟩c'],
])('what a program put there, as %s, is folded', (namespace, title) => {
  expect(note(namespace)).toMatchObject({ title, folded: true, body: '<reminder>\nNow.' });
});

test('a note that is to be read, and one that says nothing, are not', () => {
  expect(note('agent.x', { display: true })).toMatchObject({ title: 'Note by agent.x', body: '<reminder>\nNow.' });
  expect(note('agent.x', { display: true }).folded).toBeUndefined();
  expect(note('agent.x', { content: [], data: { a: 1 } })).toMatchObject({ title: 'Note by agent.x', raw: { a: 1 } });
  expect(note('agent.x', { content: [] }).folded).toBeUndefined();
});

test.each([
  ['<reminder>\n# Now.\n</reminder>', 'Now.'],
  ['<reminder>\n<tools-used>Bash</tools-used>\n</reminder>', 'tools used: Bash'],
  ['<a>One, <b>two', 'One, <b>two'],
  ['<a>\n</a>', ''],
])('of %j the beginning says %j', (body, first) => {
  expect(beginningOf(body)).toBe(first);
});

test('a model whose name is nothing but blanks shows them', () => {
  const model = (more: object) => eventOf({ recordType: 'model', seq: 1, ...more }).title;
  expect(model({ provider: 'anthropic', model: '  ' })).toBe('Model: anthropic/⟨2 SP⟩');
  expect(model({ provider: 'anthropic', model: 'opus', reasoningEffort: 'high' })).toBe('Model: anthropic/opus · high');
  expect(model({})).toBe('Model: ?');
});
