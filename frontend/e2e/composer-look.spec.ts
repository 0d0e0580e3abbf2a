import { Composer } from './support/composer';
import { conversation } from './support/log';
import { look, SIZES, looks } from './support/look';
import { expect, test } from './support/shared';

test.use({ withModel: true });

test(
  'every state of it is open to everybody, in both themes and in small windows',
  { tag: '@look' },
  async ({ app, home, model }) => {
    test.slow();
    const { page } = app;
    const composer = new Composer(page);
    const id = home.session(conversation(6), { name: 'harbour' });
    await app.open(id);
    for (const [n, size] of [...SIZES, { width: 700, height: 480 }, { width: 2560, height: 1440 }].entries()) {
      await page.setViewportSize(size);
      await look(page, 'composer', { asBefore: n > 0 });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await composer.model.click();
    await looks(page, 'composer-models');
    await page.keyboard.press('Escape');

    const reply = model.reply();
    await composer.send('Say it all.');
    await expect(composer.live).toContainText('Waiting');
    await looks(page, 'composer-waiting');
    reply.thinking('Hm.').text('# One\n\nA paragraph with `code`.\n\n| x | y |\n|---|---|\n| 1 | 2');
    await expect(composer.live.locator('table')).toBeVisible();
    for (const text of ['And then?', 'And after that?']) await composer.send(text);
    await expect(composer.queued).toHaveCount(2);
    for (const [n, size] of [...SIZES, { width: 700, height: 480 }].entries()) {
      await page.setViewportSize(size);
      await app.settled();
      await look(page, 'composer-queued', { asBefore: n > 0 });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    model.reply().error(503, 'overloaded', { headers: { 'Retry-After': '30' } });
    await composer.stop.click();
    await expect(page.getByTestId('retrying')).toBeVisible();
    await looks(page, 'composer-retrying');
    model.reply().error(401, 'Incorrect API key provided');
    await composer.stop.click();
    await expect(composer.failure).toBeVisible();
    for (const [n, size] of SIZES.entries()) {
      await page.setViewportSize(size);
      await app.settled();
      await look(page, 'composer-failed', { asBefore: n > 0 });
    }
    await page.keyboard.press('Escape');
    await page.getByTestId('new').click();
    await expect(page.getByTestId('new-conversation')).toBeVisible();
    for (const [n, size] of SIZES.entries()) {
      await page.setViewportSize(size);
      await look(page, 'composer-new', { asBefore: n > 0 });
    }
  },
);

test.describe('with nothing configured', () => {
  test.use({ withModel: false });

  test('the offer to connect is open to everybody, too', { tag: '@look' }, async ({ app, home }) => {
    test.slow();
    const { page } = app;
    const id = home.session(conversation(6), { name: 'harbour' });
    let servers: object[] = [];
    await page.route('**/api/models/local', (route) => route.fulfill({ json: { servers } }));
    await app.start();
    await look(page, 'connect-home');
    await app.go(id);
    for (const [n, size] of [...SIZES, { width: 700, height: 480 }].entries()) {
      await page.setViewportSize(size);
      await look(page, 'connect-nothing', { asBefore: n > 0 });
    }
    servers = [
      { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.2', 'qwen3:8b'] },
      { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', models: [] },
    ];
    await page.getByRole('button', { name: 'Look again' }).click();
    await expect(page.getByTestId('found')).toHaveCount(2);
    for (const [n, size] of SIZES.entries()) {
      await page.setViewportSize(size);
      await look(page, 'connect-found', { asBefore: n > 0 });
    }
  });
});
