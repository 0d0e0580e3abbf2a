import { describe, expect, test, vi } from 'vitest';
import { BackendError, type SavedSearch, type SearchHit, type SearchPlace, type SearchQuery } from '../backend';
import { placeOf } from '../route.svelte';
import { asText, soughtIn, written } from './as-text';
import { askedOf, hashOfSearch, NOTHING } from './asked';
import { patternOf } from '../find/pattern';
import { piecesOf, shownExcerpt } from './excerpt';
import { hintsAt, isUnfinished } from './hints';
import type { Places } from './places.svelte';
import { rowsOf, step } from './rows';
import { Saved } from './saved.svelte';

test('the address of a search is read as it was written', () => {
  for (const asked of [
    NOTHING,
    { text: 'a & b=c#d /x/ "q" ü漢 +%41', scopes: ['user', 'output'] as const, matchCase: true, regex: true },
    { ...NOTHING, text: ' ' },
  ]) {
    expect(askedOf(hashOfSearch(asked))).toEqual({ ...asked, scopes: [...asked.scopes] });
    expect(placeOf(hashOfSearch(asked)).search).toEqual({ ...asked, scopes: [...asked.scopes] });
  }
  expect(askedOf('#/search?scope=nowhere,user&case=2')).toEqual({ ...NOTHING, scopes: ['user'] });
  for (const other of ['#/', '', '#/searches', '#/s/x', '#/search/x']) expect(askedOf(other), other).toBeNull();
});

const values = { agents: ['codex', 'pi'], projects: ['api', 'my app'], models: ['gpt-5.4'] };
const labels = (text: string, caret = text.length) => hintsAt(text, caret, values).map(({ label }) => label);
const taken = (text: string, label: string, caret = text.length) =>
  hintsAt(text, caret, values).find((hint) => hint.label === label);

describe('what can be written at the caret', () => {
  test('names again behind a filter that is whole, and behind a value that nobody knows', () => {
    for (const whole of [
      'in:dropped',
      'x -in:dropped',
      'agent:codex,pi',
      'after:2026-10',
      'name:harbour',
      'agent:nobody',
    ]) {
      expect(labels(whole), whole).toContain('agent:');
      expect(taken(whole, 'is:'), whole).toMatchObject({ text: `${whole} is:`, caret: whole.length + 4 });
    }
    for (const begun of ['name:', 'agent:codex,pi,', 'project:"nowhere']) expect(labels(begun), begun).toEqual([]);
  });
  test('names of filters, and values of the one that stands there', () => {
    expect(labels('')).toContain('agent:');
    expect(labels('x ')).toContain('agent:');
    expect(labels('x ag')).toEqual(['agent:']);
    expect(labels('agent:')).toEqual(['codex', 'pi']);
    expect(labels('agent:o')).toEqual(['codex']);
    expect(labels('-in:')).toEqual(['context', 'summary', 'dropped']);
    expect(labels('https://')).toContain('agent:');
  });

  test('further values behind a comma, but those that stand there', () => {
    expect(labels('agent:codex,')).toEqual(['pi']);
    expect(labels('tool:bash,e')).toEqual(['read', 'edit', 'write', 'grep'].filter((name) => name.includes('e')));
    expect(taken('x agent:codex,p', 'pi')).toMatchObject({ text: 'x agent:codex,pi ', caret: 17 });
    expect(labels('after:7d,'), 'of which there is one').toEqual([]);
    expect(labels('agent:"codex,'), 'what is quoted goes on until its end').toEqual([]);
  });

  test('what is taken stands where it was begun', () => {
    expect(taken('x ag', 'agent:')).toMatchObject({ text: 'x agent:', caret: 8 });
    expect(taken('agent:c', 'codex')).toMatchObject({ text: 'agent:codex ', caret: 12 });
    expect(taken('project:', 'my app')).toMatchObject({ text: 'project:"my app" ', caret: 17 });
    expect(taken('-in: word', 'dropped', 4)).toMatchObject({ text: '-in:dropped word', caret: 11 });
    expect(taken('word', 'agent:')).toMatchObject({ text: 'word agent:', caret: 11 });
  });
});

