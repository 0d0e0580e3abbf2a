import type { Browser, Page } from '@playwright/test';
import { App } from './support/app';
import { conversation } from './support/log';
import type { Program } from './support/program';
import { expect, test } from './support/shared';

const editor = (page: Page) => page.getByTestId('editor');
const review = (page: Page) => page.getByTestId('review');

async function elsewhere(browser: Browser, program: Program): Promise<App> {
  const context = await browser.newContext();
  return new App(await context.newPage(), program);
}

test('a review that is open in two windows is one', async ({ app, home, browser, program }) => {
  const id = home.session(conversation(40));
  await app.open(id);
  await app.page.getByTestId('compact').click();
  await editor(app.page).fill('From the first.');
  const other = await elsewhere(browser, program);
  await other.open(id);
  await other.page.getByTestId('compact').click();
  await expect(editor(other.page)).toHaveValue('From the first.');
  await editor(other.page).fill('From the second.');
  await expect(editor(app.page)).toHaveValue('From the second.');

  await other.page.getByTestId('discard').click();
  await expect(review(other.page)).toHaveCount(0);
  // Nobody is sent away: the first begins anew.
  await expect(editor(app.page)).toHaveValue(/## Goal/);
  await expect.poll(() => home.desk(`review.${id}`)).toBe('');
  await other.page.context().close();
});

test('what was asked of the summary is there after a reload', async ({ app, home }) => {
  const id = home.session(conversation(40));
  await app.open(id);
  await app.page.getByTestId('compact').click();
  const instructions = app.page.getByTestId('instructions');
  await instructions.fill('Keep every name.');
  await expect.poll(() => home.desk(`review.${id}`)).toContain('Keep every name.');
  await app.page.reload();
  await expect(instructions).toHaveValue('Keep every name.');
});

for (const broken of [[], 'text', { cut: 'x', summary: 7 }, { versions: [{}], at: 99 }]) {
  test(`a draft that lies there as ${JSON.stringify(broken)} takes nothing with it`, async ({ app, home, program }) => {
    const id = home.session(conversation(40));
    await program.put(`desk/review.${id}`, broken);
    await app.open(id);
    await app.page.getByTestId('compact').click();
    await expect(editor(app.page)).toHaveValue(/## Goal/);
    await editor(app.page).fill('My own.');
    await app.page.getByTestId('accept').click();
    await expect(app.page.getByTestId('compaction-band')).toContainText('My own.');
  });
}
