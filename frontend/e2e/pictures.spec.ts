import { picture, SHOTS, still } from './support/look';
import { expect, test } from './support/test';

test.skip(!SHOTS, 'nobody asked for pictures');

// The pictures of README show the conversation that is offered on an empty home: nothing in them is anybody's.
test.use({ withModel: true, viewport: { width: 1440, height: 900 }, colorScheme: 'light' });

test.beforeEach(async ({ app, model }) => {
  model.models.splice(0, model.models.length, 'llama3.2');
  await app.start();
  await app.page.getByTestId('add-sample').click();
  await app.settled();
});

test('the window, for README', { tag: '@look' }, async ({ app }) => {
  const { page } = app;
  await page.goto(`${page.url()}/72`);
  await app.settled();
  await expect(app.message(72)).toBeInViewport();
  await page.mouse.move(700, 3);
  await page.getByTestId('title').click();
  await still(page);
  await picture(page, 'readme/window');
});

test('the review of a compaction, for README', { tag: '@look' }, async ({ app }) => {
  const { page } = app;
  await page.goto(`${page.url()}/compaction/71`);
  await expect(page.getByTestId('review')).toBeVisible();
  await still(page);
  await picture(page, 'readme/review');
});
