import type { Browser, Page } from '@playwright/test';
import { App } from './support/app';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { Program, TOKEN } from './support/program';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

const editor = (page: Page) => page.getByTestId('editor');
const panel = (page: Page, name: string) => page.getByRole('complementary', { name });
const widthOf = async (page: Page, name: string) => Math.round((await panel(page, name).boundingBox())?.width ?? 0);

/** Another window: nothing of the browser's own is shared with the first. */
async function elsewhere(browser: Browser, program: Program): Promise<App> {
  const context = await browser.newContext();
  return new App(await context.newPage(), program);
}

test('the next window opens where the last one was reading, looking as it was left', async ({
  app,
  home,
  browser,
  program,
}) => {
  const { page } = app;
  const id = home.session(conversation(200), { name: 'harbour' });
  home.session(conversation(3), { name: 'newer' });
  await app.open(id);
  await app.go(id, 60);
  await page.getByTestId('theme').click();
  const splitter = page.getByRole('separator', { name: 'Width of the library' });
  await splitter.focus();
  for (let n = 0; n < 4; n++) await page.keyboard.press('ArrowRight');
  expect(await widthOf(page, 'Library')).toBe(336);
  await app.log.hover();
  await page.mouse.wheel(0, -2000);
  await app.settled();
  const seq = await app.log.evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    const rows = [...log.querySelectorAll('article')];
    return Number(rows.find((row) => row.getBoundingClientRect().bottom > top + 1)?.dataset.seq);
  });
  expect(seq).toBeLessThan(60);
  await expect.poll(() => home.desk('place')).toBe(JSON.stringify({ session: id, seq }));
  await expect.poll(() => home.desk('view')).toContain('336');

  const next = await elsewhere(browser, program);
  await next.visit();
  await expect(next.page.getByTestId('title')).toHaveText('harbour');
  await expect(next.message(seq)).toBeInViewport();
  await next.settled();
  const top = (await next.log.boundingBox())?.y ?? 0;
  expect(Math.abs(((await next.message(seq).boundingBox())?.y ?? 0) - top), 'it stands on top').toBeLessThan(200);
  await expect(next.page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect.poll(() => widthOf(next.page, 'Library')).toBe(336);
  await next.page.context().close();
});

test('whoever was at the end, or at home, is there again', async ({ app, home, browser, program }) => {
  const id = home.session(conversation(60), { name: 'harbour' });
  await app.open(id);
  await expect.poll(() => home.desk('place')).toContain(id);
  let next = await elsewhere(browser, program);
  await next.visit();
  await expect(next.message(60)).toBeInViewport();
  await next.page.goto(`${program.origin}/#/`);
  await expect.poll(() => home.desk('place')).toBe('');
  await next.page.context().close();
  next = await elsewhere(browser, program);
  await next.visit();
  await expect(next.page.getByTestId('title')).toHaveText('Palimpsest');
  await next.page.context().close();
});

test('each conversation is found where it was left', async ({ app, home, browser, program }) => {
  const ids = ['one', 'two'].map((name) => home.session(conversation(200), { name }));
  const [one = '', two = ''] = ids;
  await app.open(one);
  for (const [id, seq] of [
    [one, 60],
    [two, 120],
  ] as const) {
    await app.go(id, seq);
    await app.log.hover();
    await app.page.mouse.wheel(0, -300);
    await app.settled();
    await expect.poll(() => home.desk(`place.${id}`)).toContain('"seq"');
  }
  const next = await elsewhere(browser, program);
  await next.start();
  for (const id of ids) {
    const { seq } = JSON.parse(home.desk(`place.${id}`)) as { seq: number };
    // The address alone, as a page that is loaded anew has it.
    await next.page.goto('about:blank');
    await next.go(id);
    await expect(next.message(seq)).toBeInViewport();
  }
  await next.page.context().close();
});

test('a panel is made wider by the mouse, within bounds, and back to usual', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(conversation(3)));
  const splitter = page.getByRole('separator', { name: 'Width of the context' });
  const drag = async (by: number) => {
    const box = await splitter.boundingBox();
    if (!box) throw new Error('no border');
    const [x, y] = [box.x + box.width / 2, box.y + 200];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + by, y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(-60);
  expect(await widthOf(page, 'Context')).toBe(376);
  await drag(900);
  expect(await widthOf(page, 'Context')).toBe(260);
  await expect(splitter).toHaveAttribute('aria-valuenow', '260');
  await splitter.dblclick();
  expect(await widthOf(page, 'Context')).toBe(316);
});

test('what was written and not sent survives a reload, and a program that is killed', async ({
  home,
  browser,
  model,
}) => {
  const id = home.session(conversation(4));
  const options = { env: { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } };
  const first = await Program.start(home.dir, options);
  const app = await elsewhere(browser, first);
  await app.open(id);
  await new Composer(app.page).field.fill('half a thought\nof two lines');
  await expect.poll(() => home.desk(`unsent.${id}`)).toBe('"half a thought\\nof two lines"');
  await app.page.reload();
  await expect(new Composer(app.page).field).toHaveValue('half a thought\nof two lines');
  await first.kill();
  await app.page.context().close();

  const second = await Program.start(home.dir, options);
  const again = await elsewhere(browser, second);
  await again.open(id);
  await expect(new Composer(again.page).field).toHaveValue('half a thought\nof two lines');
  await new Composer(again.page).field.fill('');
  await expect.poll(() => home.desk(`unsent.${id}`)).toBe('');
  await again.page.context().close();
  await second.stop();
});

