import type { Locator, Page } from '@playwright/test';
import type { App } from './support/app';
import { compacted, conversation, Log } from './support/log';
import { look, SIZES } from './support/look';
import { expect, test } from './support/test';

const at = (page: Page, id: string): Locator => page.getByTestId(id);
const editor = (app: App) => at(app.page, 'editor');

/** A conversation with two compactions, of which the second builds on the first. */
function twice(): Log {
  const log = conversation(8).compaction(7, '## Goal\n\nKeep the lights on.\n\n## Next Steps\n1. Wait', {
    trigger: 'threshold',
  });
  for (let n = 9; n <= 14; n++) log.user(`Question ${n}.`).assistant(`Answer ${n}.`);
  return log
    .compaction(17, '## Goal\n\nKeep the **harbour** lights on.\n\n## Next Steps\n1. Wait\n2. Look', {
      model: 'gpt-5.4-mini',
      edited: true,
      instructions: 'keep the harbour',
    })
    .user('And now?');
}

async function opened(app: App, id: string): Promise<void> {
  await app.open(id);
  await at(app.page, 'compact').click();
  await expect(at(app.page, 'review')).toBeVisible();
}

test.describe('without a model', () => {
  test('a draft is there at once; accepted it is the band, and can be undone', async ({ app, home }) => {
    const { page } = app;
    const id = home.session(conversation(40), { name: 'harbour' });
    const before = home.log(id);
    await opened(app, id);
    await expect(page).toHaveURL(/\/compact$/);
    await expect(page.getByRole('dialog', { name: 'Compact “harbour”' })).toBeVisible();
    await expect(at(page, 'offline-note')).toContainText('config.yaml');
    await expect(editor(app)).toHaveValue(/## Goal/);
    await expect(at(page, 'plan-note')).toContainText('would not compact yet');
    await expect(at(page, 'tab-changes')).toHaveCount(0);
    expect(home.log(id), 'nothing is written by looking').toEqual(before);

    const tokens = async () => Number((await at(page, 'tokens-after').innerText()).replaceAll(',', ''));
    const drafted = await tokens();
    await editor(app).fill(`${await editor(app).inputValue()}\n\n- Mind the **gap**.${' More.'.repeat(200)}`);
    expect(await tokens(), 'tokens follow the text').toBeGreaterThan(drafted + 250);
    await at(page, 'tab-preview').click();
    await expect(at(page, 'preview').locator('strong')).toHaveText('gap');

    await at(page, 'accept').click();
    await expect(at(page, 'review')).toHaveCount(0);
    const band = page.getByTestId('compaction-band');
    await expect(band).toBeInViewport();
    await expect(band).toHaveAttribute('data-state', 'inForce');
    await expect(band).toContainText('Mind the gap');
    await expect(band).toContainText('edited');
    await expect(page).toHaveURL(/\/41$/);
    expect(home.log(id).subarray(0, before.length).equals(before)).toBe(true);
    await app.toast.getByRole('button', { name: 'Undo' }).click();
    await expect(band).toHaveAttribute('data-state', 'reverted');
  });

  test('the cut moves by key, by press and by pointer, to where it may be; the draft follows', async ({
    app,
    home,
  }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    await expect(editor(app)).toBeVisible();
    const cut = page.getByRole('slider', { name: 'Cut' });
    const counts = at(page, 'counts');
    const value = async () => Number(await cut.getAttribute('aria-valuenow'));
    const was = await value();
    const said = await counts.innerText();

    await cut.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(value).toBe(was - 1);
    await expect(counts).not.toHaveText(said);
    await expect(cut).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(counts).toHaveText(said);
    await page.keyboard.press('End');
    await expect(counts).toHaveText('40 messages go · 0 stay');
    await expect(cut).toContainText('cut at the end');

    const target = page.locator('[data-testid="review-row"][data-seq="31"]');
    await target.hover();
    await target.getByTestId('cut-here').click();
    await expect(counts).toHaveText('30 messages go · 10 stay');
    await expect(cut).toContainText('cut at 31');
    await expect(target).toHaveAttribute('data-stays', 'true');

    const [from, to] = [await cut.boundingBox(), await page.locator('[data-seq="25"]').last().boundingBox()];
    if (!from || !to) throw new Error('no boxes');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    // Held by its middle: its upper edge comes to that of the row, as far from the next stop as can be.
    await page.mouse.move(to.x + 200, to.y + from.height / 2, { steps: 8 });
    await page.mouse.up();
    await expect(counts).toHaveText('24 messages go · 16 stay');
    await expect(at(page, 'misplaced'), 'what costs nothing is drawn anew').toHaveCount(0);
    await expect(at(page, 'versions')).toHaveCount(0);
  });

  test('an edited text stays when the cut moves, and when another is written', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    await editor(app).fill('My own summary.');
    await page.getByRole('slider', { name: 'Cut' }).focus();
    await page.keyboard.press('ArrowUp');
    await expect(at(page, 'misplaced')).toBeVisible();
    await expect(editor(app)).toHaveValue('My own summary.');
    await at(page, 'move-back').click();
    await expect(at(page, 'misplaced')).toHaveCount(0);
    await at(page, 'again').click();
    await expect(at(page, 'versions')).toContainText('2 of 2');
    await expect(editor(app)).toHaveValue(/## Goal/);
    await at(page, 'earlier-text').click();
    await expect(editor(app)).toHaveValue('My own summary.');
  });

  test('left with Escape it waits; discarded it can be had back', async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(conversation(40)));
    await page.keyboard.press('c');
    await editor(app).fill('Half a thought');
    await page.keyboard.press('Escape');
    await expect(at(page, 'review')).toHaveCount(0);
    await expect(at(page, 'compact')).toContainText('A draft is kept');
    await page.goForward();
    await expect(editor(app)).toHaveValue('Half a thought');
    await page.goBack();
    await at(page, 'compact-from-context').click();
    await expect(editor(app)).toHaveValue('Half a thought');
    await at(page, 'discard').click();
    await expect(at(page, 'review')).toHaveCount(0);
    await expect(at(page, 'compact')).not.toContainText('kept');
    await app.toast.getByRole('button', { name: 'Undo' }).click();
    await expect(editor(app)).toHaveValue('Half a thought');
  });

  test('nothing to compact says why', async ({ app, home }) => {
    await opened(app, home.session(conversation(1)));
    await expect(at(app.page, 'nothing')).toContainText('Nothing to compact');
    await expect(at(app.page, 'accept')).toHaveAttribute('aria-disabled', 'true');
    await app.page.keyboard.press('Escape');
    await expect(at(app.page, 'review')).toHaveCount(0);
  });

  test('what changed since the previous summary has a tab; its summary is the first row', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(twice()));
    await at(page, 'rows').evaluate((rows) => {
      rows.scrollTop = 0;
    });
    await expect(at(page, 'review-row').first()).toContainText('Goal: Keep the **harbour** lights on.');
    await editor(app).fill('## Goal\n\nKeep the **harbour** lights on.\n\nNew.');
    await at(page, 'tab-changes').click();
    await expect(at(page, 'changes-count')).toHaveText('1 line added, 3 lines removed');
  });

  test('2,000 rows and more are no more than those in view', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(conversation(5000)));
    await expect(editor(app)).toBeVisible();
    expect(await at(page, 'review-row').count()).toBeLessThan(80);
    await page.getByRole('slider', { name: 'Cut' }).focus();
    await page.keyboard.press('Home');
    await expect(page.getByRole('slider', { name: 'Cut' })).toBeInViewport();
  });

  test('the focus stays inside and comes back; keys of the conversation do nothing behind it', async ({
    app,
    home,
  }) => {
    const { page } = app;
    await app.open(home.session(compacted()));
    await at(page, 'compact').focus();
    await page.keyboard.press('Enter');
    await expect(at(page, 'review')).toBeFocused();
    await expect(editor(app)).toBeVisible();
    const seen = new Set<string>();
    for (let n = 0; n < 24; n++) {
      await page.keyboard.press('Tab');
      const inside = await page.evaluate(() => {
        const element = document.activeElement;
        const over = element?.closest('[data-testid="review"], [aria-live]');
        return element === document.body || over ? (element?.getAttribute('data-testid') ?? '') : 'outside';
      });
      seen.add(inside);
    }
    expect([...seen]).not.toContain('outside');
    for (const id of [
      'leave-review',
      'rows',
      'cut',
      'tab-draft',
      'panel',
      'editor',
      'instructions',
      'again',
      'discard',
      'accept',
    ]) {
      expect([...seen]).toContain(id);
    }
    await at(page, 'leave-review').focus();
    await page.keyboard.press('m');
    await page.keyboard.press('[');
    await page.keyboard.press('Escape');
    await expect(at(page, 'transcript')).toHaveAttribute('data-view', 'all');
    await expect(app.library).toBeVisible();
    await expect(at(page, 'compact')).toBeFocused();
  });

  test('another compaction meanwhile: the text stays, and is accepted after another look', async ({ app, home }) => {
    const { page } = app;
    const log = twice();
    for (let n = 0; n < 20; n++) log.user(`Later ${n}.`).assistant(`So be it ${n}.`);
    const id = home.session(log);
    await opened(app, id);
    await editor(app).fill('My own summary.');
    // The page can't plan anew by itself, so that it learns of it only by being refused.
    await page.route('**/api/sessions/*/compactions/plan*', (route) => route.abort());
    await home.run(['compact', id, '--offline', '--keep-recent', '20']);
    await at(page, 'accept').click();
    await expect(at(page, 'stale')).toContainText('Your text is kept');
    await page.unroute('**/api/sessions/*/compactions/plan*');
    await at(page, 'replan').click();
    await expect(at(page, 'stale')).toHaveCount(0);
    await expect(editor(app)).toHaveValue('My own summary.');
    await at(page, 'accept').click();
    await expect(at(page, 'review')).toHaveCount(0);
    await expect(page.locator('[data-testid="compaction-band"][data-state="inForce"]')).toContainText(
      'My own summary.',
    );
  });
});

