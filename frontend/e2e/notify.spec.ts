import type { Config } from '../src/lib/backend';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { expect, test } from './support/test';

test.use({ withModel: true });

interface Shown {
  title: string;
  body: string;
  press: () => void;
}
type Stubbed = Window & { shown: Shown[]; away: boolean };

test.beforeEach(async ({ page }) => {
  // A browser's notices, and a page that nobody looks at as long as the test says so.
  await page.addInitScript(() => {
    const stubbed = window as unknown as Stubbed;
    stubbed.shown = [];
    stubbed.away = true;
    class Notice {
      static permission = 'granted';
      onclick: (() => void) | null = null;
      constructor(title: string, { body }: { body: string }) {
        stubbed.shown.push({ title, body, press: () => this.onclick?.() });
      }
      close() {
        return undefined;
      }
    }
    Object.defineProperty(window, 'Notification', { value: Notice });
    document.hasFocus = () => !stubbed.away;
  });
});

test('an answer that is complete while nobody looks is told, and a press leads to it', async ({
  app,
  home,
  model,
  program,
}) => {
  const { page } = app;
  const shown = () =>
    page.evaluate(() => (window as unknown as Stubbed).shown.map(({ title, body }) => `${title}: ${body}`));
  const id = home.session(conversation(4), { name: 'harbour' });
  const other = home.session(conversation(2), { name: 'tides' });
  await app.open(id);
  const composer = new Composer(page);
  const reply = model.reply();
  await composer.send('Is it lit?');
  await reply.asked;
  await app.go(other);
  reply.text('It <b>is</b>\u202e lit.\n\nAll seven.').done();
  await expect.poll(shown).toEqual(['harbour: It <b>is</b>⟨RLO⟩ lit.']);
  await page.evaluate(() => {
    (window as unknown as Stubbed).shown[0]?.press();
  });
  await expect(page.getByTestId('title')).toHaveText('harbour');

  // Whoever looks, or stopped it, knows.
  await page.evaluate(() => ((window as unknown as Stubbed).away = false));
  model.says('Again.');
  await composer.send('And now?');
  await expect(app.message(8)).toContainText('Again.');
  await page.evaluate(() => ((window as unknown as Stubbed).away = true));
  const stopped = model.reply();
  await composer.send('And then?');
  await stopped.asked;
  stopped.text('I ');
  await composer.stop.click();
  await expect(composer.stop).toHaveCount(0);
  expect(await shown()).toHaveLength(1);

  // The settings have the last word.
  home.config('notifications: false\n');
  await expect.poll(async () => (await program.get<Config>('config')).notifications).toBe(false);
  await page.reload();
  await app.settled();
  model.says('Quietly.');
  await composer.send('Hush.');
  await expect(app.log).toContainText('Quietly.');
  expect(await shown()).toEqual([]);
});
