import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Composer } from './support/composer';
import type { Home } from './support/home';
import { conversation } from './support/log';
import { look, looks } from './support/look';
import { expect, test } from './support/test';

const KEY = 'sk-of-the-end-to-end-tests-0123';

const file = (home: Home) => join(home.dir, 'config.yaml');
const text = (home: Home) => (existsSync(file(home)) ? readFileSync(file(home), 'utf8') : '');
const provider = (page: Page, name: string): Locator => page.locator(`[data-testid="provider"][data-name="${name}"]`);

async function open(page: Page): Promise<Locator> {
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await expect(settings).toBeVisible();
  return settings;
}

test('a provider is added, used, changed and removed with the keyboard, and other lines stay', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  writeFileSync(file(home), '# mine\ntheme: system # as it is\n');
  await app.start();
  const settings = await open(page);

  await settings.getByTestId('add-provider').focus();
  await page.keyboard.press('Enter');
  await expect(settings.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('work');
  await page.keyboard.press('Tab');
  await page.keyboard.type(model.url);
  await page.keyboard.press('Tab');
  await page.keyboard.type(model.models[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(provider(page, 'work')).toContainText(model.url);
  await expect(provider(page, 'work')).toContainText('no key');
  expect(text(home)).toMatch(/^# mine\ntheme: system # as it is\nproviders:\n {2}work:\n/);

  // It can be used once it is saved, which may be shown a little before that is done.
  await expect(settings.getByTestId('provider-form')).toHaveCount(0);
  await settings.getByRole('button', { name: 'Use work' }).focus();
  await page.keyboard.press('Enter');
  await expect(provider(page, 'work').getByRole('img', { name: 'In use' })).toBeVisible();
  expect(text(home)).toContain('provider: "work"');

  await settings.getByRole('button', { name: 'Edit work' }).focus();
  await page.keyboard.press('Enter');
  await expect(settings.getByLabel('Address')).toBeFocused();
  await settings.getByLabel('Window, in tokens').fill('32000');
  await page.keyboard.press('Enter');
  await expect.poll(() => text(home)).toContain('context_window: 32000');
  await expect(settings.getByTestId('provider-form')).toHaveCount(0);

  await page.keyboard.press('Escape');
  await expect(settings).toHaveCount(0);
  const reply = model.reply();
  await page.keyboard.press('n');
  await new Composer(page).send('Hello');
  expect((await reply.asked).body.model).toBe(model.models[0]);
  reply.text('Hello.').done();
  await expect(app.message(3)).toContainText('Hello.');

  await open(page);
  const whole = text(home).replace('work:', 'work: # in the office');
  writeFileSync(file(home), whole);
  await settings.getByRole('button', { name: 'Edit work' }).press('Enter');
  await settings.getByRole('button', { name: 'Remove work' }).press('Enter');
  await expect(provider(page, 'work')).toHaveCount(0);
  expect(text(home)).toBe('# mine\ntheme: system # as it is\nprovider: ""\n');

  const undo = app.toast.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await expect(undo, 'the dialog does not lie over it').toBeFocused();
  await page.keyboard.press('Enter');
  await expect(provider(page, 'work').getByRole('img', { name: 'In use' })).toBeVisible();
  await expect(provider(page, 'work')).toContainText(model.url);
  expect(text(home), 'to the byte').toBe(whole);

  // Somebody else writes to the file before it is put back: what they wrote stays.
  await settings.getByRole('button', { name: 'Edit work' }).press('Enter');
  await settings.getByRole('button', { name: 'Remove work' }).press('Enter');
  await expect(provider(page, 'work')).toHaveCount(0);
  writeFileSync(file(home), `${text(home)}notifications: false # mine, too\n`);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(app.toast).toContainText('changed meanwhile');
  await expect(provider(page, 'work').getByRole('img', { name: 'In use' })).toBeVisible();
  expect(text(home)).toContain('notifications: false # mine, too');
});

test(
  'a key that can be kept nowhere is refused, said to belong into the environment, and left nowhere',
  { tag: '@look' },
  async ({ app, home, model }) => {
    const { page } = app;
    writeFileSync(file(home), `provider: work\nproviders:\n  work: {base_url: "${model.url}", model: m}\n`);
    const before = text(home);
    await app.start();
    const settings = await open(page);
    await settings.getByRole('button', { name: 'Edit work' }).press('Enter');
    const field = settings.getByLabel('A new key');
    await expect(field).toHaveAttribute('type', 'password');
    await field.fill(KEY);
    await field.press('Enter');
    await expect(settings.getByTestId('settings-error')).toContainText('keychain');
    await expect(settings.getByTestId('settings-error')).toContainText('PALIMPSEST_API_KEY');
    await expect(field).toHaveValue('');
    expect(await page.content()).not.toContain(KEY);
    expect(page.url()).not.toContain(KEY);
    expect(text(home)).toBe(before);
    await looks(page, 'settings-key-refused');
  },
);

test('a key that is kept is nowhere in the page, and can be forgotten', async ({ app, home, model }) => {
  const { page } = app;
  writeFileSync(file(home), `provider: work\nproviders:\n  work: {base_url: "${model.url}", model: m}\n`);
  // In the place of a keychain, which a machine that runs tests has none of.
  let kept = false;
  const asked: string[] = [];
  await page.route('**/api/models**', async (route) => {
    const request = route.request();
    if (request.url().includes('/api/models/key') || request.url().includes('/api/models/undos')) {
      kept = request.method() !== 'DELETE';
      asked.push(request.postData() ?? '');
      return route.fulfill({ json: { undo: kept ? null : 'h1', asItWas: true } });
    }
    // The page may ask once more while the test ends, and the program with it.
    const response = await route.fetch().catch(() => null);
    if (!response) return route.abort();
    const list = (await response.json()) as { keyFrom: string | null; providers: { keyFrom: string | null }[] };
    for (const one of [list, ...list.providers]) one.keyFrom = kept ? 'keychain' : null;
    return route.fulfill({ response, json: list });
  });
  await app.start();
  const settings = await open(page);
  await settings.getByRole('button', { name: 'Edit work' }).press('Enter');
  await settings.getByLabel('A new key').fill(KEY);
  await settings.getByRole('button', { name: 'Keep' }).press('Enter');
  await expect(settings.getByTestId('key-state')).toContainText('A key is in the system’s keychain');
  await expect(settings.getByLabel('A new key')).toHaveValue('');
  expect(JSON.parse(asked[0] ?? '')).toEqual({ provider: 'work', baseUrl: model.url, key: KEY });
  const everywhere = await page.evaluate(() =>
    JSON.stringify([document.documentElement.outerHTML, location.href, { ...localStorage }, { ...sessionStorage }]),
  );
  expect(everywhere).not.toContain(KEY);
  await expect(app.toast.getByRole('button', { name: 'Undo' }), 'nothing was lost').toHaveCount(0);
  const forget = settings.getByRole('button', { name: 'Forget' });
  // A key that is pressed goes nowhere where a button cannot take it yet: it is there before all is read.
  await expect(forget).toBeEnabled();
  await forget.press('Enter');
  await expect(settings.getByTestId('key-state')).toContainText('No key');
  await expect(app.toast.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(settings.getByTestId('key-state')).toContainText('A key is in the system’s keychain');
  expect(JSON.parse(asked[2] ?? '')).toEqual({ undo: 'h1' });
});

test('what can not be done is said where it was wanted, and mistakes in the file are shown', async ({ app, home }) => {
  const { page } = app;
  writeFileSync(file(home), 'providers: {a: {base_url: "http://127.0.0.1:1/v1"}}\nthem: dark\n');
  await app.start();
  const settings = await open(page);
  await expect(settings.getByTestId('settings-problems')).toContainText('did you mean theme?');
  await settings.getByTestId('add-provider').click();
  await settings.getByLabel('Name').fill('b');
  await settings.getByLabel('Address').fill('nowhere');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByTestId('settings-error')).toContainText('The address must be written like http://');
  await settings.getByLabel('Address').fill('http://127.0.0.1:2/v1');
  await settings.getByRole('button', { name: 'Save' }).click();
  await expect(settings.getByTestId('settings-error')).toContainText('edited safely');
  await expect(settings.getByTestId('settings-error')).toContainText('by hand');
  expect(text(home)).toContain('them: dark');
});

test(
  'what is typed stays where another window removes the provider, and adds it again',
  { tag: '@look' },
  async ({ app, home, model }) => {
    const { page } = app;
    const others = `providers:\n  else: {base_url: "http://127.0.0.1:2/v1", model: n}\n`;
    writeFileSync(file(home), `${others}  work: {base_url: "${model.url}", model: m}\n`);
    await app.start();
    const settings = await open(page);
    await settings.getByRole('button', { name: 'Edit work' }).press('Enter');
    const field = settings.getByLabel('Model', { exact: true });
    await field.fill('a-new-model');
    writeFileSync(file(home), others);
    await expect(settings.getByTestId('provider-removed')).toContainText('Another window removed this server');
    await expect(field).toHaveValue('a-new-model');
    await expect(field).toBeFocused();
    await expect(settings.getByTestId('key-form')).toHaveCount(0);
    await looks(page, 'settings-removed');
    await settings.getByRole('button', { name: 'Add it again' }).press('Enter');
    await expect(settings.getByTestId('provider-form')).toHaveCount(0);
    await expect(provider(page, 'work')).toContainText('a-new-model');
    expect(text(home)).toContain('a-new-model');
  },
);

test('the theme is chosen, and the whole is looked at', { tag: '@look' }, async ({ app, home, model }) => {
  const { page } = app;
  writeFileSync(
    file(home),
    `provider: work\nproviders:\n  work: {base_url: "${model.url}", model: ${model.models[0]}}\n  local: {base_url: "http://127.0.0.1:11434/v1", model: qwen3}\n`,
  );
  await app.start();
  await open(page);
  await expect(provider(page, 'local')).toBeVisible();
  await looks(page, 'settings');
  await page.getByRole('button', { name: 'Edit work' }).press('Enter');
  await looks(page, 'settings-provider');
  await page.getByRole('radio', { name: 'Dark' }).press('Space');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test(
  'the menu of models shows windows and prices, and those of another provider',
  { tag: '@look' },
  async ({ app, home, model }) => {
    const { page } = app;
    const [first = ''] = model.models;
    writeFileSync(
      file(home),
      `provider: work\nproviders:\n  work: {base_url: "${model.url}", model: ${first}}\n  other: {base_url: "${model.url}", model: ${first}}\n` +
        `models:\n  ${first}: {context_window: 200000, input: 3, output: 15}\n`,
    );
    const id = home.session(conversation(4), { name: 'harbour' });
    await app.open(id);
    await page.getByTestId('model').click();
    const menu = page.getByTestId('model-menu');
    await expect(menu.getByRole('button', { name: first })).toContainText('$3 in, $15 out');
    await expect(menu.getByRole('button', { name: first })).toContainText('200k');
    await look(page, 'models-of-providers');
    await menu.getByRole('button', { name: 'other', exact: true }).press('Enter');
    await menu.getByRole('button', { name: first }).press('Enter');
    const reply = model.reply();
    await new Composer(page).send('Who are you?');
    await reply.asked;
    reply.text('Another.').done();
    await expect(page.getByTestId('transcript')).toContainText('Another.');
    expect(home.log(id).toString()).toContain(`"provider":"other","model":"${first}"`);
    await page.getByTestId('model').click();
    await page.getByRole('button', { name: 'Settings…' }).click();
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  },
);

test('what is read of other agents is a table, and in words for each', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const at = join(`${home.dir}.user`, '.pi', 'agent', 'sessions', 'x');
  mkdirSync(at, { recursive: true });
  writeFileSync(
    join(at, 'x.jsonl'),
    JSON.stringify({ type: 'session', version: 3, id: 'a', timestamp: '2026-01-02T10:00:00.000Z', cwd: '/w' }) + '\n',
  );
  await app.start();
  const settings = await open(page);
  const agents = settings.getByTestId('other-agents');
  const codex = agents.getByRole('button', { name: 'Codex' });
  await codex.scrollIntoViewIfNeeded();
  await expect(agents.getByRole('button', { name: /^Pi 1$/i })).toBeVisible();
  await expect(agents.getByRole('row', { name: /^compactions/ })).toContainText('Shown');
  await codex.press('Enter');
  await expect(codex).toHaveAttribute('aria-expanded', 'true');
  await expect(agents.getByTestId('agent-notes')).toContainText('.codex');
  await looks(page, 'settings-agents');
  await agents.getByTestId('agent-notes').scrollIntoViewIfNeeded();
  await looks(page, 'settings-agent-notes');
});

test('in a narrow window the table of other agents keeps the names of its rows', async ({ app }) => {
  const { page } = app;
  await app.start();
  await page.setViewportSize({ width: 420, height: 800 });
  const settings = await open(page);
  const agents = settings.getByTestId('other-agents');
  const name = agents.getByRole('rowheader', { name: 'compactions' });
  const table = agents.getByRole('group');
  const at = await name.boundingBox();
  expect(at).not.toBeNull();
  // The last of them, so that all of it is passed.
  await agents.getByRole('columnheader').last().getByRole('button').focus();
  expect(await table.evaluate((scroller) => scroller.scrollLeft), 'the table was scrolled').toBeGreaterThan(100);
  expect((await name.boundingBox())?.x, 'what a row is about stays beside it').toBe(at?.x);
  await agents.getByRole('columnheader').nth(1).getByRole('button').focus();
  const first = await agents.getByRole('columnheader').nth(1).boundingBox();
  expect(first?.x, 'and covers nothing that has the focus').toBeGreaterThanOrEqual((at?.x ?? 0) + (at?.width ?? 0) - 1);
  const about = provider(page, '').locator('.words');
  expect(await about.evaluate((line) => line.scrollWidth - line.clientWidth), 'nothing of it is cut').toBe(0);
});

test('the menu of models leads back to the server without a name', async ({ app, home, model }) => {
  const { page } = app;
  const [first = ''] = model.models;
  writeFileSync(
    file(home),
    `base_url: "${model.url}"\nmodel: ${first}\nprovider: work\nproviders:\n  work: {base_url: "http://127.0.0.1:1/v1", model: none}\n`,
  );
  const id = home.session(conversation(4), { name: 'harbour' });
  await app.open(id);
  await page.getByTestId('model').click();
  const menu = page.getByTestId('model-menu');
  await expect(menu.getByRole('button', { name: 'work', exact: true })).toHaveAttribute('aria-pressed', 'true');
  await menu.getByRole('button', { name: 'Default server', exact: true }).press('Enter');
  await menu.getByRole('button', { name: first }).press('Enter');
  const reply = model.reply();
  await new Composer(page).send('Who are you?');
  await reply.asked;
  reply.text('The one without a name.').done();
  await expect(page.getByTestId('transcript')).toContainText('The one without a name.');
  expect(home.log(id).toString()).toContain(`"provider":"default","model":"${first}"`);
});