test('a filter that is being written is known from one that is, and from a word', () => {
  for (const text of [
    'in:',
    'x -in:dro',
    'after:20',
    'is:',
    'agent:',
    'scope:user,out',
    'compactions:>',
    'tool:',
    'tool:bash,',
  ])
    expect(isUnfinished(text), text).toBe(true);
  for (const text of [
    '',
    'in',
    'in:dropped',
    'x in:dro y',
    'after:2026-10',
    'before:7d',
    'tool:b',
    'agent:co',
    'scope:user,output',
    'compactions:>=5',
    'C:',
    'id::new',
    'std:',
  ])
    expect(isUnfinished(text), text).toBe(false);
});

const place = (seq: number): SearchPlace => ({
  ...{ seq, index: seq - 1, scope: 'user', time: null, state: null },
  excerpt: { before: '', match: 'x', after: '' },
});
const hit = (id: string, count = 3): SearchHit => ({
  ...{ id, agent: null, title: null, cwd: null, model: '', lastMessageAt: '', gone: false, count },
  hit: count > 0 ? place(1) : null,
});

test('the arrows go through sessions and, where they are shown, through all of their places', () => {
  const rows = rowsOf(
    [hit('a'), hit('b', 1), hit('c', 0)],
    new Map([['a', { all: [place(1), place(5)] } as unknown as Places]]),
  );
  expect(rows.map(({ key }) => key)).toEqual(['a', 'a 0', 'a 1', 'b', 'c']);
  const go = (key: string, at: string) => step(rows, key, at, (id) => id === 'a');
  expect(go('ArrowDown', 'a')).toEqual({ kind: 'to', key: 'a 0' });
  expect(go('ArrowDown', 'c')).toEqual({ kind: 'to', key: 'c' });
  expect(go('ArrowUp', 'a')).toEqual({ kind: 'field' });
  expect(go('End', 'a')).toEqual({ kind: 'to', key: 'c' });
  expect(go('ArrowRight', 'a')).toEqual({ kind: 'to', key: 'a 0' });
  expect(go('ArrowLeft', 'a 1')).toEqual({ kind: 'to', key: 'a' });
  expect(go('ArrowLeft', 'a')).toEqual({ kind: 'shut', id: 'a' });
  expect(go('ArrowRight', 'b'), 'one place is shown already').toBeNull();
  expect(go('ArrowRight', 'c')).toBeNull();
  expect(step(rows, 'ArrowRight', 'a', () => false)).toEqual({ kind: 'open', id: 'a' });
  expect(go('x', 'a')).toBeNull();
  expect(go('ArrowDown', 'gone')).toBeNull();
});

test('an excerpt stands on one line, with what was found in view, and hides nothing', () => {
  const shown = shownExcerpt({
    before: `${'b'.repeat(100)}\n`,
    match: 'a\u202eb',
    after: `\n\u200b${'c'.repeat(100)}`,
  });
  expect(shown.before).toBe(`…\u2060${'b'.repeat(35)} `);
  expect(shown.match).toBe('a⟨RLO⟩b');
  expect(shown.after).toMatch(/^ ⟨ZWSP⟩c+…$/);
  expect(shownExcerpt({ before: '😀'.repeat(80), match: '', after: '' }).before).toBe(`…\u2060${'😀'.repeat(36)}`);
});

