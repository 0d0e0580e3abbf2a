import { type Browser, type Page } from '@playwright/test';
import { App } from './support/app';
import { attach, named, thumbnails } from './support/attach';
import { Composer } from './support/composer';
import type { Home } from './support/home';
import { conversation } from './support/log';
import { PNG } from './support/pictures';
import { Program } from './support/program';
import { expect, test } from './support/test';

const MESSAGES = /\/messages$/;

interface Given {
  home: Home;
  program: Program;
  app: App;
  options: { env: NodeJS.ProcessEnv };
}

/** A window in which a message with an image is about to be sent, to a conversation that is there or to a new one. */
async function about(home: Home, browser: Browser, url: string, model: string, id: string | null): Promise<Given> {
  const options = { env: { PALIMPSEST_BASE_URL: url, PALIMPSEST_MODEL: model } };
  const program = await Program.start(home.dir, options);
  const app = new App(await (await browser.newContext()).newPage(), program);
  if (id) await app.open(id);
  else {
    await app.start();
    await app.page.keyboard.press('n');
  }
  await new Composer(app.page).field.fill('Look at this.');
  await attach(app.page, named('pier.png', PNG));
  await expect(thumbnails(app.page)).toHaveCount(1);
  return { home, program, app, options };
}

/** The page ends as when the system takes it away: it can say nothing more. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
  await page.context().close();
}

/** Sends it, with an answer that the window never gets. */
async function sendUnanswered(page: Page): Promise<void> {
  const taken = new Promise<void>((resolve) => {
    void page.route(MESSAGES, async (route) => {
      await route.fetch();
      resolve();
    });
  });
  await page.keyboard.press('Escape');
  await new Composer(page).field.press('Enter');
  await taken;
}

async function unsent(page: Page): Promise<unknown> {
  return [await new Composer(page).field.inputValue(), await thumbnails(page).count()];
}

for (const fresh of [false, true]) {
  test(`what was taken is not given back where window and program go at that moment, ${fresh ? 'the first message of all' : 'in a conversation'}`, async ({
    home,
    browser,
    model,
  }) => {
    const id = fresh ? null : home.session(conversation(2));
    const { program, app, options } = await about(home, browser, model.url, model.models[0] ?? '', id);
    model.reply();
    await sendUnanswered(app.page);
    await crash(app.page);
    await program.kill();

    const second = await Program.start(home.dir, options);
    const again = new App(await (await browser.newContext()).newPage(), second);
    await again.start();
    if (id) await again.go(id);
    else await again.library.getByTestId('session-row').getByRole('link').first().click();
    await expect(again.message(fresh ? 1 : 3)).toContainText('Look at this.');
    await expect(again.message(fresh ? 1 : 3).getByRole('img', { name: 'pier.png' })).toBeVisible();
    await again.settled();
    expect(await unsent(again.page)).toEqual(['', 0]);
    if (fresh) {
      await again.page.keyboard.press('n');
      await expect(new Composer(again.page).field).toBeFocused();
      expect(await unsent(again.page)).toEqual(['', 0]);
    }
    await again.page.context().close();
    await second.stop();
  });

  test(`what was not taken is there where window and program go at that moment, ${fresh ? 'the first message of all' : 'in a conversation'}`, async ({
    home,
    browser,
    model,
  }) => {
    const id = fresh ? null : home.session(conversation(2));
    const { program, app, options } = await about(home, browser, model.url, model.models[0] ?? '', id);
    const asked = new Promise<void>((resolve) => void app.page.route(MESSAGES, () => resolve()));
    await new Composer(app.page).field.press('Enter');
    await asked;
    await crash(app.page);
    await program.kill();

    const second = await Program.start(home.dir, options);
    const again = new App(await (await browser.newContext()).newPage(), second);
    await again.start();
    if (id) await again.go(id);
    else await again.library.getByTestId('session-row').getByRole('link').first().click();
    await expect(new Composer(again.page).field).toHaveValue('Look at this.');
    await expect(thumbnails(again.page)).toHaveCount(1);
    await again.page.context().close();
    await second.stop();
  });
}

for (const taken of [true, false]) {
  test(`a message ${taken ? 'that was taken' : 'that was not taken'} as the program was killed is ${taken ? 'sent' : 'in the field again'} once it runs`, async ({
    home,
    browser,
    model,
  }) => {
    const id = home.session(conversation(2));
    const { program, app, options } = await about(home, browser, model.url, model.models[0] ?? '', id);
    model.reply();
    const listen = new URL(program.origin).host;
    const cut = new Promise<void>((resolve) => {
      void app.page.route(MESSAGES, async (route) => {
        if (taken) await route.fetch();
        await program.kill();
        await route.abort('connectionreset');
        resolve();
      });
    });
    await new Composer(app.page).field.press('Enter');
    await cut;
    await expect(app.page.getByTestId('banner')).toContainText('does not answer');
    await app.page.unroute(MESSAGES);
    const second = await Program.start(home.dir, { ...options, listen });
    await expect(app.page.getByTestId('banner')).not.toContainText('does not answer', { timeout: 20_000 });
    const { field, failure } = new Composer(app.page);
    if (taken) {
      await expect(app.message(3)).toContainText('Look at this.');
      await expect.poll(() => unsent(app.page)).toEqual(['', 0]);
      await expect.poll(() => home.desk(`unsent.${id}`)).toBe('');
      await expect.poll(() => home.desk(`attached.${id}`)).toBe('');
    } else {
      await expect(field).toHaveValue('Look at this.');
      await expect(thumbnails(app.page)).toHaveCount(1);
      await expect(failure).toContainText('did not arrive');
      await expect(failure).not.toContainText('does not answer');
    }
    await app.page.context().close();
    await second.stop();
  });
}

