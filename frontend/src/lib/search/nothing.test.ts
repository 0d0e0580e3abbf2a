import { expect, test } from 'vitest';
import type { SearchQuery } from '../backend';
import { hintsFor, withoutEach } from './nothing';

const term = (text: string, more = {}) => ({ text, not: false, regex: false, ...more });
const filter = (name: string, value: string, not = false) => ({ name, value, not });
const query = (terms: SearchQuery['terms'], filters: SearchQuery['filters'] = []): SearchQuery => ({
  ...{ text: '', problems: [] },
  terms,
  filters,
});
const PLAIN = { scopes: [], matchCase: false };

test('how words are spelt is spoken of only where nothing else holds them back', () => {
  const canary = [term('canary')];
  expect(hintsFor(query(canary), PLAIN)).toEqual(['other', 'letters']);
  expect(hintsFor(query(canary), { ...PLAIN, matchCase: true })).toEqual(['other']);
  expect(hintsFor(query([term('42')]), PLAIN)).toEqual(['other']);
  expect(hintsFor(query(canary, [filter('in', 'dropped')]), PLAIN)).toEqual(['filters']);
  expect(hintsFor(query(canary), { ...PLAIN, scopes: ['output'] })).toEqual(['scopes']);
  expect(hintsFor(query([...canary, term('retry')], [filter('is', 'gone')]), PLAIN)).toEqual(['filters', 'words']);
  expect(hintsFor(query([term('a.c', { regex: true })]), PLAIN)).toEqual(['expression']);
});

test('without words nothing is said of words', () => {
  expect(hintsFor(query([], [filter('is', 'compacted')]), PLAIN)).toEqual(['filterAlone']);
  expect(hintsFor(query([], [filter('compactions', '>=5'), filter('agent', 'pi')]), PLAIN)).toEqual(['filtersAlone']);
  expect(hintsFor(query([term('boat', { not: true })]), PLAIN)).toEqual([]);
});

test('each filter of several can be left out, and all else stays', () => {
  const asked = query([term('a "b"'), term('boat', { not: true }), term('c/d', { regex: true })]);
  expect(withoutEach({ ...asked, filters: [filter('in', 'dropped')] })).toEqual([]);
  const filters = [filter('in', 'dropped'), filter('project', 'my tides', true)];
  expect(withoutEach({ ...asked, filters })).toEqual([
    { filter: 'in:dropped', text: '"a ""b""" -"boat" /c\\/d/ -project:"my tides"' },
    { filter: '-project:"my tides"', text: '"a ""b""" -"boat" /c\\/d/ in:dropped' },
  ]);
});
