import { readdirSync } from 'node:fs';
import type { Context, Session } from '../src/lib/backend';
import { expect, test } from './support/test';

test('an empty home says what the app is for, where the data lives, and asks for nothing', async ({ app, home }) => {
  const { page } = app;
  await app.start();
  await expect(page.getByRole('heading', { name: 'See what your agent still remembers' })).toBeVisible();
  await expect(page.getByTestId('home')).toContainText(`Your sessions live in ${home.dir}`);
  await expect(page.getByTestId('library-empty')).toContainText('No sessions yet');
  // Nothing to write into but the filter of the library.
  await expect(page.locator('textarea, [contenteditable], input:not([data-testid="filter"])')).toHaveCount(0);
  await expect(app.context).toHaveCount(0);
  expect(readdirSync(home.dir), 'looking writes nothing').toEqual([]);
});

test('one click opens a sample conversation with its compactions', async ({ app, home, program }) => {
  const { page } = app;
  await app.start();
  await page.getByTestId('add-sample').click();
  await app.settled();

  const [session] = await program.get<Session[]>('sessions');
  const id = session?.id ?? '';
  expect(home.ids()).toEqual([id]);
  expect(new URL(page.url()).hash).toBe(`#/s/${id}`);
  await expect(page.getByTestId('title')).toHaveText('fix flaky canary deploy');
  await expect(app.session(id)).toContainText('2 compactions');
  await expect(app.link(id)).toHaveAttribute('aria-current', 'page');

  // It opens at its end; the compactions are a click away.
  await expect(app.message(113)).toBeInViewport();
  const list = page.getByTestId('compaction');
  await expect(list).toHaveCount(2);
  await list.first().click();
  await expect(app.band(71)).toBeInViewport();
  await expect(app.band(71)).toHaveAttribute('data-state', 'inForce');
  await expect(app.message(70)).toHaveAttribute('data-state', 'kept');
  await list.last().click();
  await expect(app.band(34)).toBeInViewport();
  await expect(app.band(34)).toHaveAttribute('data-state', 'folded');

  const ink = (seq: number) => app.message(seq).evaluate((row) => getComputedStyle(row).color);
  await app.go(id, 62);
  await expect(app.message(62)).toHaveAttribute('data-state', 'superseded');
  const dimmed = await ink(62);
  expect(await ink(63), 'what the model no longer sees is dimmed').not.toBe(dimmed);

  await app.leave();
  await page.getByTestId('around').getByRole('button', { name: 'Compaction ledger' }).click();
  await expect(page.getByTestId('ledger-row')).toHaveCount(2);
});

test('the context panel of the sample shows the numbers of the program', async ({ app, program }) => {
  const { page } = app;
  await app.start();
  await page.getByTestId('add-sample').click();
  await app.settled();
  const [session] = await program.get<Session[]>('sessions');
  const { tokens, parts } = await program.get<Context>(`sessions/${session?.id}/context?messages=0`);
  const shown = (n: number) => n.toLocaleString('en');

  await expect(page.getByTestId('context-total')).toHaveText(
    `${shown(tokens.calibrated)} of ${shown(tokens.window)} tokens, assumed`, // as nobody knows its model
  );
  await expect(page.getByTestId('part-summary')).toContainText(shown(parts.summary));
  await expect(page.getByTestId('part-kept')).toContainText(shown(parts.kept));
  await expect(page.getByTestId('part-fresh')).toContainText(shown(parts.fresh));
  await expect(page.getByTestId('part-reserve')).toContainText(shown(tokens.reserve));
  expect(parts.injected + parts.summary + parts.kept + parts.fresh).toBe(tokens.calibrated);
});

test('settings that make no sense are named, and a theme changed in the file is applied at once', async ({
  app,
  home,
}) => {
  const { page } = app;
  home.config('theme: drak\n');
  await app.start();
  await expect(page.getByTestId('home').getByRole('heading', { name: 'Problems in the settings' })).toBeVisible();
  await expect(page.getByTestId('home')).toContainText('drak');
  home.config('theme: dark\n');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.getByTestId('home')).not.toContainText('drak');
});

test('the theme changes with a button and stays after a reload', async ({ app }) => {
  const { page } = app;
  await app.start();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const theme = page.getByTestId('theme');
  await expect(theme).toHaveAccessibleName('Theme: as the system');
  const light = await ground();
  await theme.click();
  await expect(theme).toHaveAccessibleName('Theme: light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await ground()).toBe(light);
  await theme.click();
  await expect(theme).toHaveAccessibleName('Theme: dark');
  await expect.poll(ground).not.toBe(light);
  await page.reload();
  await expect(theme).toHaveAccessibleName('Theme: dark');
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await ground();
  await theme.click();
  await expect(theme).toHaveAccessibleName('Theme: as the system');
  expect(await ground(), 'as the system, which is dark now').toBe(dark);
});
