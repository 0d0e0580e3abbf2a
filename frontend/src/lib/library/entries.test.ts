import { describe, expect, test } from 'vitest';
import { session } from '../../test/fakes';
import { arrange, sorted, type Arrangement, type Item } from './arrange';
import { above, step } from './cursor';
import { byAgent, compare, entryAgain, entryOf, withEntries, withEntry, withoutEntries } from './entries';
import { filterEntries } from './filter';
import { agentIn, hasWord, withAgent, withWord } from './reword';

const ids = (entries: readonly { session: { id: string } }[]) => entries.map((entry) => entry.session.id);

const a = entryOf(session('A', { name: 'Fix Deploy', cwd: '/work/gateway', lastMessageAt: '2026-11-21T12:00:00' }));
const b = entryOf(session('B', { name: null, firstMessage: 'Why is NFS slow?', lastMessageAt: '2026-11-21T09:00:00' }));
const c = entryOf(session('C', { name: null, lastMessageAt: '2026-11-20T09:00:00' }));
const today = new Date(2026, 10, 21).getTime();

test('a session is called by its name, else by how it began', () => {
  expect([a, b, c].map(({ title }) => title)).toEqual(['Fix Deploy', 'Why is NFS slow?', 'Untitled']);
  expect(a.folder).toBe('gateway');
  expect(entryOf(session('D', { name: 'x\u202ey' })).title).toBe('x⟨RLO⟩y');
});

test('a session told again keeps what was worked out for it, as long as that would be the same', () => {
  const counted = session('A', { ...a.session, messageCount: 12, compactions: 2 });
  // What is worked out can be told apart from what is kept.
  const again = entryAgain(counted, { ...a, title: 'as it was' });
  expect([again.session, again.title, again.item.entry]).toEqual([counted, 'as it was', again]);
  for (const other of [
    { name: 'New' },
    { name: null, firstMessage: 'Why?' },
    { cwd: '/work/other' },
    { lastMessageAt: '2026-11-22T12:00:00' },
    { model: 'gpt-5' },
    { agent: 'codex' },
    { foreign: true, agent: 'codex' },
    { source: 'cron', cronJobId: 'nightly' },
    { cronJobId: 'nightly' },
    { source: 'channel' },
    { key: 'k' },
    { createdBy: 'me' },
  ] as const) {
    const changed = session('A', { ...a.session, ...other });
    expect({ ...entryAgain(changed, a), item: null }).toEqual({ ...entryOf(changed), item: null });
  }
});

describe('the filter', () => {
  test('takes no more marks on one letter than any script puts there', () => {
    const flood = entryOf(session('Z', { name: `zebra q${'\u0335\u0301'.repeat(20_000)} e\u0301tat` }));
    expect(flood.haystack.length).toBeLessThan(40);
    expect(ids(filterEntries([flood, a], '\u00e9tat zebra'))).toEqual(['Z']);
  });

  test('an earlier state that was kept is no fork', () => {
    const fork = entryOf(session('F', { relation: 'fork', parent: 'P' }));
    const earlier = entryOf(session('E', { relation: 'fork', parent: 'P', earlierOf: 'P' }));
    expect(filterEntries([fork, earlier], 'is:fork')).toEqual([fork]);
  });

  test.each([
    ['deploy', ['A']],
    ['DEPLOY fix', ['A']],
    ['deploy nfs', []],
    ['gateway', ['A']],
    ['slow', ['B']],
    ['  ', ['A', 'B', 'C']],
    ['.*', []],
  ])('%j', (query, expected) => {
    expect(ids(filterEntries([a, b, c], query))).toEqual(expected);
  });

  test.each([
    'cron:nightly',
    'source:cron',
    'CRON',
    'nightly',
    'key:night',
    'night',
    'agent:keeper',
    'keeper',
    'by:harness',
  ])('finds by where it comes from: %j', (query) => {
    const origin = {
      source: 'cron',
      cronJobId: 'nightly',
      key: 'night',
      agent: 'keeper',
      createdBy: 'harness',
    } as const;
    const scheduled = entryOf(session('E', { name: 'x', ...origin }));
    expect(ids(filterEntries([scheduled, a, b, c], query))).toEqual(['E']);
  });

  test.each([
    ['compactions:>=5', ['E']],
    ['compactions:>4', ['E']],
    ['compactions:5', ['E']],
    ['compactions:<5', ['A', 'B', 'C']],
    ['compactions:<=0 deploy', ['A']],
    ['compactions:', ['E', 'A', 'B', 'C']],
    ['compactions:>=', ['E', 'A', 'B', 'C']],
    ['compactions:many', []],
    ['is:compacted', ['E']],
    ['is:archived', ['E']],
    ['is:gone', ['E']],
    ['is:foreign', []],
    ['is:constructor', []],
    ['project:api', ['E']],
    ['model:big', ['E']],
  ])('words that narrow: %j', (query, expected) => {
    const more = { compactions: 5, archivedAt: '2026-11-21T10:00:00Z', gone: true, cwd: '/x/API', model: 'big-1' };
    const e = entryOf(session('E', more));
    const unknown = entryOf(session('U', { compactions: null }));
    const found = ids(filterEntries([e, a, b, c, unknown], query));
    expect(found.filter((id) => id !== 'U')).toEqual(expected);
    if (/compactions:\S*\d|is:/.test(query)) expect(found).not.toContain('U');
  });

  test('an agent is put into the words, and taken out of them', () => {
    expect(withAgent('nfs agent:pi  slow', 'codex')).toBe('agent:codex nfs slow');
    expect(withAgent('agent:pi', null)).toBe('');
    expect([agentIn('x agent:Codex'), agentIn('xagent:codex'), agentIn('')]).toEqual(['codex', null, null]);
    // One with a blank in its name is put in quotes, and is one word.
    expect(withAgent('"a b" -agent:pi agent:codex', 'my bot')).toBe('agent:"my bot" "a b" -agent:pi');
    expect(agentIn('-agent:pi agent:"My bot" agent:codex')).toBe('my bot');
    expect(withWord('nfs', 'is:gone', true)).toBe('is:gone nfs');
    expect(withWord('is:gone nfs', 'is:gone', false)).toBe('nfs');
    expect([hasWord('is:gone x', 'is:gone'), hasWord('is:gonex', 'is:gone')]).toEqual([true, false]);
  });

  test('a letter with its mark is the same however it is written: systems write names of folders in two ways', () => {
    const apart = entryOf(session('K', { name: null, cwd: '/work/cafe\u0301' }));
    const whole = entryOf(session('L', { name: 'caf\u00e9', cwd: null }));
    for (const query of ['caf\u00e9', 'cafe\u0301'])
      expect(ids(filterEntries([apart, whole, b], query))).toEqual(['K', 'L']);
  });

  test('an id matches from its start, six characters on', () => {
    const named = entryOf(session('01JD9ZK3', { name: 'x', firstMessage: null, cwd: null }));
    expect(ids(filterEntries([named, b], '01jd9z'))).toEqual(['01JD9ZK3']);
    expect(filterEntries([named, b], '01jd9')).toEqual([]);
    expect(filterEntries([named, b], 'd9zk3')).toEqual([]);
  });
});

