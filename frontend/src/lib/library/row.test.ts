import { describe, expect, test } from 'vitest';
import { session } from '../../test/fakes';
import type { Session } from '../backend';
import { entryOf } from './entries';
import { rowOf, type Around } from './row';

const NONE = new Set<string>();
const around: Around = {
  today: new Date(2026, 10, 21).getTime(),
  group: 'day',
  named: true,
  trash: false,
  open: null,
  marked: null,
  renaming: null,
  selection: NONE,
  asking: NONE,
  pointed: false,
};
const rowIn = (more: Partial<Session>, other: Partial<Around> = {}, depth = 0) =>
  rowOf({ ...entryOf(session('A', more)).item, depth }, { ...around, ...other });
const said = (more: Partial<Session>, other: Partial<Around> = {}, depth = 0) =>
  rowIn(more, other, depth).marks.map(({ kind, text }) => `${kind}: ${text}`);

describe('a row', () => {
  test('says what its session is called, when it was, and where it leads', () => {
    const row = rowIn({ name: 'Fix Deploy', lastMessageAt: '2026-11-21T12:05:00' });
    expect(row).toMatchObject({ title: 'Fix Deploy', time: '12:05', href: '#/s/A', actions: 'Actions for Fix Deploy' });
    expect(row).toMatchObject({ looks: '', lead: null, body: 'link', current: undefined, chosen: false });
  });

  test('tells the day of what stands under no heading that does', () => {
    const at = { lastMessageAt: '2026-11-19T12:05:00' };
    expect(rowIn(at).time).toBe('12:05');
    expect(rowIn(at, { group: 'agent', named: false }).time).toBe('Thu');
    expect(rowIn(at, {}, 1).time, 'below another').toBe('Thu');
    const below = { ...entryOf(session('A', at)).item, depth: 1, sameDay: true };
    expect(rowOf(below, around).time, 'of its day').toBe('12:05');
    expect(rowOf(below, { ...around, named: false }).time).toBe('Thu');
  });

  test('looks like what is done with it', () => {
    expect(rowIn({}, { open: 'A', marked: 'A' })).toMatchObject({ looks: 'current', current: 'page' });
    expect(rowIn({}, { open: 'B', marked: 'A' })).toMatchObject({ looks: 'current', current: 'true' });
    expect(rowIn({}, { selection: new Set(['A']) })).toMatchObject({ looks: 'chosen choosing', lead: 'choice' });
    expect(rowIn({ children: 2 }, { selection: new Set(['B']) })).toMatchObject({ looks: 'choosing', chosen: false });
    expect(rowIn({ gone: true }, {}, 1).looks).toBe('child gone');
  });

  test('unfolds where it has started others, but not in the trash', () => {
    expect(rowIn({ children: 2 }).lead).toBe('disclosure');
    expect(rowIn({ children: 2 }, { trash: true })).toMatchObject({ lead: null, body: 'trashed' });
  });

  test('is a field while its name is edited', () => {
    expect(rowIn({}, { renaming: 'A' }).body).toBe('name');
    expect(rowIn({}, { renaming: 'B' }).body).toBe('link');
  });

  test('has titles only where the pointer is', () => {
    const about = { cwd: '/work/gateway', problem: 'no line', summary: { additions: 3, deletions: 1, files: 2 } };
    const titles = (pointed: boolean) => {
      const { exact, hint, marks } = rowIn(about, { pointed });
      return [exact, hint, ...marks.map(({ title }) => title)];
    };
    expect(titles(false).filter(Boolean)).toEqual([]);
    expect(titles(true).map((title) => Boolean(title))).toEqual([true, true, true, true, true]);
    expect(titles(true)).toContain('/work/gateway');
  });
});

describe('the second line', () => {
  test('tells where a session is from', () => {
    expect(said({ cwd: '/work/gateway' })).toEqual(['marks: gateway']);
    expect(said({ cwd: '/work/gateway' }, { group: 'project' })).toEqual([]);
    const codex = { agent: 'codex', foreign: true, cwd: '/work/gateway' };
    expect(said(codex, { group: 'project' })).toEqual(['marks: Codex']);
    expect(said(codex, { group: 'agent' }), 'the heading says whose it is').toEqual(['marks: gateway']);
    expect(said({ cwd: '/work/gateway', foreign: true, agent: 'codex', children: 2 })).toEqual([
      'marks: Codex · gateway · 2 sub-agents',
    ]);
    expect(said({ cwd: '/work/gateway', parentSessionId: 'P', source: 'cron', archivedAt: '2026-11-21' })).toEqual([
      'marks: gateway · fork · scheduled · archived',
    ]);
  });

  test('below the session that started it leaves the rest to that', () => {
    expect(said({ cwd: '/work/gateway', foreign: true, agent: 'codex' }, {}, 1)).toEqual(['marks: sub-agent']);
  });

  test.each([
    [{ earlierOf: 'P' }, 'an earlier state, kept'],
    [{ fromCopy: true }, 'only the copy is left'],
    [{ keptAt: '2026-11-21' }, 'kept'],
  ])('names copies for what they are: %j', (more, mark) => {
    expect(said({ cwd: null, ...more })).toEqual([`copy: ${mark}`]);
  });

  test('a copy stands by itself: it is not what the name of an agent or a folder leaves of a line', () => {
    expect(said({ cwd: '/work/gateway', foreign: true, agent: 'codex', keptAt: '2026-11-21', compactions: 1 })).toEqual(
      ['marks: Codex · gateway', 'copy: kept', 'compactions: 1 compaction'],
    );
  });

  test('begins with what needs somebody', () => {
    expect(said({ cwd: null, gone: true }, { asking: new Set(['A']) })).toEqual(['asking: asks you', 'lost: gone']);
    expect(said({ cwd: null, gone: true, problem: 'no line' })).toEqual(['lost: can’t be read']);
  });

  test('ends with what was done', () => {
    const summary = { additions: 3, deletions: 1, files: 2 };
    expect(said({ cwd: '/a/b', summary, compactions: 2 })).toEqual([
      'marks: b',
      'edits: +3 −1 · 2 files',
      'compactions: 2 compactions',
    ]);
    expect(rowIn({ summary }).marks.find(({ kind }) => kind === 'edits')?.said).toMatch(/^3 lines added and 1 line/);
  });
});
