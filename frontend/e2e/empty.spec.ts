import { compacted, conversation } from './support/log';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

test.describe('where there is nothing, there is a next step', () => {
  test('no sessions, no compactions, nothing to add up', async ({ app }) => {
    const { page } = app;
    await app.start();
    await page.getByTestId('library-empty').getByRole('button', { name: 'New conversation' }).click();
    await expect(page.getByTestId('new-conversation')).toBeVisible();
    await page.evaluate(() => (location.hash = '#/statistics'));
    await expect(page.getByTestId('statistics-empty').getByTestId('add-sample')).toBeVisible();
    await page.evaluate(() => (location.hash = '#/ledger'));
    await page.getByTestId('ledger-empty').getByTestId('add-sample').click();
    await expect(page).toHaveURL(/#\/s\//);
  });

  test('nothing that filters leave', async ({ app, home }) => {
    const { page } = app;
    home.session(compacted(), { name: 'fix the harbour lights' });
    await app.start();
    await app.filter.fill('nothing like this');
    await page.getByTestId('library-empty').getByTestId('clear-filter').click();
    await expect(app.filter).toHaveValue('');
    await expect(app.library.getByTestId('session-row')).toHaveCount(1);
    await page.getByTestId('shelf-trash').click();
    await page.getByTestId('library-empty').getByRole('button', { name: 'Show the sessions' }).click();
    await expect(app.library.getByTestId('session-row')).toHaveCount(1);
    for (const [name, act, shown] of [
      ['statistics', 'Show everything', 'Over time'],
      ['ledger', 'Show every compaction', '1 compaction'],
    ] as const) {
      await page.evaluate((hash) => (location.hash = hash), `#/${name}?agent=nobody`);
      await page.getByTestId(`${name}-empty`).getByRole('button', { name: act }).click();
      await expect(page.getByTestId(name)).toContainText(shown);
    }
  });

  test('nothing that is found', async ({ app, home }) => {
    const { page } = app;
    home.session(conversation(4), { name: 'harbour' });
    await app.start();
    await page.keyboard.press('Control+Shift+F');
    const field = page.getByTestId('search-field');
    await field.fill('answer zzzzzz');
    const nothing = page.getByTestId('search-nothing');
    await nothing.getByRole('button', { name: 'Look for “answer” alone' }).click();
    await expect(field).toHaveValue('"answer"');
    await expect(page.getByTestId('search-results')).toContainText('Answer');
    await field.fill('zzzzzz');
    await nothing.getByRole('button', { name: 'Show examples' }).click();
    await expect(page.getByTestId('search-start')).toBeVisible();
  });

  test('nothing that goes, or is kept', async ({ app }) => {
    const { page } = app;
    await app.start();
    await page.keyboard.press('Shift+G');
    const tab = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByTestId('retention-empty').getByRole('button').click();
    await expect(tab('Clean up')).toHaveAttribute('aria-pressed', 'true');
    await tab('Kept copies').click();
    await page.getByTestId('retention-empty').getByRole('button').click();
    await expect(tab('What will go')).toHaveAttribute('aria-pressed', 'true');
  });

  shared('a conversation without a message, also as the model sees it', async ({ app, home }) => {
    const { page } = app;
    const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
    await app.start();
    await app.link(id).click();
    const empty = page.getByTestId('transcript-empty');
    await page.getByTestId('view-model').click();
    await expect(page.getByTestId('view-model')).toHaveAttribute('aria-checked', 'true');
    await expect(empty).toContainText('No messages yet');
    await expect(page.getByTestId('connect')).toBeVisible();
  });
});

shared.describe('with a model', () => {
  shared.use({ withModel: true });

  shared('the first message is a press away; where only the model has none, all of it is', async ({ app, home }) => {
    const { page } = app;
    const { id } = (await home.run(['new', '--name', 'empty'])) as { id: string };
    await app.start();
    await app.link(id).click();
    const empty = page.getByTestId('transcript-empty');
    await empty.getByRole('button', { name: 'Write the first message' }).click();
    await expect(page.getByTestId('message-field')).toBeFocused();
  });
});