test('newest first, ties by id', () => {
  const tie = entryOf(session('AA', { lastMessageAt: a.session.lastMessageAt }));
  expect(ids([c, a, b, tie].sort(compare))).toEqual(['AA', 'A', 'B', 'C']);
  expect(ids([entryOf(session('X', { lastMessageAt: 'never' })), c].sort(compare))).toEqual(['C', 'X']);
});

const days: Arrangement = { group: 'day', sort: 'last', today, shut: new Set(), below: null };
const labels = (items: readonly Item[]) => items.map((item) => (item.kind === 'heading' ? item.label : item.key));

describe('the list as it is shown', () => {
  test('a heading before each group, and only there', () => {
    const items = arrange([a, b, c], days);
    expect(labels(items)).toEqual(['Today', 'A', 'B', 'Yesterday', 'C']);
    expect(items.map((item) => item.kind === 'heading' && item.count)).toEqual([2, false, false, 1, false]);
    expect(new Set(items.map((item) => item.key)).size).toBe(items.length);
  });

  test('a month is one group, however many days it has', () => {
    const some = [5, 4, 3].map((day) => entryOf(session(`M${day}`, { lastMessageAt: `2026-10-0${day}T12:00:00` })));
    expect(arrange(some, days).filter((item) => item.kind === 'heading')).toHaveLength(1);
  });

  test('projects are folders, not names of folders, in the order of their newest session', () => {
    const at = (id: string, cwd: string | null) => entryOf(session(id, { cwd }));
    const some = [at('D', '/a/api'), at('E', '/b/api'), at('F', null), at('G', '/a/api/')];
    expect(labels(arrange(some, { ...days, group: 'project' }))).toEqual([
      'a/api',
      'D',
      'G',
      'b/api',
      'E',
      'No folder',
      'F',
    ]);
  });

  test('by agent, those of ours are together whoever they were made with', () => {
    const codex = entryOf(session('codex:x', { agent: 'codex', foreign: true }));
    const mine = entryOf(session('D', { agent: 'keeper' }));
    const items = arrange([a, codex, mine], { ...days, group: 'agent' });
    expect(labels(items)).toEqual(['Palimpsest', 'A', 'D', 'Codex', 'codex:x']);
  });

  test('how many there are of each agent is told, of the busiest first', () => {
    const codex = (id: string) => entryOf(session(id, { agent: 'codex', foreign: true }));
    const mine = entryOf(session('D', { agent: 'keeper' }));
    expect(byAgent([])).toEqual([]);
    expect(byAgent([a, codex('codex:x'), mine, codex('codex:y'), codex('codex:z')])).toEqual([
      { name: 'Codex', foreign: true, sessions: 3 },
      { name: 'Palimpsest', foreign: false, sessions: 2 },
    ]);
  });

  test('a group that is shut keeps its heading and its number', () => {
    const [heading] = arrange([a, b, c], days);
    const items = arrange([a, b, c], { ...days, shut: new Set([heading?.key ?? '']) });
    expect(labels(items)).toEqual(['Today', 'Yesterday', 'C']);
    expect(items[0]).toMatchObject({ open: false, count: 2 });
  });

  test('most often compacted first, without days; what nobody counted comes last', () => {
    const often = (id: string, compactions: number | null) => entryOf(session(id, { compactions }));
    const some = [often('D', 1), often('E', null), often('F', 7), often('G', 1)];
    const ordered = sorted(some, 'compactions');
    expect(labels(arrange(ordered, { ...days, sort: 'compactions' }))).toEqual(['F', 'G', 'D', 'E']);
    expect(sorted(some, 'last')).toBe(some);
  });

  test.each(['day', 'project', 'agent'] as const)('nothing is lost of thousands in groups by %s', (group) => {
    const cwds = ['/a', '/a', '/a', '/b', null];
    const some = Array.from({ length: 10_000 }, (_, n) =>
      entryOf(
        session(`S${n}`, {
          cwd: cwds[n % cwds.length] ?? null,
          foreign: n % 3 === 0,
          agent: n % 3 === 0 ? 'codex' : 'keeper',
          lastMessageAt: new Date(today + 3_600_000 - Math.floor(n / 6000) * 86_400_000).toISOString(),
        }),
      ),
    );
    const items = arrange(some, { ...days, group });
    const under = new Map<string, string[]>();
    for (const item of items) {
      if (item.kind === 'heading') under.set(item.key, []);
      else [...under.values()].at(-1)?.push(item.key);
    }
    const expected = new Map<unknown, string[]>();
    for (const [n, { session: made }] of some.entries()) {
      const name = { day: n < 6000, project: made.cwd, agent: made.foreign }[group];
      expected.set(name, [...(expected.get(name) ?? []), made.id]);
    }
    expect([...under.values()]).toEqual([...expected.values()]);
    expect(items.flatMap((item) => (item.kind === 'heading' ? [item.count] : []))).toEqual(
      [...under.values()].map((those) => those.length),
    );
  });

  test('what a session has started stands below it where it is unfolded', () => {
    const parent = entryOf(session('P', { children: 1 }));
    const child = entryOf(session('K', { children: 1, relation: 'subagent', parent: 'P' }));
    const below = (id: string) => ({ P: [child], K: [a] })[id];
    const items = arrange([parent, b], { ...days, below });
    expect(items.flatMap((item) => (item.kind === 'session' ? [[item.key, item.depth]] : []))).toEqual([
      ['P', 0],
      ['P/K', 1],
      ['P/K/A', 2],
      ['B', 0],
    ]);
    expect(arrange([parent, b], days).filter((item) => item.kind === 'session')).toHaveLength(2);
    expect([above(items, 3), above(items, 2), above(items, 1), above(items, 0)]).toEqual([2, 1, 0, -1]);
  });
});

