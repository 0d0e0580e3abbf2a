import { conversation } from './support/log';
import { looks } from './support/look';
import { Program } from './support/program';
import { expect, test } from './support/test';

test.describe(() => {
  test.use({ withModel: true });

  test(
    'another program that writes is named, and its going is noticed',
    { tag: '@look' },
    async ({ app, home, model }) => {
      const id = home.session(conversation(4), { name: 'harbour' });
      const env = { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] };
      await app.open(id);
      const reply = model.reply().text('Half an ');
      const other = await Program.start(home.dir, { env });
      expect((await other.ask(`sessions/${id}/messages`, { body: { text: 'From elsewhere.' } })).status).toBe(201);
      await reply.asked;
      await expect(app.page.getByTestId('held')).toContainText('is writing here');
      await expect(app.message(5)).toContainText('From elsewhere.');
      await looks(app.page, 'busy-elsewhere');
      reply.text('answer.').done();
      await expect(app.message(6)).toContainText('Half an answer.');
      await expect(app.page.getByTestId('held')).toHaveCount(0);
      expect(await other.stop()).toBe(0);
    },
  );
});

test(
  'while the program does not answer that is said, and it can be tried at once',
  { tag: '@look' },
  async ({ app, home, program }) => {
    const { page } = app;
    await app.open(home.session(conversation(4), { name: 'harbour' }));
    const listen = new URL(program.origin).host;
    expect(await program.stop()).toBe(0);
    const banner = page.getByTestId('banner');
    await expect(banner).toContainText('does not answer');
    await looks(page, 'offline');
    await page.getByTestId('reconnect').click();
    await expect(banner).toContainText('does not answer');
    const again = await Program.start(home.dir, { listen });
    await app.reconnected();
    expect(await again.stop()).toBe(0);
  },
);

test('what can’t be written to says so, and how to go on', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(4), { name: 'harbour' });
  // Whoever runs this may be allowed to write everywhere; that the program tells is tested where it is told.
  let whole = false;
  await page.route('**/api/sessions/*/turns', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), readOnly: true } });
  });
  await page.route('**/api/config', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), readOnly: whole } });
  });
  await app.open(id);
  const note = page.getByTestId('read-only');
  await expect(note).toContainText('can’t be written to');
  await looks(page, 'read-only');
  await note.getByTestId('fork-instead').click();
  await expect(page.getByTestId('title')).toContainText('fork');

  whole = true;
  await page.reload();
  await expect(page.getByTestId('banner')).toContainText('Nothing can be changed here.');
  await expect(page.getByTestId('fork-instead')).toHaveCount(0);
  await looks(page, 'read-only-home');
});

test('what takes long shows its shape meanwhile', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  const id = home.session(conversation(4), { name: 'harbour' });
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/outline', async (route) => {
    await held;
    await route.continue();
  });
  await app.start();
  await page.goto(`${new URL(page.url()).origin}/#/s/${id}`);
  await expect(page.getByTestId('transcript').getByTestId('loading')).toBeVisible();
  await looks(page, 'loading');
  go();
  await expect(app.message(4)).toBeVisible();
});