test.describe('with a model', () => {
  test.use({ withModel: true });

  test('its cost is known first; it streams, is edited, accepted, undone, and found again', async ({
    app,
    home,
    model,
  }) => {
    const { page } = app;
    const id = home.session(conversation(40));
    await opened(app, id);
    await expect(at(page, 'offer')).toContainText('test-model');
    await expect(at(page, 'offer')).toContainText(/about [\d,]+ tokens/);
    await expect(editor(app)).toHaveCount(0);
    expect(model.asked).toHaveLength(0);

    const reply = model.reply().text('## Goal\nKeep the **harb');
    await at(page, 'instructions').fill('keep the lights');
    await at(page, 'write').click();
    await expect(at(page, 'streaming')).toContainText('Keep the **harb');
    await expect(at(page, 'progress')).toContainText('test-model is writing');
    await expect(at(page, 'accept')).toHaveAttribute('aria-disabled', 'true');
    expect(JSON.stringify((await reply.asked).body.messages)).toContain('keep the lights');
    reply.text('our** lights.\n').done();
    await expect(editor(app)).toHaveValue('## Goal\nKeep the **harbour** lights.');
    await expect(at(page, 'draft-notes')).toContainText('Missing sections');

    await editor(app).press('End');
    await editor(app).fill('## Goal\nKeep the **harbour** lights on.');
    await page.keyboard.press('Control+Enter');
    const band = page.getByTestId('compaction-band');
    await expect(band).toContainText('Keep the harbour lights on.');
    await app.toast.getByRole('button', { name: 'Undo' }).click();
    await expect(band).toHaveAttribute('data-state', 'reverted');
    await page.reload();
    await band.getByTestId('review-compaction').click();
    await expect(at(page, 'past-facts')).toContainText('test-model');
    await expect(at(page, 'past-facts')).toContainText('keep the lights');
    await expect(at(page, 'past-facts')).toContainText('edited by hand');
    await expect(at(page, 'past-facts')).toContainText('undone');
  });

  test('is cancelled at any time, and what was there stays', async ({ app, home, model }) => {
    const { page } = app;
    const id = home.session(conversation(40));
    const log = home.log(id);
    await opened(app, id);
    const reply = model.reply().text('## Goal\nNever mind');
    await at(page, 'write').click();
    await expect(at(page, 'streaming')).toContainText('Never mind');
    await at(page, 'cancel-draft').click();
    await reply.closed;
    await expect(at(page, 'draft-cancelled')).toContainText('Nothing was written');
    await expect(at(page, 'offer')).toBeVisible();
    model.says('## Goal\nThis one.');
    await at(page, 'write').click();
    await expect(editor(app)).toHaveValue('## Goal\nThis one.');
    expect(home.log(id)).toEqual(log);
  });

  test('a failure says what happened and what is safe, and is tried again', async ({ app, home, model }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    model.reply().error(400, 'the tide is out');
    await at(page, 'write').click();
    await expect(at(page, 'draft-failed')).toContainText('the tide is out');
    await expect(at(page, 'draft-failed')).toContainText('Nothing was written');
    model.says('## Goal\nBetter.');
    await at(page, 'retry-draft').click();
    await expect(editor(app)).toHaveValue('## Goal\nBetter.');
    await expect(at(page, 'draft-failed')).toHaveCount(0);
  });

  test('goes on while the view is left', async ({ app, home, model }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    const reply = model.reply().text('## Goal\nOne');
    await at(page, 'write').click();
    await expect(at(page, 'streaming')).toContainText('One');
    await page.keyboard.press('Escape');
    reply.text(' two');
    await at(page, 'compact').click();
    await expect(at(page, 'streaming')).toContainText('One two');
    reply.text(' three').done();
    await expect(editor(app)).toHaveValue('## Goal\nOne two three');
  });

  test('60 KB are drawn once, not again with each piece', async ({ app, home, model }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    const reply = model.reply();
    await at(page, 'write').click();
    await reply.asked;
    const line = `- ${'word '.repeat(11)}\n`;
    reply.text(`## Goal\n${line.repeat(100)}`);
    const streaming = at(page, 'streaming');
    const written = () => streaming.evaluate((el) => el.textContent.length);
    await expect.poll(written).toBe(8 + line.length * 100);
    await page.evaluate(() => {
      const drawn = { characters: 0 };
      Object.assign(window, { drawn });
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
          const fresh = type === 'characterData' ? [target] : [...addedNodes];
          drawn.characters += fresh.reduce((sum, node) => sum + (node.textContent ?? '').length, 0);
        }
      }).observe(document.querySelector('[data-testid="streaming"]') ?? document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    for (let n = 0; n < 36; n++) {
      const before = 8 + line.length * (100 + 25 * n);
      reply.text(line.repeat(25));
      await expect.poll(written).toBe(before + line.length * 25);
    }
    const drawn = await page.evaluate(() => (window as unknown as { drawn: { characters: number } }).drawn.characters);
    // The block at the end is drawn again while it grows; all of it each time would be twenty times the text.
    expect(drawn).toBeLessThan(4 * line.length * 900);
    reply.done();
    await expect(editor(app)).toBeVisible();
  });
});

