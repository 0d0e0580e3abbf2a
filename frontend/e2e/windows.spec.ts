import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { App } from './support/app';
import { Composer } from './support/composer';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { compacted, conversation } from './support/log';
import type { Program } from './support/program';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

/** Another window of the same home: nothing of the browser's own is shared with the first. */
async function beside(browser: Browser, program: Program): Promise<App> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  return new App(await context.newPage(), program);
}

test('names, archive and trash are the same in both', async ({ app, home, browser, program }) => {
  const id = home.session(conversation(4), { name: 'harbour' });
  const other = home.session(conversation(2, '2026-11-19T09:00:00Z'), { name: 'mole' });
  await app.open(id);
  const there = await beside(browser, program);
  await there.open(id);
  await app.link(id).focus();
  await app.page.keyboard.press('F2');
  await app.page.getByTestId('rename').fill('lighthouse');
  await app.page.keyboard.press('Enter');
  await expect(there.session(id)).toContainText('lighthouse');
  await expect(there.page.getByTestId('title')).toHaveText('lighthouse');
  await expect(there.page).toHaveTitle(/^lighthouse/);

  await app.menu(other, 'Archive');
  await expect(there.session(other)).toHaveCount(0);
  await there.page.getByTestId('archived-too').click();
  await expect(there.session(other)).toContainText('archived');
  await there.menu(other, 'Unarchive');
  await expect(app.session(other)).toBeVisible();

  await app.menu(id, 'Move to trash');
  await expect(there.session(id)).toHaveCount(0);
  await expect(there.page.getByTestId('gone')).toBeVisible();
  for (const one of [app, there]) {
    await one.page.getByTestId('shelf-trash').click();
    await expect(one.session(id)).toBeVisible();
  }
  await there.session(id).getByTestId('restore').click();
  await expect(app.session(id), 'it is not in the trash any more').toHaveCount(0);
  await expect(app.message(4), 'it is open here, and back').toBeVisible();
  await app.page.getByTestId('shelf-sessions').click();
  await expect(app.session(id)).toBeVisible();
  await there.page.context().close();
});

test('what begins in one is listed in the other', async ({ app, home, browser, program }) => {
  const id = home.session(conversation(4), { name: 'harbour' });
  foreignFile(home, `${PROJECT}/b.jsonl`, claudeSession('b', 'Look at the sea.'));
  await app.start();
  const there = await beside(browser, program);
  await there.start();
  await app.menu(id, 'Fork');
  await app.settled();
  await expect(there.library).toContainText('harbour (fork #1)');
  foreignFile(home, `${PROJECT}/c.jsonl`, claudeSession('c', 'Look at the sky.'));
  for (const one of [app, there]) await expect(one.session('claudecode:c')).toBeVisible();
  await there.link('claudecode:c').focus();
  await there.page.keyboard.press('o');
  for (const one of [app, there]) await expect(one.session('claudecode:c')).toContainText('copy kept');
  await there.page.context().close();
});

