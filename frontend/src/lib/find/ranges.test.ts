import { expect, test } from 'vitest';
import { holdsAnywhere, patternOf } from './pattern';
import { rangesIn } from './ranges';

function found(html: string, query: string, matchCase = false): string[] {
  const root = document.createElement('div');
  root.innerHTML = html;
  const pattern = patternOf(query, matchCase);
  return pattern ? rangesIn(root, pattern).map(String) : [];
}

test('goes over the borders of elements, not over those of blocks', () => {
  expect(found('<p>raise the <em>time</em>out now</p>', 'timeout')).toEqual(['timeout']);
  expect(found('<pre><code><span>func</span> <span>main</span>()</code></pre>', 'func main(')).toEqual(['func main(']);
  expect(found('<p>time</p><p>out</p>', 'timeout')).toEqual([]);
  expect(found('<pre><span>time</span><span>out</span></pre>', 'timeout')).toEqual([]);
});

test('is literal, and minds upper and lower case where it is told to', () => {
  expect(found('<p>a.c abc A.C</p>', 'a.c')).toEqual(['a.c', 'A.C']);
  expect(found('<p>a.c abc A.C</p>', 'a.c', true)).toEqual(['a.c']);
  expect(found('<p>(x) [y] \\z $1 {2} a|b a/b</p>', '[y] \\z $1 {2} a|b a/b')).toHaveLength(1);
  expect(found('<p>go\n home</p>', 'go home')).toEqual(['go\n home']);
  expect(found('<p>straße 日本語 😀</p>', '日本語 😀')).toEqual(['日本語 😀']);
});

test('leaves out what is only said of it', () => {
  expect(
    found('<p>lines</p><small data-find="off">12 lines</small><span class="unseen">lines</span>', 'lines'),
  ).toEqual(['lines']);
});

test('of very many places it marks some', () => {
  expect(found(`<p>${'x '.repeat(50_000)}</p>`, 'x')).toHaveLength(2000);
});

test('what is written otherwise than shown holds it too', () => {
  const holds = (text: string, query: string) => holdsAnywhere(patternOf(query, false), text);
  expect(holds('\u001b[31mfai\u001b[1mled\u001b[0m here', 'failed here')).toBe(true);
  expect(holds('**Raise** the *flag* &amp; `go`', 'raise the flag & go')).toBe(true);
  expect(holds('2*3 a*b', '2*3')).toBe(true);
  expect(holds('2*3', '23')).toBe(false);
});

test('a record holds it wherever it stands in it', () => {
  const pattern = patternOf('needle', false);
  expect(holdsAnywhere(pattern, { a: [{ b: 'a Needle' }] })).toBe(true);
  expect(holdsAnywhere(pattern, { a: [{ b: 1 }, null] })).toBe(false);
  expect(holdsAnywhere(null, 'needle')).toBe(false);
  // Having looked at one text changes nothing for the next.
  expect(
    pattern && rangesIn(Object.assign(document.createElement('p'), { innerHTML: 'needle' }), pattern),
  ).toHaveLength(1);
});
