import { Log, textBlock } from './support/log';
import { looks } from './support/look';
import { expect, test } from './support/shared';
import { PNG } from './support/pictures';

test('each kind of content is shown as what it is', { tag: '@look' }, async ({ app, home }) => {
  await test.step('markdown is rendered and code is coloured', async () => {
    const log = new Log()
      .user('See below.')
      .assistant(
        [
          '# Plan\n\nSome *emphasis*, **weight** and `code`.',
          '- one\n- two\n\n1. first\n\n> quoted',
          '| a | b |\n|---|---|\n| 1 | 2 |',
          '```go\nfunc main() { return "x" }\n```',
          '- [x] done\n- [ ] open',
        ].join('\n\n'),
      );
    await app.open(home.session(log));
    const message = app.message(2);
    await expect(message.getByRole('heading', { name: 'Plan' })).toBeVisible();
    await expect(message.locator('em')).toHaveText('emphasis');
    await expect(message.locator('strong')).toHaveText('weight');
    await expect(message.locator('blockquote')).toHaveText('quoted');
    await expect(message.locator('table td')).toHaveText(['1', '2']);
    await expect(message.getByRole('img', { name: 'done' })).toBeVisible();
    const keyword = message.locator('pre .hljs-keyword').first();
    await expect(keyword).toHaveText('func');
    const colour = (of: typeof keyword) => of.evaluate((element) => getComputedStyle(element).color);
    expect(await colour(keyword)).not.toBe(await colour(message.locator('pre code')));
  });

  await test.step('a tool call and its result are one card that folds', async () => {
    const output = Array.from({ length: 12 }, (_, n) => `line ${n + 1} of the output`).join('\n');
    const log = new Log().user('List it.').call('bash', { command: 'ls -la /srv' }, output).assistant('That is all.');
    await app.go(home.session(log));
    const card = app.message(2).getByTestId('tool-card');
    await expect(card).toHaveCount(1);
    const head = card.getByTestId('tool-head');
    await expect(head).toContainText('ls -la /srv');
    await expect(head).toContainText('12 lines');
    await expect(head).toHaveAttribute('aria-expanded', 'false');
    await expect(card.getByTestId('tool-output')).toHaveCount(0);
    await head.click();
    await expect(card.getByTestId('tool-output')).toContainText('line 12 of the output');
    await head.click();
    await expect(card.getByTestId('tool-output')).toHaveCount(0);
    await expect(app.message(3), 'the result has no row of its own').toHaveCount(0);
  });

  await test.step('a failed call shows its error at once; one without a result says so', async () => {
    const log = new Log().user('Try.').call('bash', { command: 'make' }, 'make: *** no rule', { isError: true });
    log.call('bash', { command: 'sleep 1d' }).user('Stop.').assistant('Out of', {
      stopReason: 'error',
      errorMessage: 'overloaded_error: try later',
    });
    await app.go(home.session(log));
    const failed = app.message(2).getByTestId('tool-card');
    await expect(failed.getByTestId('tool-head')).toContainText('error');
    await expect(failed.getByTestId('tool-output')).toContainText('make: *** no rule');
    await expect(app.message(4).getByTestId('tool-head')).toContainText('no result');
    await expect(app.message(6)).toContainText('The answer failed: overloaded_error: try later');
  });

  await test.step('an edit shows what it took away and what it put there', async () => {
    const args = { path: 'src/timeout.go', oldText: 'same\nwait(20)\n', newText: 'same\nwait(40)\nlog("x")\n' };
    const log = new Log().user('Raise it.').call('edit', args, 'ok').assistant('Raised.');
    await app.go(home.session(log));
    const card = app.message(2).getByTestId('tool-card');
    await expect(card.getByTestId('tool-head')).toContainText('src/timeout.go');
    await expect(card.getByTestId('tool-head')).toContainText('+2 −1');
    const diff = card.getByTestId('diff');
    await expect(diff.locator('.removed')).toHaveText(['−wait(20)']);
    await expect(diff.locator('.added')).toHaveText(['+wait(40)', '+log("x")']);
  });

  await test.step('thinking is folded; blocks and records of other versions are shown as they are', async () => {
    const log = new Log()
      .user('Think.')
      .assistant([
        { type: 'thinking', text: 'The *tide* rules.\n\nIt decides.' },
        { type: 'hologram', depth: 3 },
        textBlock('At noon.'),
      ]);
    log.record('constellation', { schemaVersion: 9, stars: ['Vega'] }).user('Next.');
    await app.go(home.session(log));
    const thinking = app.message(2).getByTestId('thinking');
    await expect(thinking).not.toContainText('decides');
    await thinking.getByRole('button', { name: 'Thinking' }).click();
    await expect(thinking).toContainText('It decides.');

    const unknown = app.message(2).getByTestId('unsupported-block');
    await expect(unknown).toContainText('Unsupported block “hologram”');
    await unknown.getByRole('button').click();
    await expect(unknown).toContainText('"depth": 3');

    const newer = app.row(3);
    await expect(newer).toContainText('Written by a newer version · constellation, version 9');
    await newer.getByRole('button', { name: 'Written by a newer version' }).click();
    await expect(newer).toContainText('Vega');
  });

  await test.step('an image beside the log is shown, one that is missing or no picture is said to be', async () => {
    const log = new Log();
    const seen = { type: 'image', mediaType: 'image/png', blob: '' };
    const id = home.session(log.user('x'));
    const image = (sha: string, mediaType = 'image/png') => ({ ...seen, mediaType, blob: sha });
    const there = home.blob(id, PNG);
    const svg = home.blob(id, '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = 1"/>');
    await home.run(
      ['append', id],
      [image(there), image('0'.repeat(64)), image(svg), image(svg, 'image/svg+xml')]
        .map((block) => `${JSON.stringify({ recordType: 'message', role: 'user', content: [block] })}\n`)
        .join(''),
    );
    await app.go(id);
    const picture = app.message(2).getByRole('img');
    await expect(picture).toBeVisible();
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8);
    await expect(app.message(2)).toContainText('8 × 8 · PNG');
    await app.message(2).getByTestId('image').press('Enter');
    await expect(app.page.getByTestId('large-image')).toBeVisible();
    await looks(app.page, 'image-dialog');
    await app.page.keyboard.press('Escape');
    await expect(app.page.getByTestId('large-image')).toHaveCount(0);
    await expect(app.message(2).getByTestId('image')).toBeFocused();
    await expect(app.message(3)).toContainText('The image could not be read');
    await expect(app.message(4)).toContainText('The image could not be read');
    await expect(app.message(5)).toContainText('Image of a kind that is not shown (image/svg+xml)');
  });
});