test('all words that were looked for are marked around the one that was found', () => {
  const marked = (text: string, ...words: string[]) =>
    piecesOf(
      text,
      words.flatMap((word) => patternOf(word, false) ?? []),
    ).map(({ text, sought }) => (sought ? `[${text}]` : text));
  expect(marked(' the Files of files', 'files')).toEqual([' the ', '[Files]', ' of ', '[files]']);
  expect(marked('canary times out', 'time', 'canary', 'times out', '"')).toEqual([
    '[canary]',
    ' ',
    '[time]',
    '[s out]',
  ]);
  expect(marked('nothing', 'else')).toEqual(['nothing']);
  expect(marked('', 'else')).toEqual([]);
});

const query = (terms: SearchQuery['terms'], filters: SearchQuery['filters'] = []): SearchQuery => ({
  ...{ text: '', terms, filters, problems: [] },
});

test('what is left of a search is written so that it is read as the same', () => {
  expect(written({ text: 'say "no"', regex: false })).toBe('"say ""no"""');
  expect(written({ text: String.raw`^/etc/\/.*\d`, regex: true })).toBe(String.raw`/^\/etc\/\/.*\d/`);
});

test('what is saved is text alone', () => {
  expect(asText(' a b ', null, [], false)).toBe('a b');
  expect(asText('a', null, ['user', 'output'], false)).toBe('a scope:user,output');
  const asked = query(
    [{ text: 'a/b\\/c', not: false, regex: true }],
    [{ name: 'project', value: 'my app', not: true }],
  );
  expect(asText('', asked, [], true)).toBe('/a\\/b\\/c/ -project:"my app"');
  expect(asText('f(', query([{ text: 'f("x', not: false, regex: false }]), [], true)).toBe('"f(""x"');
});

test('in the session, what was looked for is looked for or, of several words, what was found', () => {
  const word = { text: 'lantern', not: false, regex: false };
  const sought = (text: string, regex = false) => ({ word: text, regex });
  expect(soughtIn(query([word, { ...word, text: 'no', not: true }]), 'LANTERN')).toEqual(sought('lantern'));
  expect(soughtIn(query([word, { ...word, text: 'two' }]), 'LANTERN')).toEqual(sought('LANTERN'));
  expect(soughtIn(query([{ ...word, text: 'l.n', regex: true }]), 'LANTERN')).toEqual(sought('l.n', true));
  expect(soughtIn(query([word, { ...word, text: 'l.n', regex: true }]), 'LANTERN')).toEqual(sought('LANTERN'));
  expect(soughtIn(query([]), '')).toEqual(sought(''));
});

test('saved searches change at once, back if that fails, and can be undone', async () => {
  let kept: SavedSearch[] = [{ name: 'one', q: '1' }];
  let fails = false;
  const save = (list: readonly SavedSearch[]) =>
    fails ? Promise.reject(new BackendError('failed', 'no')) : Promise.resolve((kept = [...list]));
  const toasts = { show: vi.fn(), error: vi.fn() };
  const saved = new Saved({ savedSearches: () => Promise.resolve(kept), saveSearches: save }, toasts);
  await saved.load();
  await saved.add('two words');
  await saved.add('two words');
  expect(kept).toEqual([
    { name: 'one', q: '1' },
    { name: 'two words', q: 'two words' },
  ]);
  await saved.add('two words', true);
  expect(kept[2]).toEqual({ name: 'two words', q: 'two words', case: true });
  expect([saved.has('two words', true), saved.has('1', true), saved.has('1')]).toEqual([true, false, true]);
  await saved.remove(2);
  toasts.show.mockClear();
  await saved.rename(1, '  second ');
  await saved.rename(1, ' ');
  expect(kept[1]?.name).toBe('second');
  await saved.remove(0);
  expect(kept.map(({ name }) => name)).toEqual(['second']);
  const [, { undo }] = toasts.show.mock.calls[0] as [string, { undo: () => Promise<boolean> }];
  await undo();
  expect(kept.map(({ name }) => name)).toEqual(['one', 'second']);
  fails = true;
  await saved.remove(0);
  expect(saved.list.map(({ name }) => name)).toEqual(['one', 'second']);
  expect(toasts.error).toHaveBeenCalledOnce();
});
