import { Log, textBlock } from './support/log';
import { looks } from './support/look';
import { field, hits, indexed, look, search } from './support/search';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

test(
  'what the model sees in place of what was said is shown, found and searched',
  { tag: '@look' },
  async ({ app, home, program }) => {
    const { page } = app;
    const log = new Log().user('Light the lamps.').call('bash', { command: 'ls' }, 'an output of a thousand lines');
    log.overlay('prune', { seqs: [3], tokensFreed: 0, texts: ['the first lines of it, saved to a file'] });
    log.compaction(5, 'The lamps are lit.', {
      replacement: [
        { role: 'user', content: [textBlock('Light the lamps.')] },
        { role: 'user', content: [textBlock('What a lighthouse keeper said. The lamps are lit.')] },
      ],
      keptSeqs: [1],
    });
    log.user('And the horn?');
    const masked = new Log().user('Go.').call('bash', { command: 'ls' }, 'an output of a thousand lines');
    masked.overlay('prune', { seqs: [3], tokensFreed: 0, texts: ['the first lines of it, saved to a file'] });
    home.session(masked.user('On.'), { name: 'masked' });
    const id = home.session(log, { name: 'harbour' });
    await app.open(id);
    const instead = page.getByTestId('instead').last();
    await page.getByTestId('instead-toggle').click();
    await expect(instead.getByRole('listitem')).toHaveText([/Light the lamps\./, /What a lighthouse keeper said\./]);
    await looks(page, 'instead');
    await page.getByTestId('instead-toggle').click();
    await page.keyboard.press('Control+f');
    await page.getByTestId('find-field').fill('keeper');
    await expect(page.getByTestId('find-count')).toHaveText('1 of 1 message');
    await expect(instead).toContainText('keeper');
    await page.keyboard.press('Escape');

    await indexed(program, 2);
    await search(app);
    for (const [text, count] of [
      ['keeper in:context', 1],
      ['"saved to a file" in:context', 1],
      ['"saved to a file" in:summary', 1],
      ['"thousand lines" in:context', 0],
    ] as const) {
      await look(page, text);
      await expect(hits(page), text).toHaveCount(count);
    }
    await expect(field(page)).toBeVisible();
  },
);

shared('the view of the model has the words that stand in place of an output', async ({ app, home }) => {
  const { page } = app;
  const log = new Log().user('Go.').call('bash', { command: 'ls' }, 'an output of a thousand lines');
  log.overlay('prune', { seqs: [3], tokensFreed: 0, texts: ['the first lines of it'] });
  await app.open(home.session(log.user('On.')));
  await page.getByTestId('view-model').click();
  await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'model');
  await expect(page.getByTestId('instead')).toContainText('the first lines of it');
});
