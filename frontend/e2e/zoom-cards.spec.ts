import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Composer } from './support/composer';
import { claudeSession, foreignFile } from './support/foreign';
import { look } from './support/look';
import { compacted, conversation } from './support/log';
import { bomb, PNG } from './support/pictures';
import { sideways, unreachable } from './support/reach';
import { expect, test } from './support/test';

const DAY = 86_400_000;
const DOUBLE = { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 };

/** Everything that can be pressed in it can be brought into view, one after the other. */
async function allReached(page: Page, inside: Locator): Promise<void> {
  for (const one of await inside.locator('button:visible, input:visible, select:visible').all()) {
    await one.focus();
    await expect(one).toBeInViewport({ ratio: 0.99 });
  }
  expect(await page.evaluate(unreachable)).toEqual([]);
  expect(await page.evaluate(sideways)).toEqual([]);
}

test.describe('at 200 %, what a tool asks', () => {
  test.use({ ...DOUBLE, withModel: true });
  let folder = '';
  test.beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-work-')));
    writeFileSync(join(folder, 'lights.txt'), Array.from({ length: 60 }, (_, n) => `light ${n}\n`).join(''));
  });
  test.afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('can be read to its end and answered', { tag: '@look' }, async ({ app, home, model }) => {
    const { page } = app;
    await app.visit();
    await app.go(home.session(conversation(4), { name: 'fix the harbour lights', cwd: folder }));
    const call = model.reply();
    await new Composer(page).send('Turn them off.');
    await call.asked;
    const long = Array.from({ length: 40 }, (_, n) => `echo "light ${n} is off" >> ${'deep/'.repeat(12)}log.txt`);
    call
      .toolCall('edit', { path: 'lights.txt', oldText: 'light 7\n', newText: `${'off '.repeat(60)}\n` })
      .toolCall('bash', { command: long.join('\n') })
      .done();
    const approval = page.getByTestId('approval');
    await expect(approval.getByTestId('diff')).toBeVisible();
    await look(page, 'zoomed-approval-diff');
    await allReached(page, approval);
    await approval.getByRole('button', { name: 'Once' }).press('Enter');
    const command = approval.getByTestId('approval-command');
    await expect(command).toContainText('light 39 is off');
    await look(page, 'zoomed-approval-command');
    await allReached(page, approval);
    // The answer to a long one is not further away than its own scrolling.
    const box = await command.boundingBox();
    expect(box?.height).toBeLessThan(450 / 2);
  });
});

test.describe('at 200 %', () => {
  test.use(DOUBLE);

  test('what goes, and what is kept, can be read and kept', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    const asked = 'the plan of the harbour and of every lighthouse along the coast';
    for (const id of ['one', 'two', 'three', 'four']) {
      const rows = claudeSession(id, `${asked} ${id}`);
      const old = rows.map((row) => ({ ...row, timestamp: new Date(Date.now() - 27 * DAY).toISOString() }));
      foreignFile(home, `.claude/projects/-srv-harbour/${id}.jsonl`, old);
    }
    home.session(conversation(2, new Date(Date.now() - 400 * DAY).toISOString()));
    await app.visit();
    await expect(page.getByRole('main')).toBeVisible();
    await page.keyboard.press('Shift+G');
    const dialog = page.getByRole('dialog', { name: 'Kept copies and cleaning up' });
    await expect(dialog.getByTestId('going')).toHaveCount(4);
    await look(page, 'zoomed-retention-going');
    await allReached(page, dialog);
    const keep = dialog.getByRole('button', { name: /^Keep the plan/ });
    for (let left = 4; left > 0; left--) {
      await keep.first().press('Enter');
      await expect(keep).toHaveCount(left - 1);
    }
    await dialog.getByRole('button', { name: 'Kept copies' }).press('Enter');
    await expect(dialog.getByTestId('copy')).toHaveCount(4);
    await look(page, 'zoomed-retention-kept');
    await allReached(page, dialog);
    await dialog.getByRole('button', { name: 'Clean up' }).press('Enter');
    await dialog.getByRole('button', { name: 'Show what would go' }).press('Enter');
    await expect(dialog.getByTestId('would-go')).toHaveCount(1);
    await look(page, 'zoomed-retention-clean-up');
    await allReached(page, dialog);
  });

  test('a picture is shown whole, and can be left', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    const id = home.session(compacted(), { name: 'fix the harbour lights' });
    const image = (bytes: Buffer) => ({ type: 'image', mediaType: 'image/png', blob: home.blob(id, bytes) });
    const message = { recordType: 'message', role: 'user', content: [image(PNG), image(bomb(3000))] };
    await home.run(['append', id], `${JSON.stringify(message)}\n`);
    await app.visit();
    await app.go(id);
    for (const [n, name] of ['small', 'large'].entries()) {
      const inLog = page.getByTestId('image').nth(n);
      await inLog.press('Enter');
      const shown = page.getByTestId('large-image');
      await expect(shown).toBeInViewport({ ratio: 0.99 });
      await look(page, `zoomed-image-${name}`);
      await allReached(page, page.getByRole('dialog'));
      await page.keyboard.press('Escape');
      await expect(inLog).toBeFocused();
    }
  });
});
