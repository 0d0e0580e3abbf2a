import { App } from './support/app';
import { attach, named, thumbnails } from './support/attach';
import { Composer } from './support/composer';
import { conversation, Log } from './support/log';
import { bomb, PNG } from './support/pictures';
import { Program } from './support/program';
import { test as shared } from './support/shared';
import { expect, test } from './support/test';

shared.describe('with a model', () => {
  shared.use({ withModel: true });

  shared('what only calls itself an image is refused, and one that would fill the memory', async ({ app, home }) => {
    const { page } = app;
    const id = home.session(conversation(2));
    await app.open(id);
    for (const [name, content, why] of [
      ['a.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = 1"/>', 'models take PNG'],
      ['b.png', '<!doctype html><script>window.ran = 2</script>', 'models take PNG'],
      ['c.gif', 'GIF89a=1;window.ran=3;/*', 'models take images of up to 8,000 pixels a side'],
      ['d.png', PNG.subarray(0, 20), 'it is damaged'],
      ['e.png', bomb(20_000), 'models take images of up to 8,000 pixels a side'],
      ['inv\u202egnp.exe\u0007.png', '<html>', 'inv⟨RLO⟩gnp.exe⟨BEL⟩.png was not attached'],
    ] as const) {
      await attach(page, named(name, content));
      await expect(app.toast).toContainText(why);
      await expect(page.getByTestId('attached')).toHaveCount(0);
      await page.keyboard.press('Escape');
    }
    // A picture, and what a page that was guessed at would run behind it.
    await attach(
      page,
      named('\u202egnp.tac\u0000.png', Buffer.concat([PNG, Buffer.from('<script>window.ran = 4</script>')])),
    );
    await expect(thumbnails(page)).toHaveAttribute('alt', /^⟨RLO⟩gnp\.tac.*\.png$/);
    await attach(page, ...Array.from({ length: 8 }, (_, n) => named(`${n}.png`, PNG)));
    await expect(app.toast).toContainText('7.png was not attached: a message may show 8 images');
    await expect(thumbnails(page)).toHaveCount(8);
    expect(await page.evaluate(() => (window as unknown as { ran?: number }).ran)).toBeUndefined();
  });

  shared('images in two windows are the same ones', async ({ app, home, program, context, model }) => {
    const { page } = app;
    const id = home.session(conversation(2));
    await app.open(id);
    const other = new App(await context.newPage(), program);
    await other.open(id);
    await attach(page, named('pier.png', PNG));
    await expect(thumbnails(other.page)).toHaveAttribute('alt', 'pier.png');
    await other.page.getByRole('button', { name: 'Leave out pier.png' }).click();
    await expect(thumbnails(page)).toHaveCount(0);
    await attach(other.page, named('mole.png', PNG));
    await expect(thumbnails(page)).toHaveAttribute('alt', 'mole.png');
    const reply = model.reply();
    await new Composer(page).field.press('Enter');
    await reply.asked;
    await expect(thumbnails(other.page)).toHaveCount(0);
    reply.text('A mole.').done();
    await expect(other.message(3).getByRole('img', { name: 'mole.png' })).toBeVisible();
  });
});

test('images outlast the program being killed, those that wait, too', async ({ home, browser, model }) => {
  const id = home.session(conversation(2));
  const options = { env: { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } };
  const first = await Program.start(home.dir, options);
  const context = await browser.newContext();
  const app = new App(await context.newPage(), first);
  await app.open(id);
  const reply = model.reply();
  const composer = new Composer(app.page);
  await composer.field.fill('one');
  await composer.field.press('Enter');
  await reply.asked;
  await attach(app.page, named('waits.png', PNG));
  await composer.field.press('Enter');
  await expect(app.page.getByTestId('queued-images')).toHaveText('1 image');
  await attach(app.page, named('unsent.png', Buffer.concat([PNG, Buffer.from('x')])));
  await expect.poll(() => home.desk(`attached.${id}`)).toContain('unsent.png');
  await first.kill();
  await context.close();

  const second = await Program.start(home.dir, options);
  const again = new App(await (await browser.newContext()).newPage(), second);
  await again.open(id);
  await expect(thumbnails(again.page)).toHaveCount(2);
  const alts = () => thumbnails(again.page).evaluateAll((all) => all.map((img) => img.getAttribute('alt')).sort());
  await expect.poll(alts).toEqual(['unsent.png', 'waits.png']);
  await again.page.context().close();
  await second.stop();
});

shared('a picture of gigabytes in a conversation is told of, not drawn', async ({ app, home }) => {
  const id = home.session(new Log().user('x'));
  const blob = home.blob(id, bomb(20_000));
  const content = [{ type: 'image', mediaType: 'image/png', blob }];
  await home.run(['append', id], `${JSON.stringify({ recordType: 'message', role: 'user', content })}\n`);
  await app.open(id);
  await expect(app.message(2)).toContainText('An image too large to be drawn here (20,000 × 20,000 · PNG');
  await expect(app.message(2).getByRole('img')).toHaveCount(0);
});
