import { Log, conversation } from './support/log';
import { field, hit, hits, indexed, look, search, story } from './support/search';
import { expect, test } from './support/test';

test('by keyboard: to what was found, into the session, and back', async ({ app, home, program }) => {
  const { page } = app;
  const first = home.session(conversation(4), { name: 'before' });
  const long = new Log('2026-11-21T09:00:00Z');
  for (let n = 1; n <= 300; n++) long.user(n % 100 === 50 ? `The needle ${n}.` : `Nothing ${n}.`);
  const id = home.session(long, { name: 'haystack' });
  await app.open(first);
  await indexed(program, 2);
  await search(app, 'needle');
  await expect(hits(page)).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(hit(page, id)).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(hit(page, id)).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByTestId('search-place')).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('search-place').nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('title')).toHaveText('haystack');
  await expect(app.message(150)).toBeInViewport();
  await expect(page.getByTestId('find-field')).toHaveValue('needle');
  await expect(page.getByTestId('find-count')).toHaveText('2 of 3 messages');

  await page.goBack();
  await expect(page.getByTestId('search-place').nth(1)).toBeFocused();
  await expect(field(page)).toHaveValue('needle');
  await page.keyboard.press('ArrowLeft');
  await expect(hit(page, id)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByTestId('search-place')).toHaveCount(0);
  await page.keyboard.press('ArrowUp');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
  await expect(page.getByTestId('title')).toHaveText('before');

  // A reload finds it again, and letters do nothing to what lies under it.
  await search(app);
  await expect(field(page)).toHaveValue('needle');
  await page.reload();
  await expect(hits(page)).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await expect(hit(page, id)).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByTestId('toast')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
});

test('from the library and from the palette; filters are offered, and completed', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(story(), { name: 'harbour', cwd: '/srv/my harbour' });
  await app.start();
  await indexed(program, 1);
  await app.filter.fill('foghorn');
  await expect(page.getByTestId('search-all')).toHaveText(/Search everything for “foghorn”/);
  await app.filter.press('Enter');
  await expect(field(page)).toHaveValue('foghorn');
  await expect(hit(page, id)).toBeVisible();

  // As fast as nobody types: what is pressed behind Escape is not closed with the search.
  const left = page.evaluate(
    () => new Promise<void>((resolve) => void addEventListener('hashchange', () => resolve())),
  );
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    press({ key: 'Escape', code: 'Escape' });
    press({ key: 'k', code: 'KeyK', ctrlKey: true });
  });
  await left;
  await page.getByTestId('palette-field').fill('search everything');
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeFocused();
  await field(page).fill('foghorn pro');
  await page.getByTestId('search-hints').getByRole('button', { name: 'project:' }).click();
  await expect(field(page)).toHaveValue('foghorn project:');
  await page.getByTestId('search-hints').getByRole('button', { name: 'my harbour' }).click();
  await expect(field(page)).toHaveValue('foghorn project:"my harbour" ');
  await expect(field(page)).toBeFocused();
  await expect(hit(page, id)).toBeVisible();
  await page.keyboard.type('/[/');
  await page.getByRole('button', { name: 'Regular expression' }).click();
  await expect(page.getByTestId('search-notes')).toContainText('no regular expression');
  await look(page, 'FOG.ORN');
  await expect(hit(page, id)).toBeVisible();
  await page.getByRole('button', { name: 'Mind upper and lower case' }).click();
  await expect(page.getByTestId('search-nothing')).toContainText('within one message');
  await expect(page.getByTestId('search-nothing')).not.toContainText('spelling');
  await page.getByRole('button', { name: 'Ignore upper and lower case' }).click();
  await expect(hit(page, id)).toBeVisible();
});

test('one that is asked for right behind the end of another opens', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(story(), { name: 'harbour' }));
  await search(app, 'foghorn');
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
    press({ key: 'Escape', code: 'Escape' });
    press({ key: 'F', code: 'KeyF', ctrlKey: true, shiftKey: true });
  });
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search')).toHaveCount(0);
  await expect(app.message(1)).toBeVisible();
});

test('searches are saved, renamed and deleted, and that is undone', async ({ app, home, program }) => {
  const { page } = app;
  home.session(story(), { name: 'harbour' });
  await app.start();
  await indexed(program, 1);
  await search(app, 'foghorn');
  await page.getByTestId('scope-user').click();
  await page.getByRole('button', { name: 'Mind upper and lower case' }).click();
  await page.getByTestId('save-search').click();
  await expect(page.getByRole('button', { name: 'This search is saved' })).toBeVisible();
  await field(page).fill('');
  const saved = page.getByTestId('saved-search');
  await expect(saved).toHaveCount(1);
  await saved.getByRole('button', { name: 'Rename' }).click();
  await page.keyboard.type('none of it');
  await page.keyboard.press('Escape');
  await expect(saved.getByRole('button').first()).toBeFocused();
  await expect(saved).not.toContainText('none of it');
  await saved.getByRole('button', { name: 'Rename' }).click();
  await page.keyboard.type('noise');
  await page.keyboard.press('Enter');
  await expect(saved).toContainText('noise');
  await expect(saved.getByRole('button').first()).toBeFocused();
  expect(home.desk('searches')).not.toContain('none of it');
  await expect.poll(() => home.desk('searches')).toContain('"name":"noise","q":"foghorn scope:user"');
  await page.reload();
  await saved.getByRole('button', { name: 'noise', exact: true }).click();
  await expect(field(page)).toHaveValue('foghorn scope:user');
  await expect(page.getByRole('button', { name: 'Mind upper and lower case' })).toHaveAttribute('aria-pressed', 'true');
  await expect(hits(page)).toHaveCount(1);
  await field(page).fill('');
  await saved.getByRole('button', { name: 'Delete' }).click();
  await expect(saved).toHaveCount(0);
  await expect(field(page)).toBeFocused();
  await app.toast.getByRole('button', { name: 'Undo' }).click();
  await expect(saved).toContainText('noise');
});