test.describe('compactions of the past', () => {
  test('open from the band and from the list, one after the other', async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(twice()), 22);
    await app.band(22).getByTestId('review-compaction').click();
    await expect(page).toHaveURL(/\/compaction\/22$/);
    await expect(at(page, 'past-facts')).toContainText('gpt-5.4-mini');
    await expect(at(page, 'preview').locator('strong')).toHaveText('harbour');
    await expect(at(page, 'counts')).toHaveText(/messages go/);
    await expect(page.getByRole('slider', { name: 'Cut' })).toHaveCount(0);
    await at(page, 'tab-source').click();
    await expect(at(page, 'source')).toContainText('## Next Steps');
    await at(page, 'tab-changes').click();
    await expect(at(page, 'changes-count')).toHaveText('2 lines added, 1 line removed');

    await at(page, 'previous-compaction').click();
    await expect(page).toHaveURL(/\/compaction\/9$/);
    await expect(at(page, 'past-facts')).toContainText('threshold');
    await expect(at(page, 'tab-changes')).toHaveCount(0);
    await page.reload();
    await expect(at(page, 'past-facts')).toContainText('threshold');
    await page.keyboard.press('Escape');
    await expect(at(page, 'review')).toHaveCount(0);

    await at(page, 'review-from-list').first().click();
    await expect(page).toHaveURL(/\/compaction\/22$/);
    await at(page, 'show-band').click();
    await expect(app.band(22)).toBeInViewport();
  });

  test('any two stand beside each other', async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(twice()));
    await at(page, 'review-from-list').last().click();
    await at(page, 'compare').selectOption({ index: 1 });
    await expect(page).toHaveURL(/\/compaction\/9\/22$/);
    const pair = at(page, 'side-by-side');
    await expect(pair.locator('.added')).toHaveText(['Keep the **harbour** lights on.', '2. Look']);
    await expect(pair.locator('.removed')).toHaveText(['Keep the lights on.']);
    await page.reload();
    await expect(pair).toBeVisible();
    await page.setViewportSize({ width: 800, height: 600 });
    await expect(at(page, 'changes-count')).toBeVisible();
    await at(page, 'compare').selectOption('');
    await expect(pair).toHaveCount(0);
  });

  test('one that is not there says so', async ({ app, home }) => {
    const id = home.session(twice());
    await app.open(id);
    await app.page.goto(`${app.page.url()}/compaction/3`);
    await expect(at(app.page, 'error')).toBeVisible();
    await at(app.page, 'leave-review').click();
    await expect(at(app.page, 'review')).toHaveCount(0);
  });
});

