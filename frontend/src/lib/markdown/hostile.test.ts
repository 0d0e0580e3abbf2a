// @vitest-environment jsdom
import { Tokenizer } from 'marked';
import { describe, expect, test, vi } from 'vitest';
import { coloured, isColourable } from './colouring';
import { highlight } from './highlight';
import { languageOf } from './languages';
import { markdown, MAX_MARKDOWN, renderBlocks, renderMarkdown } from './markdown';
import { nodesOf } from './nodes';
import { sanitize } from './sanitize';

const TAGS = new Set(
  'p br hr span div strong em del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);
const ATTRIBUTES = new Set(['class', 'title', 'start', 'role', 'tabindex', 'aria-label', 'data-url']);
const OURS =
  /^(?:link|link-place|image-(?:chip|alt|url)|task|table|plain|code-language|copy-code|align-\w+|(?:hljs|language)-[\w-]+|[a-z]+_{1,2})$/;

function rootOf(html: string): Element {
  const root = document.createElement('div');
  root.innerHTML = html;
  return root;
}

/** What of it is not what the renderer is known to make. */
function strange(html: string): string[] {
  const found: string[] = [];
  for (const element of rootOf(html).querySelectorAll('*')) {
    if (!TAGS.has(element.localName)) found.push(element.localName);
    for (const { name } of element.attributes) if (!ATTRIBUTES.has(name)) found.push(`${element.localName} ${name}`);
    for (const name of element.classList) if (!OURS.test(name)) found.push(`class ${name}`);
    const url = element.getAttribute('data-url');
    if (url !== null && !/^(?:https?:\/\/[^/@]+(?:\/|$)|mailto:)/.test(url)) found.push(url);
    const tabindex = element.getAttribute('tabindex');
    if (tabindex !== null && tabindex !== '0') found.push(`tabindex ${tabindex}`);
  }
  return found;
}

// Pieces that mean something to a reader of markdown, of HTML, of addresses or of styles.
const PIECES = [
  ...['*', '**', '_', '__', '~~', '`', '```', '```html ', '~~~', '[', ']', '](', '![', '(', ')', '<', '>', '</', '/>'],
  ...['\n', '\n\n', '  \n', '\\', '|', '\n|-|-|\n', '> ', '- ', '1. ', '    ', '\t', '# ', '===', '---', '[x] ', ': '],
  ...['&lt;', '&#x3c;', '&#60', '&colon;', '&Tab;', '&amp;', '"', "'", '=', '<!--', '-->', '--!>', '<![CDATA[', ']]>'],
  ...['<script>', '</script>', '<img src=x onerror=go()>', '<svg onload=go()>', '<math><mtext>', '<style>', '</style>'],
  ...['<iframe srcdoc=', '<form action=', '<base href=', '<a href=', '<table>', '<noscript>', '<template>', '<title>'],
  ...['<p id=app class=shell style=position:fixed>', ' onmouseover=go() ', 'style="background:url(//e.example)"'],
  ...[
    'javascript:go()',
    'JaVa\u0001script:',
    'data:text/html,',
    'file:///etc/hosts',
    'vbscript:',
    'blob:',
    '//e.example',
  ],
  ...[
    'https://e.example/',
    'https://a@e.example',
    'mailto:a@e.example?attach=x',
    'www.e.example',
    'a@e.example',
    '[r]: ',
  ],
  ...[
    '\u0000',
    '\u202e',
    '\u2067',
    '\u200b',
    '\ud800',
    '\u{e0041}',
    'e\u0301\u0301\u0301\u0301\u0301\u0301',
    '木',
    '👍',
  ],
  ...['word', ' ', ' ', '0', 'class="link"', 'data-url="javascript:go()"', 'role=button', 'constructor', '__proto__'],
];

/** The same numbers for the same seed. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

// A document is made for each: several mixtures share one, each with lines of its own.
const TOGETHER = 12;

describe('any mixture', { timeout: 60_000 }, () => {
  const next = numbers(20_261_122);
  const mixture = () =>
    Array.from({ length: 2 + Math.floor(next() * 24) }, () => PIECES[Math.floor(next() * PIECES.length)] ?? '').join(
      '',
    );

  const mixtures = () => Array.from({ length: TOGETHER }, mixture).join('\n\n');

  test('of the pieces gives nothing but what the renderer makes', () => {
    for (let n = 0; n < 3000 / TOGETHER; n++) {
      const source = mixtures();
      expect(strange(renderMarkdown(source)), JSON.stringify(source)).toEqual([]);
    }
  });

  test('taken for HTML does not get past the sanitiser, and stays as it is read again', () => {
    for (let n = 0; n < 1500 / TOGETHER; n++) {
      const once = sanitize(mixtures());
      expect(strange(once)).toEqual([]);
      // What a browser reads back is what was allowed: nothing changes its meaning on the way.
      expect(sanitize(rootOf(once).innerHTML)).toBe(rootOf(once).innerHTML);
    }
  });

  test('as an answer that grows gives what its record does', () => {
    for (let n = 0; n < 3000 / TOGETHER; n++) {
      const source = mixtures();
      const root = document.createElement('div');
      root.append(...renderBlocks([{ source, above: [] }]).flat());
      expect(strange(root.innerHTML), JSON.stringify(source)).toEqual([]);
      for (const html of [renderMarkdown(source), renderMarkdown(source, sanitize)]) {
        expect(root.innerHTML, JSON.stringify(source)).toBe(rootOf(html).innerHTML);
      }
    }
  });

  test('taken for HTML of ours is left to the sanitiser, or is nothing but what the renderer makes', () => {
    for (let n = 0; n < 3000; n++) {
      const source = mixture();
      const root = document.createElement('div');
      root.append(nodesOf(source) ?? '');
      expect(strange(root.innerHTML), JSON.stringify(source)).toEqual([]);
    }
  });

  test('as code keeps its text', () => {
    for (const language of ['xml', 'javascript', 'css', 'bash', 'yaml', 'diff']) {
      for (let n = 0; n < 10; n++) {
        // eslint-disable-next-line no-control-regex -- what a parser of HTML takes out by itself
        const source = mixtures().replaceAll(/[\u0000\r\ud800]/g, '');
        const root = document.createElement('div');
        root.append(coloured(source, highlight(source, language) ?? []) ?? '');
        expect(strange(root.innerHTML)).toEqual([]);
        expect(root.textContent).toBe(source);
      }
    }
  });
});

test('classes, roles and addresses of a text are not those of the window', () => {
  const html = sanitize(
    '<div class="shell">a</div><span class="link dialog" role="button" tabindex="5" data-url="javascript:go()">b</span>' +
      '<ol start="1e9"><li>c</li></ol><span class="link" role="link" tabindex="0" data-url="https://e.example/">d</span>',
  );
  expect(html).toBe(
    '<div>a</div><span>b</span><ol><li>c</li></ol><span class="link" role="link" tabindex="0" data-url="https://e.example/">d</span>',
  );
});

test('HTML as the renderer writes it is read without the sanitiser, any other is not', () => {
  const ours =
    '<p>a &amp; b &lt;i&gt;<br>c</p>\n<hr>\n<ol start="3">\n<li>d</li>\n</ol>' +
    '<span class="copy-code" role="button" tabindex="0" aria-label="e &quot;f&quot;"></span>' +
    '<span class="link" data-url="https://e.example/?a&amp;b">g</span>';
  const root = document.createElement('div');
  root.append(nodesOf(ours) ?? '');
  expect(root.innerHTML).toBe(rootOf(ours).innerHTML);
  expect(root.textContent).toContain('a & b <i>');
  for (const html of [
    ...['<script>a</script>', '<img src="x">', '<a href="https://e.example/">a</a>', '<p onclick="go()">a</p>'],
    ...['<p style="color:red">a</p>', '<P>a</P>', '<p class=link>a</p>', '<p>a', 'a</p>', '<p><em>a</p></em>'],
    ...['<p class="shell">a</p>', '<p role="button">a</p>', '<span data-url="javascript:go()">a</span>'],
    ...[
      '<ol start="1e9"></ol>',
      '<p tabindex="5">a</p>',
      '<p>&copy;</p>',
      '<p>&#60;</p>',
      '<p>& a</p>',
      '<p>a > b</p>',
    ],
    ...['<!-- a -->', '<p>a</p', '<p title="<p>">a</p>', '</p title="a">', '<svg></svg>', '<template></template>'],
  ]) {
    expect(nodesOf(html), html).toBeNull();
  }
});

/** How deep the elements stand in each other. */
function depthOf(element: Element): number {
  return 1 + Math.max(0, ...[...element.children].map(depthOf));
}

// Sizes are what is checked: how long something takes depends on the machine.
describe('nothing is too much', () => {
  const LONG = 90_000;
  const many = (piece: string, size = LONG) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

  test.each(['>', '> ', '+ ', '1. ', '> - ', '- > 1. ', '>1. ', '[', '![', '*a **b '])(
    '%j in itself ten thousand times stays shallow',
    (piece) => {
      const root = rootOf(renderMarkdown(piece.repeat(10_000)));
      expect(depthOf(root)).toBeLessThan(60);
      expect(root.textContent.length).toBeGreaterThan(1000);
    },
  );

  test.each([
    '*a ',
    'a*_',
    '_a ',
    'a_b_',
    '`a` ',
    '- a\n',
    '* a\n\n',
    'a\n\n',
    '~~a~~ ',
    '[a](https://e.example) ',
    '<a ',
  ])('%j over and over has a bounded number of elements, and all its text', (piece) => {
    const root = rootOf(renderMarkdown(many(piece)));
    expect(root.querySelectorAll('*').length).toBeLessThan(10_000);
    expect(root.textContent.length).toBeGreaterThan(LONG / 4);
  });

  test.each(['[a](…)', '![a](…)', '[[a](…)', '[a](b (…)', '[a](`…)', 'http://a(…', 'www.a(…', '[a](http://a(…'])(
    '%j over and over is not read to its end from each of them',
    (form) => {
      const [piece = '', end = ''] = form.split('…');
      const link = vi.spyOn(Tokenizer.prototype, 'link');
      const url = vi.spyOn(Tokenizer.prototype, 'url');
      const root = rootOf(renderMarkdown(many(piece) + end));
      const read = [...link.mock.calls, ...url.mock.calls].reduce((sum, [source]) => sum + source.length, 0);
      expect(read).toBeGreaterThan(LONG);
      expect(read).toBeLessThan(6_000_000);
      expect(root.textContent.length).toBeGreaterThan(LONG / 4);
    },
  );

  test('of a long paragraph full of brackets each link is one', () => {
    const piece = '[12:30] kept, see [log](https://e.example/a) and www.e.example/b ';
    const root = rootOf(renderMarkdown(piece.repeat(900)));
    expect(root.querySelectorAll('.link')).toHaveLength(2 * 900);
  });

  test('a table of ten thousand columns is text', () => {
    const table = `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'b|'.repeat(10_000)}`;
    const root = rootOf(renderMarkdown(table));
    expect(root.querySelector('td, th')).toBeNull();
    expect(root.textContent).toBe(table);
  });

  test('a text beyond the bound is cut, with a sign that it is', () => {
    const root = rootOf(renderMarkdown('x'.repeat(10_000_000)));
    expect(root.textContent.length).toBe(MAX_MARKDOWN + 1);
    expect(root.textContent.endsWith('…')).toBe(true);
  });

  test('plain text hides nothing either', () => {
    expect(markdown(`${'a\n'.repeat(5000)}\u202eb`)).toContain('⟨RLO⟩b');
  });

  test('an ordinary long text is read as what it is', () => {
    const part =
      '## Step\n\nThe `read_file` tool *failed* on snake_case_names, see [log](https://e.example/a_b).\n\n' +
      '- one **bold** item\n- another one\n\n```go\nfunc main() {}\n```\n\n';
    const root = rootOf(renderMarkdown(many(part, 40_000)));
    expect(root.querySelectorAll('h3, h4').length).toBeGreaterThan(150);
    expect(root.querySelectorAll('em').length).toBeGreaterThan(150);
    expect(root.querySelectorAll('.link').length).toBeGreaterThan(150);
  });

  test('lines without an end, floods of blank ones and long code are not coloured', () => {
    for (const code of ['x'.repeat(1001), '\n'.repeat(300), ' '.repeat(300), 'a\n'.repeat(12_000)]) {
      expect(isColourable(code)).toBe(false);
    }
    expect(isColourable('a = 1\n'.repeat(100))).toBe(true);
  });
});

test('the name of a language is bounded, and words that every object has name none', () => {
  expect(
    rootOf(renderMarkdown(`\`\`\`${'a'.repeat(5000)}\nx\n\`\`\``)).querySelector('.code-language')?.textContent,
  ).toHaveLength(30);
  for (const path of ['a.constructor', 'a.__proto__', 'a.toString', 'a.hasOwnProperty'])
    expect(languageOf(path)).toBe('');
  expect(highlight('<b>', 'constructor')).toBeNull();
});
