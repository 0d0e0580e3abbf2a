import type { Turns } from '../src/lib/backend';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { expect, test } from './support/shared';

test.use({ withModel: true });

test('an answer goes on for whoever was away from it', async ({ app, home, model, program }) => {
  const { page } = app;
  const composer = new Composer(page);

  await test.step('news that were missed are asked for', async () => {
    // The page hears nothing of what comes while it is deaf.
    await page.addInitScript(() => {
      const { fetch } = window;
      window.fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (!String(input).endsWith('/events') || !response.body) return response;
        const ear = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, out) => {
            if (!('deaf' in window && window.deaf)) out.enqueue(chunk);
          },
        });
        return new Response(response.body.pipeThrough(ear), response);
      };
    });
    const id = home.session(conversation(2));
    await app.open(id);
    const reply = model.reply();
    await composer.send('Are you hard of hearing?');
    reply.text('One,');
    await expect(composer.live).toContainText('One,');
    await page.evaluate(() => Object.assign(window, { deaf: true }));
    reply.text(' two,');
    const answer = async () => (await program.get<Turns>(`sessions/${id}/turns`)).running?.answer;
    await expect.poll(answer).toBe('One, two,');
    await page.evaluate(() => Object.assign(window, { deaf: false }));
    reply.text(' three.');
    await expect(composer.live).toContainText('One, two, three.');
    reply.done();
    await expect(app.message(4)).toContainText('One, two, three.');
  });

  await test.step('after a reload in the middle of an answer it goes on', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    const reply = model.reply();
    await composer.send('Slowly, please.');
    reply.text('The first half');
    await expect(composer.live).toContainText('The first half');
    await composer.send('And then?');
    await expect(composer.queued).toContainText('And then?');
    await page.reload();
    await expect(composer.live).toContainText('The first half');
    await expect(composer.queued).toContainText('And then?');
    reply.text(' and the second.');
    await expect(composer.live).toContainText('The first half and the second.');
    model.says('Nothing.');
    reply.done();
    await expect(app.message(4)).toContainText('The first half and the second.');
    await expect(app.message(6)).toContainText('Nothing.');
  });

  await test.step('who reads further up is left there, and finds the way to the latest', async () => {
    const id = home.session(conversation(60));
    await app.go(id);
    const reply = model.reply();
    await composer.send('A long one.');
    reply.text('Line.\n\n'.repeat(40));
    await expect(composer.live).toContainText('Line.');
    await app.settled();
    const fromEnd = () => app.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
    expect(await fromEnd()).toBeLessThan(2);
    await app.log.hover();
    await page.mouse.wheel(0, -700);
    await expect(page.getByTestId('to-end')).toContainText('Latest');
    await app.settled();
    const at = await app.scrollTop();
    reply.text('More.\n\n'.repeat(20));
    await expect(composer.live).toContainText('More.');
    await app.settled();
    expect(await app.scrollTop()).toBe(at);
    await page.getByTestId('to-end').click();
    await expect.poll(fromEnd).toBeLessThan(2);
    reply.done();
    await expect(app.message(62)).toContainText('More.');
    await app.settled();
    expect(await fromEnd()).toBeLessThan(2);
  });
});
