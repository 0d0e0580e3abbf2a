import { conversation, compacted } from './support/log';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

test('any session by a few letters of its name, its folder or its model', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour lights', cwd: '/srv/harbour' });
  const other = home.session(conversation(4, '2026-11-19T09:00:00Z'), { name: 'release', cwd: '/srv/tide-tables' });
  await app.start();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find a session or command' });
  await expect(field).toBeFocused();
  const options = page.getByRole('option');
  await expect(page.getByRole('group', { name: 'Recent sessions' }).getByRole('option').first()).toContainText(
    'harbour lights',
  );

  await page.keyboard.type('har lig');
  await expect(options.first()).toHaveAttribute('data-found', id);
  await expect(options.first().locator('mark')).toHaveText(['har', 'lig', 'har']);
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  expect(await field.getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));

  await field.fill('tide');
  await expect(options.first()).toHaveAttribute('data-found', other);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('title')).toHaveText('release');
  await expect(page.locator('main')).toBeFocused();

  await page.keyboard.press('Control+k');
  await field.fill('nothing of the kind');
  await expect(options).toHaveCount(0);
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('status').filter({ hasText: 'Nothing matches' })).toBeAttached();
  await expect(page.getByTestId('palette-dialog').getByTestId('search-all')).toContainText('nothing of the kind');
  await page.keyboard.press('Enter');
  await expect(field).toHaveCount(0);
  await expect(page.getByTestId('search-field')).toHaveValue('nothing of the kind');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
});

test('a command by its name: only what can be done, with its key', async ({ app, home }) => {
  const { page } = app;
  const id = home.session(compacted(), { name: 'harbour' });
  await app.start();
  await page.keyboard.press('Control+k');
  const field = page.getByTestId('palette-field');
  await field.fill('compact');
  await expect(page.locator('[data-found="compact"]'), 'nothing is open').toHaveCount(0);
  await page.keyboard.press('Escape');

  await app.go(id);
  await page.keyboard.press('Control+k');
  await field.fill('model sees');
  const option = page.locator('[data-found="modelOnly"]');
  await expect(option).toContainText('m');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('transcript')).toHaveAttribute('data-view', 'model');

  // What a command is about is what had the focus before.
  const other = home.session(conversation(2, '2026-11-19T09:00:00Z'), { name: 'another' });
  await expect(app.session(other)).toBeVisible();
  await app.link(other).focus();
  await page.keyboard.press('Control+k');
  await field.fill('archive');
  await page.locator('[data-found="archive"]').click();
  await expect(app.toast).toContainText('“another” is archived');
});

test('among 20,000 sessions a key makes a few rows only', async ({ app }) => {
  const { page } = app;
  await page.route('**/api/sessions?*', async (route) => {
    const sessions = Array.from({ length: 20_000 }, (_, n) => ({
      id: `01JD${String(n).padStart(22, '0')}`,
      name: `${['harbour', 'release', 'deploy', 'tide'][n % 4] ?? ''} ${n}`,
      createdAt: '2026-11-20T10:00:00Z',
      lastMessageAt: new Date(Date.UTC(2026, 10, 20) - n * 60_000).toISOString(),
      model: `model-${n % 7}`,
      messageCount: 3,
      compactions: 0,
      source: 'interactive',
      cwd: `/srv/work/project-${n % 90}`,
      key: null,
      archivedAt: null,
      firstMessage: 'What is the matter with this one, and why?',
      path: '',
    }));
    const body = sessions.map((one) => `${JSON.stringify(one)}\n`).join('');
    await route.fulfill({ contentType: 'application/x-ndjson', body });
  });
  await app.visit();
  await expect(app.filter).toHaveAttribute('placeholder', /20,000/);
  await page.keyboard.press('Control+k');
  const field = page.getByTestId('palette-field');
  const options = page.getByRole('option');
  for (const query of ['t', 'tide', 'tide 1', 'project-7 release']) {
    await field.fill(query);
    await expect(options.first()).toHaveAttribute('data-found', /./);
    expect(await options.count(), query).toBeLessThanOrEqual(60);
  }
  await field.fill('zzz');
  await expect(options).toHaveCount(0);
  await field.fill('tide 19999');
  await expect(options.first()).toContainText('tide 19999');
});

shared('a record by its number', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(compacted(), { name: 'harbour' }));
  await page.keyboard.press('Control+g');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(app.message(3)).toBeFocused();
  await expect(app.message(3)).toBeInViewport();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('999');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('no-seq')).toContainText('999');
});
