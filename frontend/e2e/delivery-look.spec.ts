import type { Browser, Page } from '@playwright/test';
import { App } from './support/app';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import { Program } from './support/program';
import { expect, test } from './support/test';

const MESSAGES = /\/messages$/;

const windowOf = async (browser: Browser, program: Program) =>
  new App(await (await browser.newContext()).newPage(), program);

/** Nothing that is sent from there arrives; settles once something was sent. */
function unheard(page: Page, first: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  return new Promise((asked) => {
    void page.route(MESSAGES, async (route) => {
      await first();
      await route.abort('connectionreset').catch(() => undefined);
      asked();
    });
  });
}

test.describe('a message that may not have arrived', { tag: '@look' }, () => {
  test('says so, and what became of it once that is known', async ({ home, browser, model }) => {
    test.slow();
    const id = home.session(conversation(6), { name: 'harbour' });
    const env = { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] };
    const first = await Program.start(home.dir, { env });
    const listen = new URL(first.origin).host;
    const app = await windowOf(browser, first);
    const { page } = app;
    const { field, failure, said } = new Composer(page);
    const banner = page.getByTestId('banner');
    await app.open(id);
    const asked = unheard(page, () => first.kill());
    await field.fill('Is the harbour lit?');
    await field.press('Enter');
    await asked;
    await expect(said.getByTestId('in-doubt')).toContainText('Not known yet whether it arrived');
    await expect(banner).toContainText('does not answer');
    // Something else is written meanwhile: that it is not kept is told, and no longer once it is.
    await field.fill('And the pier?');
    await expect(app.toast).toContainText('not being kept');
    await app.toast.hover();
    await looks(page, 'message-unheard');
    await page.unroute(MESSAGES);

    // It comes back with no model chosen.
    const second = await Program.start(home.dir, { listen });
    await app.reconnected();
    await expect(failure).toContainText('did not arrive');
    await expect(failure).not.toContainText('does not answer');
    await expect(app.toast).toHaveCount(0);
    await expect(page.getByTestId('connect')).toBeVisible();
    await expect(field).toHaveValue('Is the harbour lit?\n\nAnd the pier?');
    await expect(page.getByTestId('send-again')).toHaveCount(0);
    await looks(page, 'message-without-model');
    await second.stop();
    await expect(banner).toContainText('does not answer');

    const third = await Program.start(home.dir, { listen, env });
    await app.reconnected();
    await expect(page.getByTestId('send-again')).toBeVisible();
    await looks(page, 'message-not-taken');
    model.says('Both are.');
    await page.getByTestId('send-again').click();
    await expect(app.message(8)).toContainText('Both are.');
    await expect(failure).toHaveCount(0);
    await page.context().close();
    await third.stop();
  });

  test('is seen in the window beside it', async ({ home, browser, model }) => {
    const id = home.session(conversation(6), { name: 'harbour' });
    const env = { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] };
    const program = await Program.start(home.dir, { env });
    const [here, beside] = [await windowOf(browser, program), await windowOf(browser, program)];
    await here.open(id);
    await beside.open(id);
    let go: () => void = () => undefined;
    const asked = unheard(here.page, () => new Promise((resolve) => (go = resolve)));
    await new Composer(here.page).field.fill('Is the harbour lit?');
    await new Composer(here.page).field.press('Enter');
    const leaving = beside.page.getByTestId('leaving');
    await expect(leaving).toContainText('Sending');
    await looks(beside.page, 'message-sent-elsewhere');
    await program.kill();
    await expect(leaving).toContainText('Not known yet whether it arrived');
    go();
    await asked;
    await here.page.context().close();
    await beside.page.context().close();
  });
});
