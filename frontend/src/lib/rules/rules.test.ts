import { expect, test, vi } from 'vitest';
import { ID } from '../../test/fakes';
import { BackendError, type Permissions, type Rule } from '../backend';
import { nextStep } from './no-tools';
import { RulesDraft } from './rules.svelte';

const permissions = (rules: Rule[]): Permissions => ({
  sessionId: ID,
  permissions: rules,
  inherited: [],
  noTools: null,
});

test('rules are edited beside those that hold, and saved at once', async () => {
  const backend = {
    permissions: vi.fn(() => Promise.resolve(permissions([{ rule: 'bash', effect: 'ask' }]))),
    setPermissions: vi.fn((_: string, rules: Rule[]) => Promise.resolve(permissions(rules))),
  };
  const draft = new RulesDraft(backend, ID);
  await draft.load();
  draft.add();
  const key = draft.add();
  const [first, , last] = draft.rows;
  if (last) last.rule = ' read(src/**) ';
  if (first) first.effect = 'deny';
  expect(backend.setPermissions).not.toHaveBeenCalled();
  expect(await draft.save()).toBe(true);
  expect(backend.setPermissions.mock.calls[0]).toEqual([
    ID,
    [
      { rule: 'bash', effect: 'deny' },
      { rule: 'read(src/**)', effect: 'allow' },
    ],
    [{ rule: 'bash', effect: 'ask' }],
  ]);
  draft.remove(key);
  expect(draft.rows.map(({ rule }) => rule)).toEqual(['bash', '']);
});

test('rules that came meanwhile are kept beside what was edited, and that is said', async () => {
  const asks: Rule = { rule: 'bash', effect: 'ask' };
  const denies: Rule = { rule: 'bash', effect: 'deny' };
  const reads: Rule = { rule: 'read', effect: 'allow' };
  const old: Rule = { rule: 'ls', effect: 'ask' };
  let held = [asks, old];
  const backend = {
    permissions: vi.fn(() => Promise.resolve(permissions(held))),
    setPermissions: vi.fn((_id: string, rules: Rule[], base: Rule[]) =>
      JSON.stringify(base) === JSON.stringify(held)
        ? Promise.resolve(permissions(rules))
        : Promise.reject(new BackendError('stale', 'its rules have changed')),
    ),
  };
  const draft = new RulesDraft(backend, ID);
  await draft.load();
  if (draft.rows[0]) draft.rows[0].effect = 'deny';
  held = [asks, reads];
  expect(await draft.save()).toBe(false);
  expect(draft.wrong?.message).toContain('changed meanwhile');
  expect(draft.rows.map(({ rule, effect }) => ({ rule, effect }))).toEqual([denies, reads]);
  expect(await draft.save()).toBe(true);
  expect(backend.setPermissions.mock.lastCall).toEqual([ID, [denies, reads], [asks, reads]]);
});

test('what is wrong is said where it stands', async () => {
  const refuse = (message: string) => Promise.reject(new BackendError('bad_input', message));
  const setPermissions = vi.fn();
  const draft = new RulesDraft({ permissions: () => Promise.resolve(permissions([])), setPermissions }, ID);
  await draft.load();
  draft.add();
  const key = draft.add();
  for (const [i, row] of draft.rows.entries()) row.rule = i === 0 ? 'bash' : 'bash("x"';
  setPermissions.mockImplementationOnce(() =>
    refuse('bad input: session x: rule "bash(\\"x\\"": the closing parenthesis is missing'),
  );
  expect(await draft.save()).toBe(false);
  expect(draft.wrong).toEqual({ key, message: 'Rule "bash(\\"x\\"": the closing parenthesis is missing.' });
  const rows = draft.rows;
  for (const [said, rule] of [
    ['bash(\\u200bx \\x07\\a \\U000e0001', 'bash(\u200bx \x07\x07 \u{e0001}'],
    ['bash(<é> \\\\ \\t', 'bash(<é> \\ \t'],
  ] as const) {
    if (rows[1]) rows[1].rule = `${rule}y`;
    setPermissions.mockImplementationOnce(() => refuse(`bad input: rule "${said}y": no`));
    await draft.save();
    expect(draft.wrong).toEqual({ key, message: `Rule "${said}y": no.` });
  }
  setPermissions.mockImplementationOnce(() => refuse('the disk is full'));
  await draft.save();
  expect(draft.wrong).toEqual({ key: null, message: 'The disk is full.' });
});

test('the next step depends on why there are no tools', () => {
  const steps = [
    nextStep('tools are switched off, by tools.enabled in config.yaml', '/x'),
    nextStep('the session has no folder to work in', null),
    nextStep("the session's folder /x is not there", '/x'),
  ];
  expect(new Set(steps).size).toBe(3);
  expect(steps[0]).toContain('config.yaml');
});
