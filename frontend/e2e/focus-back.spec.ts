import { Composer } from './support/composer';
import { conversation, Log } from './support/log';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

shared.describe('with a model', () => {
  shared.use({ withModel: true });

  shared('whoever looks for nothing, or finds nothing, goes on where they were', async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(conversation(6), { name: 'harbour' }));
    const { field } = new Composer(page);
    const find = page.getByTestId('find-field');
    for (const words of ['', 'no such word']) {
      await field.fill('half a thought');
      await field.focus();
      await page.keyboard.press('Control+f');
      await expect(find).toBeFocused();
      await find.fill(words);
      await page.keyboard.press('Escape');
      await expect(find).toHaveCount(0);
      await expect(field).toBeFocused();
    }
    await page.keyboard.press('Control+f');
    await find.fill('Answer 4');
    await expect(page.getByTestId('find-bar')).toContainText('1');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect(app.message(4), 'what was found is read').toBeFocused();
  });
});

test('the way back over a search closes the dialog that was opened there', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(conversation(6), { name: 'harbour' }));
  await app.message(6).focus();
  await page.keyboard.press('Control+Shift+f');
  await expect(page.getByTestId('search')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId('search')).toHaveCount(0);
  await expect(settings).toHaveCount(0);
  await expect(app.message(6)).toBeFocused();

  await page.keyboard.press('Control+Shift+f');
  await page.keyboard.press('ControlOrMeta+,');
  await settings.getByTestId('add-provider').click();
  await settings.getByLabel('Name').fill('work');
  await page.goBack();
  await expect(page.getByTestId('search')).toHaveCount(0);
  await expect(page.getByTestId('unsaved'), 'what is typed there is asked about').toBeVisible();
  await expect(settings.getByLabel('Name')).toHaveValue('work');
});

test('asked for again, the field to find in has the focus, wherever that went since', async ({ app, home }) => {
  const { page } = app;
  const log = new Log().user('Where is the needle?').assistant('In the hay.');
  const id = home.session(log, { name: 'hay' });
  await app.open(id);
  await page.keyboard.press('Control+f');
  const field = page.getByTestId('find-field');
  await field.fill('hay');
  await app.message(1).click();
  await expect(field).not.toBeFocused();
  await page.keyboard.press('F3');
  await expect(field, 'going on is not asking for it').not.toBeFocused();
  await page.keyboard.press('Control+f');
  await expect(field).toBeFocused();
  await page.keyboard.type('e');
  await expect(field, 'and what was looked for is chosen').toHaveValue('e');
  await app.message(1).click();
  await page.getByTestId('find').click();
  await expect(field).toBeFocused();
});