test('what is written while the program does not answer stays, and lies there once it does', async ({
  home,
  browser,
  model,
}) => {
  const id = home.session(conversation(4));
  const options = { env: { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } };
  const first = await Program.start(home.dir, options);
  const app = await elsewhere(browser, first);
  await app.open(id);
  const { field } = new Composer(app.page);
  await field.fill('first half');
  await expect.poll(() => home.desk(`unsent.${id}`)).toBe('"first half"');
  await first.kill();
  await field.fill('first half, second half');
  await expect(app.page.getByTestId('banner')).toContainText('does not answer');
  const listen = new URL(first.origin).host;
  const second = await Program.start(home.dir, { ...options, listen });
  await expect(app.page.getByTestId('banner')).not.toContainText('does not answer', { timeout: 20_000 });
  await expect.poll(() => home.desk(`unsent.${id}`)).toBe('"first half, second half"');
  await expect(field).toHaveValue('first half, second half');
  await app.page.context().close();
  await second.stop();
});

test('a first message that was not sent is there for whoever signs in by hand', async ({ home, browser, model }) => {
  const options = { env: { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } };
  const program = await Program.start(home.dir, options);
  await program.put('desk/unsent', 'precious');
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(program.origin);
  await page.getByRole('textbox').fill(TOKEN);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('filter')).toBeVisible();
  await page.keyboard.press('n');
  const { field } = new Composer(page);
  await expect(field).toHaveValue('precious');
  await field.press('End');
  await field.pressSequentially('!');
  await expect.poll(() => home.desk('unsent')).toBe('"precious!"');
  await context.close();
  await program.stop();
});

test('a draft that was being written when the program was killed is there as far as it came', async ({
  home,
  browser,
  model,
}) => {
  const id = home.session(conversation(40));
  const options = { env: { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } };
  const first = await Program.start(home.dir, options);
  const app = await elsewhere(browser, first);
  await app.open(id);
  await app.page.getByTestId('compact').click();
  const words = 'These words must not be lost. '.repeat(40);
  model.reply().text(`## Goal\n${words}`);
  await app.page.getByTestId('write').click();
  await expect.poll(() => home.desk(`review.${id}`)).toContain('must not be lost');
  await first.kill();
  await app.page.context().close();

  const second = await Program.start(home.dir, options);
  const again = await elsewhere(browser, second);
  await again.open(id);
  await again.page.getByTestId('compact').click();
  await expect(editor(again.page)).toHaveValue(/must not be lost/);
  await expect(again.page.getByTestId('draft-notes')).toContainText('The program ended while this was written');
  await again.page.getByTestId('accept').click();
  await expect(again.page.getByTestId('compaction-band')).toContainText('must not be lost');
  await again.page.context().close();
  await second.stop();
});

test('a draft of a compaction survives a reload, and a program that is killed', async ({ home, browser }) => {
  const id = home.session(conversation(40));
  const first = await Program.start(home.dir);
  const app = await elsewhere(browser, first);
  await app.open(id);
  await app.page.getByTestId('compact').click();
  await expect(editor(app.page)).toHaveValue(/## Goal/);
  await editor(app.page).fill('My own summary.');
  await expect.poll(() => home.desk(`review.${id}`)).toContain('My own summary.');
  await app.page.reload();
  await expect(editor(app.page)).toHaveValue('My own summary.');
  await first.kill();
  await app.page.context().close();

  const second = await Program.start(home.dir);
  const again = await elsewhere(browser, second);
  await again.open(id);
  await expect(again.page.getByTestId('compact')).toContainText('draft');
  await again.page.getByTestId('compact').click();
  await expect(editor(again.page)).toHaveValue('My own summary.');
  await again.page.getByTestId('accept').click();
  await expect(again.page.getByTestId('compaction-band')).toContainText('My own summary.');
  await expect.poll(() => home.desk(`review.${id}`)).toBe('');
  await again.page.context().close();
  await second.stop();
});

shared(
  'a draft that waits, waits in every window, until it is accepted in one',
  async ({ app, home, browser, program }) => {
    const id = home.session(conversation(40));
    await app.open(id);
    const other = await elsewhere(browser, program);
    await other.open(id);
    await app.page.getByTestId('compact').click();
    await editor(app.page).fill('Half a thought.');
    await expect(other.page.getByTestId('compact')).toContainText('draft');
    await app.page.getByTestId('accept').click();
    await expect(other.page.getByTestId('compaction-band')).toContainText('Half a thought.');
    await expect(other.page.getByTestId('compact')).not.toContainText('draft');
    await other.page.context().close();
  },
);

test.describe(() => {
  test.use({ withModel: true });

  test('two windows stay in step', async ({ app, home, browser, program }) => {
    const id = home.session(conversation(40));
    await app.open(id);
    const other = await elsewhere(browser, program);
    await other.open(id);
    const [here, there] = [new Composer(app.page), new Composer(other.page)];
    await here.field.fill('from here');
    await expect(there.field).toHaveValue('from here');
    await there.field.fill('from there');
    await expect(here.field).toHaveValue('from there');
    await here.field.fill('');
    await expect(there.field).toHaveValue('');

    await app.page.getByTestId('theme').click();
    await expect(other.page.locator('html')).toHaveAttribute('data-theme', 'light');

    await other.page.context().close();
  });

  test('says once that the disk keeps nothing, and goes on', async ({ app, home }) => {
    const id = home.session(conversation(4));
    await app.page.route('**/api/desk/unsent**', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 500,
            json: { error: { code: 'failed', message: 'no space left on device', hint: '' } },
          })
        : route.continue(),
    );
    await app.open(id);
    const { field } = new Composer(app.page);
    await field.fill('half a thought');
    await expect(app.toast).toContainText('No space left on device.');
    await field.fill('half a thought, longer');
    await expect(field).toHaveValue('half a thought, longer');
    await expect(app.page.getByTestId('toast')).toHaveCount(1);
  });
});
