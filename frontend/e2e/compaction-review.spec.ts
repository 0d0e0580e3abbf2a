import { compacted, conversation } from './support/log';
import { at, editor, opened, twice } from './support/reviews';
import { expect, test } from './support/shared';

test.describe('without a model', () => {
  test('a draft is there at once; accepted it is the band, and can be undone', async ({ app, home }) => {
    const { page } = app;
    const id = home.session(conversation(40), { name: 'harbour' });
    const before = home.log(id);
    await opened(app, id);
    await expect(page).toHaveURL(/\/compact$/);
    await expect(page.getByRole('dialog', { name: 'Compact “harbour”' })).toBeVisible();
    await expect(at(page, 'offline-note')).toContainText('Connect a server…');
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
    await expect(at(app.page, 'accept')).toHaveCount(0);
    await app.page.getByTestId('discard').click();
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