test('colours, size, panels and the order of the library are the same in both', async ({
  app,
  home,
  browser,
  program,
}) => {
  const id = home.session(conversation(4), { name: 'harbour', cwd: '/srv/harbour' });
  await app.open(id);
  const there = await beside(browser, program);
  await there.open(id);
  await app.page.keyboard.press('Alt+2');
  await expect(there.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await there.page.keyboard.press('Control+=');
  const zoom = () => app.page.evaluate(() => document.documentElement.style.zoom);
  await expect.poll(zoom).toBe('1.1');
  await there.page.keyboard.press('Control+0');
  await expect.poll(zoom).toBe('1');
  const splitter = app.page.getByRole('separator', { name: 'Width of the library' });
  await splitter.focus();
  await app.page.keyboard.press('ArrowRight');
  const wide = Number(await splitter.getAttribute('aria-valuenow'));
  await expect(there.page.getByRole('separator', { name: 'Width of the library' })).toHaveAttribute(
    'aria-valuenow',
    String(wide),
  );
  await app.page.keyboard.press(']');
  await expect(there.context).toBeHidden();
  await there.page.keyboard.press(']');
  await expect(app.context).toBeVisible();
  await app.page.getByTestId('arrange').click();
  await app.page.getByRole('radio', { name: 'Project' }).check();
  await expect(there.library.getByRole('heading', { name: /harbour/ })).toBeVisible();
  await there.page.context().close();
});

shared('a compaction and its undo are the same in both', async ({ app, home, browser, program }) => {
  const id = home.session(compacted(), { name: 'harbour' });
  await app.open(id, 9);
  const there = await beside(browser, program);
  await there.open(id, 9);
  const total = (one: App) => one.page.getByTestId('context-total');
  const before = (await total(there).textContent()) ?? '';
  await app.band(9).getByTestId('undo-compaction').click();
  await expect(there.band(9)).toHaveAttribute('data-state', 'reverted');
  await expect(there.message(1)).not.toHaveAttribute('data-state', 'superseded');
  await expect(total(there)).not.toHaveText(before);
  await there.band(9).getByTestId('redo-compaction').click();
  await expect(app.band(15)).toHaveAttribute('data-state', 'inForce');
  await expect(total(app)).toHaveText(before);

  await app.page.getByTestId('compact').click();
  await app.page.getByTestId('editor').fill('The second summary.');
  await app.page.getByTestId('accept').click();
  await expect(there.log.getByTestId('compaction-band').last()).toContainText('The second summary.');
  await expect(there.band(15)).toHaveAttribute('data-state', 'folded');
  await expect(there.page.getByTestId('compaction')).toHaveCount(3);
  await there.page.context().close();
});

test('settings are the same in both, also where they are open', async ({ app, home, browser, program, model }) => {
  await app.start();
  const there = await beside(browser, program);
  await there.start();
  for (const one of [app, there]) {
    await one.page.keyboard.press('ControlOrMeta+,');
    await expect(one.page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  }
  const settings = app.page.getByRole('dialog', { name: 'Settings' });
  await settings.getByTestId('add-provider').click();
  await settings.getByLabel('Name').fill('work');
  await settings.getByLabel('Address').fill(model.url);
  await app.page.keyboard.press('Enter');
  const provider = (one: App) => one.page.locator('[data-testid="provider"][data-name="work"]');
  await expect(provider(app)).toBeVisible();
  await expect(provider(there)).toBeVisible();
  await settings.getByRole('button', { name: 'Use work' }).click();
  await expect(provider(there).getByRole('img', { name: 'In use' })).toBeVisible();
  writeFileSync(join(home.dir, 'config.yaml'), 'theme: dark\n');
  for (const one of [app, there]) {
    await expect(provider(one)).toHaveCount(0);
    await expect(one.page.locator('html')).toHaveAttribute('data-theme', 'dark');
  }
  await there.page.context().close();
});

test.describe('with a model', () => {
  test.use({ withModel: true });

  shared('what one sends stands in no field of the other', async ({ app, home, browser, program, model }) => {
    const id = home.session(conversation(2));
    await app.open(id);
    const there = await beside(browser, program);
    await there.open(id);
    const [here, beyond] = [new Composer(app.page), new Composer(there.page)];
    let free: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (free = resolve));
    await app.page.route('**/messages', async (route) => {
      await held;
      await route.continue();
    });
    await here.send('One.');
    await expect(there.page.getByTestId('leaving')).toContainText('One.');
    await expect(beyond.field).toHaveValue('');
    await beyond.field.pressSequentially('half a th');
    await there.page.reload();
    await expect(there.page.getByTestId('leaving')).toContainText('One.');
    await expect(beyond.field).toHaveValue('half a th');
    await expect(here.field).toHaveValue('half a th');
    model.says('First.');
    free();
    for (const one of [app, there]) await expect(one.message(4)).toContainText('First.');
    await expect(there.page.getByTestId('leaving')).toHaveCount(0);
    for (const one of [here, beyond]) await expect(one.field).toHaveValue('half a th');
    await there.page.context().close();
  });

  test('an answer, what waits behind it, and what a tool asks are the same in both', async ({
    app,
    home,
    browser,
    program,
    model,
  }) => {
    const id = home.session(conversation(4), { name: 'harbour', cwd: home.dir });
    await app.open(id);
    const there = await beside(browser, program);
    await there.open(id);
    const [here, beyond] = [new Composer(app.page), new Composer(there.page)];
    const reply = model.reply();
    await here.send('First.');
    reply.text('Well, ');
    await expect(beyond.live).toContainText('Well,');
    await beyond.send('Second.');
    await expect(here.queued).toContainText('Second.');
    await app.page.getByRole('button', { name: 'Withdraw “Second.”' }).click();
    await expect(beyond.queued).toHaveCount(0);
    reply.toolCall('bash', { command: 'echo lights' }).done();
    const approval = (one: App) => one.page.getByTestId('approval');
    for (const one of [app, there]) {
      await expect(approval(one)).toContainText('echo lights');
      await expect(one.page.getByTestId('asking')).toHaveText('asks you');
    }
    const second = model.reply();
    await approval(there).getByRole('button', { name: 'No', exact: true }).click();
    for (const one of [app, there]) await expect(approval(one)).toHaveCount(0);
    await second.asked;
    await expect(here.stop).toBeVisible();
    await beyond.stop.click();
    for (const one of [app, there]) {
      await expect(one.page.getByTestId('stop')).toHaveCount(0);
      await expect(one.page.getByTestId('asking')).toHaveCount(0);
    }
    await there.page.context().close();
  });
});
