import { App } from './support/app';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { records, textOf } from './support/recorded';
import { expect, test } from './support/test';

test.use({ withModel: true });

test('what is written while a message is on its way', async ({ app, home, model, program, browser }) => {
  const { page } = app;
  const composer = new Composer(page);

  await test.step('what is written while a conversation is being made goes on in it', async () => {
    await app.start();
    await page.keyboard.press('n');
    await expect(page.getByTestId('new-conversation')).toBeVisible();
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (free = resolve));
    await page.route(/\/api\/sessions$/, async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    const reply = model.reply();
    await composer.send('One.');
    await composer.send('Two.');
    await composer.field.pressSequentially('half a th');
    free();
    await reply.asked;
    await expect(composer.queued).toContainText('Two.');
    await expect(composer.field).toHaveValue('half a th');
    await expect(composer.field).toBeFocused();
    await page.keyboard.type('ought');
    await expect(composer.field).toHaveValue('half a thought');
    const [id = ''] = home.ids();
    model.says('Second.');
    reply.text('First.').done();
    await expect(app.message(4)).toContainText('Second.');
    expect(records(home, id).map(textOf)).toEqual(['One.', 'First.', 'Two.', 'Second.']);
  });

  await test.step('Enter while the message before it is on its way: it is shown as waiting, and goes next', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (free = resolve));
    await page.route('**/messages', async (route) => {
      await held;
      await route.continue();
    });
    const first = model.reply();
    await composer.send('One.');
    await composer.send('Two.');
    await composer.field.pressSequentially('half a th');
    await expect(composer.said).toContainText('One.');
    await expect(page.getByTestId('leaving')).toContainText('Two.');
    await expect(page.getByTestId('leaving')).toContainText('Sending');
    free();
    await first.asked;
    await expect(composer.queued).toContainText('Two.');
    await expect(page.getByTestId('leaving')).toHaveCount(0);
    await expect(composer.field).toHaveValue('half a th');
    model.says('Second.');
    first.text('First.').done();
    await expect(app.message(6)).toContainText('Second.');
    expect(records(home, id).map(textOf).slice(2)).toEqual(['One.', 'First.', 'Two.', 'Second.']);
    await page.unroute('**/messages');
  });

  await test.step('gone elsewhere and back while a message is on its way, it is on its way still', async () => {
    const id = home.session(conversation(2));
    const other = home.session(conversation(4, '2026-11-19T09:00:00Z'));
    await app.go(id);
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (free = resolve));
    await page.route('**/messages', async (route) => {
      await held;
      await route.continue();
    });
    await composer.send('One.');
    await composer.field.pressSequentially('half a th');
    await app.link(other).click();
    await expect(app.message(4)).toBeVisible();
    await expect(composer.field).toHaveValue('');
    await app.link(id).click();
    await expect(composer.said).toContainText('One.');
    await expect(composer.field).toHaveValue('half a th');
    model.says('First.');
    free();
    await expect(app.message(4)).toContainText('First.');
    await expect(composer.field).toHaveValue('half a th');
    expect(records(home, id).map(textOf).slice(2)).toEqual(['One.', 'First.']);
    await page.unroute('**/messages');
  });

  await test.step('a window that goes as its message is taken: it comes back into no field, and is on its way nowhere', async () => {
    const id = home.session(conversation(2));
    // A message goes when it is told to, and the window never hears what became of it.
    await page.addInitScript(() => {
      const { fetch } = window;
      window.fetch = (input, init) =>
        String(input).endsWith('/messages')
          ? new Promise(() => Object.assign(window, { take: async () => void (await fetch(input, init)) }))
          : fetch(input, init);
    });
    await app.go(id);
    await page.reload();
    const context = await browser.newContext();
    const there = new App(await context.newPage(), program);
    await there.open(id);
    const elsewhere = there.page.getByTestId('leaving');
    const reply = model.reply();
    await composer.send('One.');
    await expect(elsewhere).toContainText('One.');
    await page.evaluate(() => (window as unknown as { take: () => Promise<void> }).take());
    await page.reload();
    await expect(elsewhere).toHaveCount(0);
    reply.text('First.').done();
    for (const one of [app, there]) {
      await expect(one.message(4)).toContainText('First.');
      await expect(new Composer(one.page).field).toHaveValue('');
    }
    expect(records(home, id).map(textOf).slice(2)).toEqual(['One.', 'First.']);
    await context.close();
  });
});
