// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { holdsAnywhere, patternOf, type Pattern } from './pattern';
import { rangesIn } from './ranges';

// Nothing is laid out here: what stands right in an article is taken not to be on the screen.
Range.prototype.getClientRects = function () {
  return (this.startContainer.parentElement?.matches('article') ? [] : [new DOMRect()]) as unknown as DOMRectList;
};

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

test('letters with accents are found whichever way they are written', () => {
  expect(found('<p>cafe\u0301 caf\u00e9</p>', 'Caf\u00e9')).toEqual(['cafe\u0301', 'caf\u00e9']);
  expect(found('<p>cafe\u0301 caf\u00e9</p>', 'cafe\u0301')).toEqual(['cafe\u0301', 'caf\u00e9']);
});

test('of a stretch of blanks before a word one belongs to it: all of them would be read again from each', () => {
  expect(found('<pre>a\n    x</pre>', ' x')).toEqual([' x']);
  expect(found('<pre>a\n    x</pre>', '**  x**')).toEqual([' x']);
  expect(found('<pre>a    x</pre>', 'a x')).toEqual(['a    x']);
  expect(found('<pre>a    x</pre>', '  ')).toEqual(['    ']);
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

test('so does what markdown leaves out, over whose ends it goes', () => {
  const holds = (text: string, query: string) => holdsAnywhere(patternOf(query, false), text);
  expect(holds('See [the docs](https://x.example "t"), ~~not~~ now', 'the docs, not now')).toBe(true);
  expect(holds('1\\. first \\*star', '1. first *star')).toBe(true);
  expect(holds('list\n- one\n- two', 'one two')).toBe(true);
  expect(found('<p>see <a>the docs</a>, <del>not</del> now</p>', '[the docs](https://x.example), ~~not~~ now')).toEqual(
    ['the docs, not now'],
  );
});

test('a text goes on behind where a link goes, which is found as well', () => {
  const text = '<p>a place, <span class="link">docs<span class="link-place">a.place</span></span>, then</p>';
  expect(found(text, 'docs, then')).toEqual(['docsa.place, then']);
  expect(found(text, 'place')).toEqual(['place', 'place']);
});

test('an address that only its link stands for is marked where the link is', () => {
  const link = (label: string, place = '') =>
    `<p>see <span class="link" data-url="https://a.place/path/guide?q=x%20y">${label}${place && `<span class="link-place">${place}</span>`}</span> now</p>`;
  expect(found(link('docs', 'a.place'), 'path/guide')).toEqual(['docsa.place']);
  expect(found(link('<b>the</b> docs'), 'PATH/g')).toEqual(['the docs']);
  expect(found(link('docs', 'a.place'), 'a.place'), 'what shows is marked as it shows').toEqual(['a.place']);
  expect(found(link('docs', 'a.place'), 'https://a.place/path'), 'also from its beginning').toEqual(['docsa.place']);
  expect(found(link(''), 'path/guide'), 'there is nothing to mark').toEqual([]);
  expect(found(`<div data-find="off">${link('docs')}</div>`, 'path/guide')).toEqual([]);
  expect(found(`${link('docs')}<p>path/guide</p>`, 'path/guide')).toEqual(['docs', 'path/guide']);
});

test('letters have the cases that the program gives them', () => {
  expect(found('<p>k K \u212a s S \u017f \u00df \u1e9e ss</p>', 'K')).toEqual(['k', 'K', '\u212a']);
  expect(found('<p>s S \u017f \u00df ss</p>', 's')).toEqual(['s', 'S', 's', 's']);
  expect(found('<p>\u00df \u1e9e ss SS</p>', '\u00df')).toEqual(['\u00df', '\u1e9e']);
  expect(found('<p>\u00c4 \u00e4s \u00c4\u017f</p>', '\u00e4s')).toEqual(['\u00e4s', '\u00c4\u017f']);
  expect(found('<p>K k</p>', 'k', true)).toEqual(['k']);
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

const spaced = (html: string, query: string, matchCase = false) =>
  found(html, query, matchCase).map((text) => text.replace(/\s+/g, ' '));

test('a phrase goes over line ends, paragraphs, items and lines of code, but not from one text to another', () => {
  const prose = (html: string) => `<div class="prose">${html}</div>`;
  expect(spaced(prose('<p>raise the</p>\n<p>flag now</p>'), 'the flag')).toEqual(['the flag']);
  expect(spaced('<pre><span>raise the</span><span>flag</span></pre>', 'the flag')).toHaveLength(1);
  expect(spaced(prose('<ul><li>first one</li><li>second <b>one</b></li></ul>'), 'one - second **one**')).toHaveLength(
    1,
  );
  expect(spaced(prose('<h2>Title</h2><p>of <code>it</code> all</p>'), '## title of `it` all')).toHaveLength(1);
  expect(
    spaced(prose('<p>see</p><pre><span class="copy-code" role="button"></span><code>f(x)</code></pre>'), 'see f(x)'),
  ).toHaveLength(1);
  expect(spaced(prose('<p>time</p><p>out</p>'), 'timeout')).toEqual([]);
  expect(spaced(prose('<p>the</p>') + prose('<p>flag</p>'), 'the flag')).toEqual([]);
  expect(spaced('<p>the</p><p>flag</p>', 'the flag')).toEqual([]);
  expect(spaced(prose('<p>港の灯台を\n直す</p>'), '港の灯台を 直す')).toEqual(['港の灯台を 直す']);
  expect(spaced(prose('<p>The\t \u00a0Flag</p>'), 'the\nflag')).toEqual(['The Flag']);
  expect(spaced(prose('<p>The\nFlag</p>'), 'the flag', true)).toEqual([]);
});

/** What an expression fits, which is looked for in texts as they stand on the screen. */
function fits(html: string, expression: RegExp): string[] {
  const root = document.createElement('div');
  root.innerHTML = html;
  const placesIn = (text: string) =>
    [...text.matchAll(expression)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }));
  const pattern: Pattern = { placesIn, firstIn: (text) => text.search(expression), waits: false, answers: 0 };
  return rangesIn(root, pattern).map(String);
}

test('a text ends with its last sign, and its blocks stand one below the other', () => {
  const prose = '<div class="prose"><p>The end.</p>\n<ul>\n<li>one</li>\n<li>the end.</li>\n</ul>\n</div>';
  expect(fits(prose, /the end\.$/gi)).toEqual(['the end.']);
  expect(fits(prose, /^the end\.$/gim)).toEqual(['The end.', 'the end.']);
  expect(fits(prose, /end\.\none\nthe/g)).toHaveLength(1);
  expect(fits('<div class="prose"><p>a <b>b</b> <i>c</i></p>\n</div>', /b c$/g)).toEqual(['b c']);
});

test('blanks that are not on the screen are no place to go to', () => {
  const row = '<article> <div class="gutter" data-find="off">7</div> <p>a b</p> </article>';
  expect(fits(row, /\s+/g)).toEqual([' ']);
  expect(fits(row, /./g)).toEqual(['a', ' ', 'b']);
  expect(fits('<div class="prose"><p>a</p><p>b</p></div>', /\n/g), 'between two blocks').toEqual([]);
});

test('where one text ends a mark ends, too', () => {
  expect(found('<div class="prose"><p>one</p><p>two</p></div>', 'one ')).toEqual(['one']);
  expect(found('<div class="prose"><p>one</p><p>two</p></div>', ' two')).toEqual(['two']);
  expect(found('<p>a - b, a b, 1. c</p>', 'a - b')).toEqual(['a - b', 'a b']);
  expect(found('<p>- 2 **</p>', '- ')).toEqual(['- ']);
});
