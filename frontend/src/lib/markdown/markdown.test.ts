// @vitest-environment jsdom
import { describe, expect, test, vi } from 'vitest';
import { coloured, isColourable } from './colouring';
import { colourWithin } from './colours';
import { markdown, MAX_MARKDOWN, renderMarkdown } from './markdown';
import { sanitize } from './sanitize';

const TAGS = new Set(
  'p br hr span div strong em del code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);
const ATTRIBUTES = new Set(['class', 'title', 'start', 'role', 'tabindex', 'aria-label', 'data-url']);

/** Parsed as a browser would, the result holds nothing but what the renderer is known to make. */
function expectHarmless(html: string): Element {
  const root = document.createElement('div');
  root.innerHTML = html;
  for (const element of root.querySelectorAll('*')) {
    expect(TAGS).toContain(element.localName);
    for (const { name } of element.attributes) expect(ATTRIBUTES).toContain(name);
    const url = element.getAttribute('data-url');
    if (url !== null) expect(url).toMatch(/^(?:https?:\/\/|mailto:)/);
  }
  return root;
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="x"></object><embed src="x">',
  '<form action="https://evil.example"><input name=a><button>go</button></form>',
  '<a href="javascript:alert(1)">x</a>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<link rel="stylesheet" href="https://evil.example/x.css">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<div style="background:url(https://evil.example/)">x</div>',
  '<details open ontoggle=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<p id="app" class="shell">clobber</p>',
  '<a name="body">x</a><img name="getElementById">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<x onclick=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](java&#x73;cript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox)',
  '[x](file:///etc/passwd)',
  '[x](/api/sessions)',
  '[x](https://a.example "\\" onmouseover=alert(1) x=\\"")',
  '[x](<https://a.example/"onmouseover="alert(1)>)',
  '[ref]\n\n[ref]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](https://tracker.example/p.png)',
  '![x](javascript:alert(1))',
  '![" onerror="alert(1)](https://a.example/p.png)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '`<img src=x onerror=alert(1)>`',
  '```html\n<img src=x onerror=alert(1)>\n```',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '```js" onload="alert(1)\nx\n```',
  '| <img src=x onerror=alert(1)> |\n|---|\n| <script>alert(1)</script> |',
  '# <img src=x onerror=alert(1)>',
  '- [ ] <img src=x onerror=alert(1)>',
  '**<b onmouseover=alert(1)>x</b>**',
  '<!-- --><script>alert(1)</script>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '\u0000<scr\u0000ipt>alert(1)</script>',
  '<p><table><tr><td><style></p><img src=x onerror=alert(1)>',
];

describe('hostile text', () => {
  test.each(HOSTILE)('%j', (source) => {
    const root = expectHarmless(renderMarkdown(source));
    expect(root.querySelector('[href], [src], script, style, img, svg, iframe, form, input')).toBeNull();
  });

  test('even what got past the renderer does not get past the sanitiser', () => {
    for (const source of HOSTILE) expectHarmless(sanitize(source));
  });

  test('raw HTML is shown as the text it is', () => {
    const root = expectHarmless(renderMarkdown('a <b>bold</b> claim'));
    expect(root.textContent.trim()).toBe('a <b>bold</b> claim');
  });
});

describe('what it makes', () => {
  test('a link has no address of its own, only one to ask about, and says where it goes', () => {
    const link = expectHarmless(renderMarkdown('[the docs](https://docs.example/a)')).querySelector('.link');
    expect(link?.getAttribute('data-url')).toBe('https://docs.example/a');
    expect(link?.getAttribute('role')).toBe('link');
    expect(link?.querySelector('.link-place')?.textContent).toBe('docs.example');
  });

  test('a bare address need not say it twice', () => {
    const link = expectHarmless(renderMarkdown('https://docs.example/a')).querySelector('.link');
    expect(link?.querySelector('.link-place')).toBeNull();
  });

  test('an image is named, and never loaded', () => {
    const root = expectHarmless(renderMarkdown('![a chart](https://tracker.example/p.png)'));
    expect(root.querySelector('.image-alt')?.textContent).toBe('a chart');
    expect(root.querySelector('.image-url')?.textContent).toBe('https://tracker.example/p.png');
  });

  test('code is coloured in a known language once it is in the page, and hidden characters in it are shown', async () => {
    const root = expectHarmless(renderMarkdown('```go\nfunc main() {} // <i>\u202e\n```'));
    const plain = root.textContent;
    expect(plain).toContain('⟨RLO⟩');
    document.body.append(root);
    colourWithin(root);
    await vi.waitFor(() => {
      expect(root.querySelector('.hljs-keyword')?.textContent).toBe('func');
    });
    expect(root.textContent, 'colours change no text').toBe(plain);

    const again = expectHarmless(renderMarkdown('```go\nfunc main() {} // <i>\u202e\n```'));
    colourWithin(again);
    expect(again.querySelector('.hljs-keyword'), 'what is known need not be asked for').not.toBeNull();
  });

  test('colours of another text are none', () => {
    expect(coloured('ab', ['hljs-x', 1, 0, 1])?.textContent).toBe('ab');
    expect(coloured('ab', ['hljs-x', 1, 0])).toBeNull();
    expect(coloured('ab', [0, 0, 3])).toBeNull();
  });

  test('long code stays plain', () => {
    expect(isColourable('func f() {}\n'.repeat(790))).toBe(true);
    expect(isColourable('func f() {}\n'.repeat(900))).toBe(false);
    expect(isColourable('x'.repeat(60_000))).toBe(false);
  });

  test('tasks, tables and headings below those of the page', () => {
    const root = expectHarmless(renderMarkdown('# A\n\n- [x] done\n- [ ] open\n\n|a|b|\n|:-:|--:|\n|1|2|'));
    expect(root.querySelector('h3')?.textContent).toBe('A');
    expect([...root.querySelectorAll('.task')].map((task) => task.getAttribute('aria-label'))).toEqual([
      'done',
      'open',
    ]);
    expect(root.querySelector('td.align-right')?.textContent).toBe('2');
  });

  test('headings leave out no level on the way down', () => {
    const root = expectHarmless(renderMarkdown('## A\n\n#### B\n\n#### C\n\n# D\n\n> ###### E'));
    expect([...root.querySelectorAll('h3, h4, h5, h6')].map((h) => h.localName + h.textContent)).toEqual([
      ...['h3A', 'h4B', 'h4C', 'h3D', 'h4E'],
    ]);
  });

  test('a text too long to be read as prose is shown as it is', () => {
    const source = `# ${'<b>'.repeat(MAX_MARKDOWN)}`;
    expect(expectHarmless(renderMarkdown(source)).querySelector('h3')).toBeNull();
  });

  test('the same text gives the same result from the cache', () => {
    expect(markdown('*a*')).toBe(renderMarkdown('*a*'));
    expect(markdown('*a*')).toBe(renderMarkdown('*a*'));
  });
});