test('what stands below another is of its day, or is not', () => {
  const on = (id: string, lastMessageAt: string) => entryOf(session(id, { children: 1, lastMessageAt }));
  const below = (id: string) =>
    ({ P: [on('K', '2026-11-20T01:00:00'), on('L', '2026-11-19T23:00:00')], L: [on('M', '2026-11-19T22:00:00')] })[id];
  const items = arrange([on('P', '2026-11-20T02:00:00')], { ...days, below });
  expect(items.flatMap((item) => (item.kind === 'session' ? [[item.key, item.sameDay]] : []))).toEqual([
    ['P', undefined],
    ['P/K', true],
    ['P/L', false],
    ['P/L/M', false],
  ]);
});

test('one session put in its place, new or known', () => {
  expect(ids(withEntry([a, c], b))).toEqual(['A', 'B', 'C']);
  const moved = entryOf({ ...c.session, lastMessageAt: '2026-11-21T13:00:00' });
  expect(ids(withEntry([a, b, c], moved))).toEqual(['C', 'A', 'B']);
  expect(ids(withEntries([a, c], [moved, b]))).toEqual(['C', 'A', 'B']);
  expect(ids(withoutEntries([a, b, c], ['C', 'A', 'X']))).toEqual(['B']);
});

test('the cursor passes over headings and stops at the ends', () => {
  const items = arrange([a, b, c], days);
  expect(step(items, 2, 'ArrowDown', 10)).toBe(4);
  expect(step(items, 4, 'ArrowUp', 10)).toBe(2);
  expect(step(items, 1, 'ArrowUp', 10)).toBe(1);
  expect(step(items, 4, 'ArrowDown', 10)).toBe(4);
  expect(step(items, 4, 'Home', 10)).toBe(1);
  expect(step(items, 1, 'End', 10)).toBe(4);
  expect(step(items, 1, 'PageDown', 10)).toBe(4);
  expect(step(items, 4, 'PageUp', 10)).toBe(1);
  expect(step(items, 1, 'x', 10)).toBeNull();
  const shut = arrange([a, b, c], { ...days, shut: new Set([items[0]?.key ?? '']) });
  expect(step(shut, 2, 'ArrowUp', 10)).toBe(0);
});
