import type { Page } from '@playwright/test';
import { deepened, flooded, FLOODS } from './support/hostile';
import { Log, textBlock } from './support/log';
import { expect, test } from './support/test';

/** The page hears a key: it opens the list of keys, and Escape closes it. */
async function answers(page: Page): Promise<void> {
  await page.locator('body').press('?');
  await expect(page.getByTestId('keys-dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('keys-dialog')).toHaveCount(0);
}

/** Neither more elements than can be laid out at once, nor anything wider than the window. */
async function expectBounded(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    elements: document.querySelectorAll('*').length,
    beside: document.documentElement.scrollWidth - innerWidth,
    longest: Math.max(
      ...[...document.querySelectorAll('[title], [aria-label]')].map((one) => {
        return Math.max(one.getAttribute('title')?.length ?? 0, one.getAttribute('aria-label')?.length ?? 0);
      }),
    ),
  }));
  expect(found.elements).toBeLessThan(40_000);
  expect(found.beside).toBeLessThanOrEqual(0);
  expect(found.longest).toBeLessThan(10_000);
}

const kinds = Object.entries(FLOODS);

/** A few in one page, which takes less than a page for each. */
const some = [0, 4, 8, 12].map((from) => kinds.slice(from, from + 4));

for (const floods of some) {
  const named = floods.map(([kind]) => kind).join(', ');
  test(`${named}: the conversation opens, and the page answers`, async ({ app, home }) => {
    test.slow();
    const conversations = floods.map(([kind, flood]) => {
      const long = flood.slice(0, 50_000);
      return { kind, id: home.session(flooded(flood), { name: long, cwd: `/srv/${long}` }) };
    });
    await app.start();
    for (const { kind, id } of conversations) {
      await test.step(kind, async () => {
        await app.go(id);
        await expect(app.log).toContainText('The last words.');
        await answers(app.page);
        await expectBounded(app.page);
        // Each record by itself, from the first on.
        for (const seq of [1, 2, 3]) {
          await app.go(id, seq);
          await expect(app.message(seq)).toBeVisible();
          await expectBounded(app.page);
        }
        await answers(app.page);
      });
    }
  });
}

test('what is deep or many', async ({ app, home }) => {
  await test.step('arguments nested as deep as a record can be, and words that every object has', async () => {
    const log = new Log()
      .call('deep', '@3000', 'done')
      .call('deeper', { a: '@9000', command: [{ toString: 1 }, '@9000'] }, 'done')
      .call('write', { path: 'src/a.constructor', content: 'x' }, 'done')
      .assistant('Stopped.', { stopReason: 'constructor' })
      .compaction(3, 'Short.', { trigger: 'toString' })
      .record('__proto__', { schemaVersion: 99, x: '@4000' });
    const id = home.session(deepened(log));
    await app.open(id);
    for (const card of await app.log.getByTestId('tool-head').all()) await card.click();
    await expect(app.log).toContainText('a.constructor');
    await expect(app.log).not.toContainText('native code');
    await expect(app.page.getByTestId('broken-row')).toHaveCount(0);
    await answers(app.page);
  });

  await test.step('thousands of blocks and of files are shown a few at a time', async () => {
    const log = new Log()
      .assistant(Array.from({ length: 20_000 }, (_, n) => textBlock(`b${n}`)))
      .compaction(1, 'Short.', { readFiles: Array.from({ length: 20_000 }, (_, n) => `f${n}`) });
    const id = home.session(log);
    await app.go(id, 2);
    await app.band(2).getByTestId('files-toggle').click();
    await expect(app.band(2).locator('li')).toHaveCount(200);
    await app.band(2).getByTestId('more-files').click();
    await expect(app.band(2).locator('li')).toHaveCount(1200);
    await app.go(id, 1);
    await expect(app.message(1).locator('.prose')).toHaveCount(100);
    await app.message(1).getByTestId('more-blocks').click();
    await expect(app.message(1).locator('.prose')).toHaveCount(200);
    await answers(app.page);
  });

  await test.step('a line of ten megabytes opens whole, in parts', async () => {
    const id = home.session(
      new Log().call('bash', { command: 'cat log' }, 'y'.repeat(10_000_000)).user('The last words.'),
    );
    await app.go(id);
    await app.log.getByTestId('tool-head').click();
    await app.log.getByTestId('show-whole').click();
    await expect(app.log.getByTestId('show-whole')).toHaveCount(0);
    await app.log.getByTestId('show-all').click();
    await expect(app.log.getByTestId('tool-output').getByText('Show more')).toBeVisible();
    await answers(app.page);
  });
});
