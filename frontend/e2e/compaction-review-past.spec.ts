import { at, twice } from './support/reviews';
import { expect, test } from './support/shared';

test.describe('compactions of the past', () => {
  test('open from the band and from the list, one after the other', async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(twice()), 22);
    await app.band(22).getByTestId('review-compaction').click();
    await expect(page).toHaveURL(/\/compaction\/22$/);
    await expect(at(page, 'past-facts')).toContainText('gpt-5.4-mini');
    await expect(at(page, 'preview').locator('strong')).toHaveText('harbour');
    await expect(at(page, 'counts')).toHaveText(/messages went/);
    await expect(page.getByRole('slider', { name: 'Cut' })).toHaveCount(0);
    await at(page, 'tab-source').click();
    await expect(at(page, 'source')).toContainText('## Next Steps');
    await at(page, 'tab-changes').click();
    await expect(at(page, 'changes-count')).toHaveText('2 lines added, 1 line removed');

    await at(page, 'previous-compaction').click();
    await expect(page).toHaveURL(/\/compaction\/9$/);
    await expect(at(page, 'past-facts')).toContainText('full window');
    await expect(at(page, 'tab-changes')).toHaveCount(0);
    await page.reload();
    await expect(at(page, 'past-facts')).toContainText('full window');
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