/** A conversation with something of everything that a review shows. */
function full(): Log {
  const log = twice();
  for (let n = 0; n < 20; n++) {
    log.call('bash', { command: 'go test ./...' }, 'ok\n'.repeat(40 * n)).user(`Go on ${n}.`);
  }
  return log;
}

for (const size of [...SIZES, { width: 700, height: 480 }]) {
  test.describe(`can be read by everyone at ${size.width}x${size.height}`, () => {
    test('a draft', { tag: '@look' }, async ({ app, home }) => {
      const { page } = app;
      await opened(app, home.session(full(), { name: 'fix the harbour lights' }));
      await page.setViewportSize(size);
      await expect(editor(app)).toBeVisible();
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await look(page, `review-${(await tab.getAttribute('data-tab')) ?? ''}`);
      }
    });

    test('a draft for another cut', { tag: '@look' }, async ({ app, home }) => {
      const { page } = app;
      await opened(app, home.session(full(), { name: 'fix the harbour lights' }));
      await page.setViewportSize(size);
      await editor(app).fill('Mine');
      if (size.width < 1000) await at(page, 'tab-rows').click();
      await page.getByRole('slider', { name: 'Cut' }).focus();
      await page.keyboard.press('ArrowUp');
      await expect(at(page, 'misplaced')).toBeVisible();
      await look(page, 'review-misplaced');
    });

    test('a compaction of the past', { tag: '@look' }, async ({ app, home }) => {
      const { page } = app;
      await app.open(home.session(full(), { name: 'fix the harbour lights' }));
      await page.setViewportSize(size);
      await page.goto(`${page.url()}/compaction/22`);
      await expect(at(page, 'past-facts')).toBeVisible();
      await look(page, 'review-past');
      await at(page, 'compare').selectOption({ index: 1 });
      await expect(at(page, 'side-by-side')).toBeVisible();
      await look(page, 'review-pair');
    });

    test.describe('with a model', () => {
      test.use({ withModel: true });

      test('an offer, a draft on its way, and one that failed', { tag: '@look' }, async ({ app, home, model }) => {
        const { page } = app;
        await opened(app, home.session(full(), { name: 'fix the harbour lights' }));
        await page.setViewportSize(size);
        await expect(at(page, 'offer')).toBeVisible();
        await look(page, 'review-offer');
        const reply = model.reply().text('## Goal\nKeep the **harbour** lights on.\n\n## Next');
        await at(page, 'write').click();
        await expect(at(page, 'streaming')).toContainText('## Next');
        await page.emulateMedia({ reducedMotion: 'reduce' });
        await look(page, 'review-streaming');
        reply.breakOff();
        model.reply().error(400, 'the tide is out');
        await expect(at(page, 'draft-failed')).toBeVisible();
        await look(page, 'review-failed');
      });
    });
  });
}
