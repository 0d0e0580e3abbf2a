import type { Locator } from '@playwright/test';
import { compacted } from './support/log';
import { picture } from './support/look';
import { expect, test } from './support/test';

test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

const style = (of: Locator, name: 'backgroundColor' | 'outlineStyle' | 'borderTopStyle', pseudo = '') =>
  of.evaluate((element, [what, part]) => getComputedStyle(element, part)[what], [name, pseudo] as const);

test(
  'in colours that the system chooses, what is on, chosen or drawn can be told',
  { tag: '@look' },
  async ({ app, home }) => {
    const { page } = app;
    const id = home.session(compacted());
    await app.open(id);
    expect(await style(app.link(id), 'outlineStyle')).toBe('solid');
    expect(await style(page.getByTestId('shelf-sessions'), 'outlineStyle')).toBe('solid');
    expect(await style(page.getByTestId('shelf-trash'), 'outlineStyle')).toBe('none');
    expect(await style(app.band(9).locator('section'), 'borderTopStyle')).toBe('solid');
    const parts = app.context.locator('.bar i');
    const colours = await parts.evaluateAll((all) => all.map((part) => getComputedStyle(part).backgroundColor));
    expect(new Set(colours).size, 'each part of the context has its own').toBeGreaterThan(3);
    const track = page.getByTestId('view-model').locator('[aria-hidden]');
    expect(await style(track, 'backgroundColor')).not.toBe(await style(track, 'backgroundColor', '::after'));
    await picture(page, 'forced-colors-1440x900');

    const splitter = page.getByRole('separator').first();
    await splitter.focus();
    await page.keyboard.press('ArrowRight');
    expect(await style(splitter, 'outlineStyle'), 'where the focus is').toBe('solid');
    await page.keyboard.press('Control+k');
    expect(await style(page.getByTestId('palette-field'), 'outlineStyle')).toBe('solid');
    await page.keyboard.press('Escape');

    await page.keyboard.press('c');
    await expect(page.getByTestId('review')).toBeVisible();
    const tabs = page.getByRole('tab');
    await expect(tabs.first()).toHaveAttribute('aria-selected', 'true');
    expect(await style(tabs.first(), 'outlineStyle')).toBe('solid');
    expect(await style(tabs.nth(1), 'outlineStyle')).toBe('none');
  },
);

test.describe('of a dark system', () => {
  test.use({ colorScheme: 'dark' });

  test('what is drawn suits them, whichever theme was chosen', async ({ app, home }) => {
    home.config('theme: light\n');
    await app.open(home.session(compacted()));
    const drawn = () =>
      app.context.locator('.bar i').evaluateAll((all) => all.map((part) => getComputedStyle(part).backgroundColor));
    const chosen = await drawn();
    await app.page.getByTestId('theme').click();
    await expect(app.page.locator('html')).toHaveAttribute('data-theme', 'dark');
    expect(chosen).toEqual(await drawn());
  });
});