for (const [taken, title] of [
  [true, 'a message that was taken is sent'],
  [false, 'a message that was not taken is in the field again'],
] as const) {
  test(`${title} where a gateway answers for the program that it is away`, async ({ home, browser, model }) => {
    const id = home.session(conversation(2));
    const { program, app } = await about(home, browser, model.url, model.models[0] ?? '', id);
    model.reply();
    await app.page.route(MESSAGES, async (route) => {
      if (taken) await route.fetch();
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
    });
    await new Composer(app.page).field.press('Enter');
    const { failure } = new Composer(app.page);
    if (taken) {
      await expect(app.message(3)).toContainText('Look at this.');
      await expect.poll(() => unsent(app.page)).toEqual(['', 0]);
      await expect.poll(() => home.desk(`unsent.${id}`)).toBe('');
      await expect(failure).toHaveCount(0);
    } else {
      await expect(failure).toContainText('did not arrive');
      await expect.poll(() => unsent(app.page)).toEqual(['Look at this.', 1]);
    }
    await app.page.context().close();
    await program.stop();
  });
}

for (const taken of [true, false]) {
  test(`what a window was sending that is gone with its program is ${taken ? 'sent' : 'in the field'} in the window beside it once that runs again`, async ({
    home,
    browser,
    model,
  }) => {
    const id = home.session(conversation(2));
    const { program, app, options } = await about(home, browser, model.url, model.models[0] ?? '', id);
    const beside = new App(await (await browser.newContext()).newPage(), program);
    await beside.open(id);
    await expect(new Composer(beside.page).field).toHaveValue('Look at this.');
    model.reply();
    const listen = new URL(program.origin).host;
    const leaving = beside.page.getByTestId('leaving');
    const asked = new Promise<void>((resolve) => {
      void app.page.route(MESSAGES, async (route) => {
        await expect(leaving).toContainText('Look at this.');
        if (taken) await route.fetch();
        resolve();
      });
    });
    await new Composer(app.page).field.press('Enter');
    await asked;
    await crash(app.page);
    await program.kill();
    await expect(beside.page.getByTestId('banner')).toContainText('does not answer');

    const second = await Program.start(home.dir, { ...options, listen });
    await expect(beside.page.getByTestId('banner')).not.toContainText('does not answer', { timeout: 20_000 });
    await expect(leaving).toHaveCount(0);
    await expect.poll(() => unsent(beside.page)).toEqual(taken ? ['', 0] : ['Look at this.', 1]);
    if (taken) await expect(beside.message(3)).toContainText('Look at this.');
    if (!taken) await expect.poll(() => home.desk(`unsent.${id}`)).not.toContain('sending');
    await beside.page.context().close();
    await second.stop();
  });
}

const MAKING = /\/api\/sessions$/;

for (const made of [true, false]) {
  test(`a message whose conversation ${made ? 'was just made' : 'was not made yet'} as window and program went stands ${made ? 'there' : 'where the next one begins'}, and there is no empty one`, async ({
    home,
    browser,
    model,
  }) => {
    const { program, app, options } = await about(home, browser, model.url, model.models[0] ?? '', null);
    const asked = new Promise<void>((resolve) => {
      void app.page.route(MAKING, async (route) => {
        if (made) await route.fetch();
        resolve();
      });
    });
    await new Composer(app.page).field.press('Enter');
    await asked;
    await crash(app.page);
    await program.kill();

    const second = await Program.start(home.dir, options);
    const again = new App(await (await browser.newContext()).newPage(), second);
    await again.start();
    const rows = again.library.getByTestId('session-row');
    await expect(rows).toHaveCount(made ? 1 : 0);
    if (made) await rows.getByRole('link').click();
    else await again.page.keyboard.press('n');
    await expect.poll(() => unsent(again.page)).toEqual(['Look at this.', 1]);
    if (made) {
      await again.page.keyboard.press('n');
      await expect(again.page.getByTestId('folder')).toBeVisible();
      expect(await unsent(again.page)).toEqual(['', 0]);
    }
    await again.page.context().close();
    await second.stop();
  });
}

test('a conversation that was made without an answer that says so is made once, and its message sent', async ({
  home,
  browser,
  model,
}) => {
  const { program, app } = await about(home, browser, model.url, model.models[0] ?? '', null);
  let asked = 0;
  await app.page.route(MAKING, async (route) => {
    asked++;
    if (asked > 1) return route.continue();
    await route.fetch();
    return route.fulfill({ status: 504, contentType: 'text/html', body: '<h1>Gateway Timeout</h1>' });
  });
  model.says('A pier.');
  await new Composer(app.page).field.press('Enter');
  await expect(app.message(2)).toContainText('A pier.', { timeout: 20_000 });
  await expect(app.message(1).getByRole('img', { name: 'pier.png' })).toBeVisible();
  await expect(app.library.getByTestId('session-row')).toHaveCount(1);
  await expect.poll(() => unsent(app.page)).toEqual(['', 0]);
  await app.page.context().close();
  await program.stop();
});
