import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../src/lib/backend';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { looks } from './support/look';
import { records, textOf } from './support/recorded';
import { expect, test } from './support/test';

test.use({ withModel: true });

test(
  'what keeps an answer from coming is said, and what can be done about it',
  { tag: '@look' },
  async ({ app, home, model, program }) => {
    test.slow();
    const { page } = app;
    const composer = new Composer(page);

    await test.step('a server that is down is named, and writing goes on', async () => {
      model.listStatus = 500;
      const id = home.session(conversation(2));
      await app.open(id);
      await expect(app.page.getByTestId('no-server')).toContainText('could not be listed');
      await composer.field.fill('Still here.');
      await expect(composer.sendButton).toHaveAttribute('aria-disabled', 'false');
      model.listStatus = 0;
      await app.page.getByRole('button', { name: 'Look again' }).click();
      await expect(app.page.getByTestId('no-server')).toHaveCount(0);
    });

    await test.step('a failed answer says why, stays in the log, and can be tried again, also after a reload', async () => {
      const id = home.session(conversation(2));
      await app.go(id);
      model.reply().error(401, 'Incorrect API key provided');
      await composer.send('Is anybody there?');
      await expect(composer.failure).toContainText('The answer failed');
      await expect(composer.failure).toContainText('Incorrect API key provided');
      await expect(composer.failure).toContainText('PALIMPSEST_API_KEY');
      await expect(app.message(4)).toContainText('No answer came');
      expect(textOf(records(home, id)[2])).toBe('Is anybody there?');

      await page.reload();
      await expect(page.getByTestId('unanswered')).toBeVisible();
      const reply = model.reply();
      await composer.retry.click();
      reply.text('Yes, here.').done();
      await expect(app.message(5)).toContainText('Yes, here.');
      await expect(composer.retry).toHaveCount(0);
      expect(records(home, id).filter(({ role }) => role === 'user')).toHaveLength(2);
    });

    await test.step('while the server asks to wait, it says for how long', async () => {
      const id = home.session(conversation(2));
      await app.go(id);
      model.reply().error(503, 'overloaded', { headers: { 'Retry-After': '2' } });
      const second = model.reply();
      await composer.send('Are you awake?');
      await expect(app.page.getByTestId('retrying')).toContainText('overloaded');
      await expect(app.page.getByTestId('countdown')).toHaveText(/Asks again in [12] s/);
      await second.asked;
      second.text('Now I am.').done();
      await expect(app.message(4)).toContainText('Now I am.');
      await expect(app.page.getByTestId('retrying')).toHaveCount(0);
    });

    await test.step('where the context does not fit, compacting is a press away', async () => {
      const id = home.session(conversation(2));
      await app.go(id);
      model.reply().error(400, "This model's maximum context length is 10 tokens", { code: 'context_length_exceeded' });
      model.reply().error(400, 'No summaries here.'); // compacting by itself does not help either
      await composer.send('Too much.');
      await expect(composer.failure).toContainText('does not fit');
      await composer.failure.getByRole('link', { name: 'Compact…' }).click();
      expect(new URL(app.page.url()).hash).toBe(`#/s/${id}/compact`);
    });

    await test.step('another program that writes is named, and the message is kept', async () => {
      const id = home.session(conversation(2));
      await app.go(id);
      await app.page.route('**/messages', (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          body: JSON.stringify({ error: { code: 'busy', message: 'held by another process', hint: '' } }),
        }),
      );
      await composer.field.fill('Let me in.');
      await composer.field.press('Enter');
      await expect(composer.failure).toContainText('Another program is writing');
      await expect(composer.field).toHaveValue('Let me in.');
      await app.page.unroute('**/messages');
      model.says('Come in.');
      await app.page.getByTestId('send-again').click();
      await expect(app.message(4)).toContainText('Come in.');
      await expect(composer.failure).toHaveCount(0);
    });

    await test.step('a context that is full is compacted first, and that is said', async () => {
      const id = home.session(conversation(160));
      home.config('context_window: 5000\ncompaction:\n  reserve_tokens: 1500\n  keep_recent_tokens: 2000\n');
      await expect.poll(async () => (await program.get<Context>(`sessions/${id}/context`)).tokens.window).toBe(5000);
      await app.go(id);
      const summary = model.reply();
      const reply = model.reply();
      await composer.send('Go on.');
      await summary.asked;
      await expect(app.page.getByTestId('compacting')).toContainText('being compacted');
      await expect(composer.live).toContainText('Compacting first');
      await looks(app.page, 'composer-compacting');
      summary.text(`## Goal\n\nKeep the lights on.\n\n## Next Steps\n\n1. Go on.`).done();
      await reply.asked;
      await expect(app.page.getByTestId('compacting')).toHaveCount(0);
      await expect(app.page.getByTestId('compaction-band')).toContainText('Compacted');
      reply.text('So I do.').done();
      await expect(app.page.getByTestId('message').last()).toContainText('So I do.');
      await expect(composer.live).toHaveCount(0);
    });

    await test.step('a connection that breaks off in the middle keeps what came, or asks again', async () => {
      const id = home.session(conversation(2));
      await app.go(id);
      const reply = model.reply();
      await composer.send('Tell me.');
      reply.text('Half of');
      await expect(composer.live).toContainText('Half of');
      reply.breakOff();
      await expect(composer.failure.or(app.page.getByTestId('retrying'))).toBeVisible();
    });
  },
);

test.describe('without a model', () => {
  test.use({ withModel: false });

  test('one can be connected from where one reads', async ({ app, home, model }) => {
    const { page } = app;

    await test.step('reading works, and it says how to connect one', async () => {
      const id = home.session(conversation(2));
      await page.route('**/api/models/local', (route) => route.fulfill({ json: { servers: [] } }));
      await app.open(id);
      const connect = page.getByRole('region', { name: 'No model is connected' });
      await expect(connect).toContainText('Reading works without one');
      await page.getByTestId('connect-settings').click();
      await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
      await page.keyboard.press('Escape');
      await page.evaluate(() => (location.hash = ''));
      await expect(connect).toContainText('base_url');
      await expect(connect).toContainText(join(home.dir, 'config.yaml'));
      await expect(connect).toContainText('PALIMPSEST_API_KEY');
      await expect(page.getByRole('textbox', { name: 'Message to the model' })).toHaveCount(0);
      expect(existsSync(join(home.dir, 'config.yaml'))).toBe(false);
    });

    await test.step('what is found on this machine is one press away', async () => {
      const composer = new Composer(page);
      const id = home.session(conversation(2));
      const found = { name: 'Ollama', baseUrl: model.url, models: model.models };
      let servers: (typeof found)[] = [];
      await page.route('**/api/models/local', (route) => route.fulfill({ json: { servers } }));
      await app.start();
      await expect(page.getByTestId('home').getByTestId('connect')).toContainText('No server found');
      await app.go(id);
      servers = [found];
      await page.getByRole('button', { name: 'Look again' }).click();
      await page.getByRole('button', { name: 'Use test-model' }).click();
      await expect(composer.field).toBeFocused();
      await expect(composer.model).toHaveText('test-model');
      expect(readFileSync(join(home.dir, 'config.yaml'), 'utf8')).toContain(model.url);
      model.says('At your service.');
      await composer.send('Are you there?');
      await expect(app.message(4)).toContainText('At your service.');
    });
  });
});
