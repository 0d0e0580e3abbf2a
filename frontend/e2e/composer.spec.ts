import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Composer } from './support/composer';
import { BIDI, HOSTILE, NAME } from './support/hostile';
import { conversation } from './support/log';
import { records, textOf } from './support/recorded';
import { expect, test } from './support/test';

test.use({ withModel: true });

test('a conversation from its first message on: what is written, what comes of it, and what is in the log', async ({
  app,
  home,
  model,
}) => {
  test.slow();
  const { page } = app;
  const composer = new Composer(page);

  await test.step('a new conversation exists once its first message is sent', async () => {
    await app.start();
    await page.keyboard.press('n');
    await expect(page.getByTestId('new-conversation')).toBeVisible();
    expect(new URL(page.url()).hash).toBe('#/new');
    await expect(composer.field).toBeFocused();
    await page.keyboard.type('Half a thou');
    await page.reload();
    await expect(composer.field).toHaveValue('Half a thou');
    expect(existsSync(join(home.dir, 'sessions')) ? home.ids() : []).toEqual([]);

    const reply = model.reply();
    await composer.field.fill('What is a palimpsest?');
    await composer.field.press('Enter');
    await expect(composer.said.or(app.message(1)).first()).toContainText('What is a palimpsest?');
    await reply.asked;
    const [id = ''] = home.ids();
    expect(new URL(page.url()).hash).toBe(`#/s/${id}`);
    await expect(composer.field).toBeFocused();
    await expect(composer.field).toHaveValue('');
    await expect(app.session(id)).toContainText('What is a palimpsest?');
    reply.text('A page written on again.').done();
    await expect(app.message(2)).toContainText('A page written on again.');
    await page.goBack();
    expect(new URL(page.url()).hash, 'the way back leaves out what is no more').not.toBe('#/new');
  });

  await test.step('a message is sent, its answer is written as it comes, and both are in the log', async () => {
    const id = home.session(conversation(4), { name: 'harbour' });
    await app.go(id);
    await expect(composer.sendButton).toHaveAttribute('aria-disabled', 'true');

    const reply = model.reply();
    await composer.send('How many lights are on?');
    await expect(composer.field).toBeFocused();
    await expect(app.message(5)).toContainText('How many lights are on?');
    await expect(app.message(5)).toBeInViewport();
    const { body } = await reply.asked;
    expect(body.model).toBe('test-model');
    expect(body.messages?.at(-1)).toMatchObject({ role: 'user', content: 'How many lights are on?' });
    expect(body.messages?.filter(({ role }) => role !== 'system')).toHaveLength(5);
    await expect(composer.live).toContainText('Waiting for the answer');

    reply.thinking('Let me count.').text('There are **seven');
    await expect(composer.live).toContainText('There are seven');
    await expect(composer.live.locator('strong'), 'what is unfinished is shown as it will be').toHaveText('seven');
    await expect(composer.live.getByTestId('thinking')).toContainText('Thinking');
    await expect(composer.spoken).toHaveText('The answer has started');
    expect(records(home, id)).toHaveLength(5);

    reply.text(' of them**.\n\n```go\nlights := 7\n```\n\nAll is well.').done();
    await expect(app.message(6)).toContainText('There are seven of them.');
    await expect(composer.live).toHaveCount(0);
    await expect(composer.spoken).toHaveText('The answer is complete');
    await expect(composer.field).toBeFocused();
    await expect(composer.stop).toHaveCount(0);
    expect(records(home, id).at(-1)).toMatchObject({ role: 'assistant', stopReason: 'stop' });
    await expect(page.getByTestId('transcript')).toContainText('6 lines');
    await expect(app.context).toContainText('Messages 6');
  });

  await test.step('Enter sends, Shift+Enter does not, and neither does Enter that ends a word', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    await app.message(2).focus();
    await page.keyboard.press('r');
    await expect(composer.field).toBeFocused();
    const small = (await composer.field.boundingBox())?.height ?? 0;
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    expect((await composer.field.boundingBox())?.height).toBeGreaterThan(small + 10);
    await composer.field.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await expect(composer.field).toHaveValue('one\ntwo');
    await composer.field.fill('line\n'.repeat(200));
    expect((await composer.field.boundingBox())?.height).toBeLessThanOrEqual(900 * 0.4 + 1);
    model.says('Fine.');
    await composer.send('one\ntwo');
    await expect(app.message(4)).toContainText('Fine.');
    expect(textOf(records(home, id)[2])).toBe('one\ntwo');
  });

  await test.step('stopped, what came is kept and marked', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    const reply = model.reply();
    await composer.send('Go on and on.');
    reply.text('It goes on');
    await expect(composer.live).toContainText('It goes on');
    await page.keyboard.press('Escape');
    await reply.closed;
    await expect(app.message(4)).toContainText('It goes on');
    await expect(app.message(4)).toContainText('Stopped before it was complete');
    await expect(composer.stop).toHaveCount(0);
    await expect(composer.spoken).toHaveText('The answer was stopped');
    expect(records(home, id).at(-1)).toMatchObject({ stopReason: 'aborted' });

    const second = model.reply();
    await composer.send('Once more.');
    await second.asked;
    await composer.stop.click();
    await expect(app.message(6)).toContainText('Stopped before it began');
    await expect(app.message(6)).toContainText('The model does not see this.');
    await expect(composer.field, 'the focus is not lost with the button').toBeFocused();
    await expect(composer.retry).toBeVisible();
  });

  await test.step('messages wait for the answer in their order, and can be withdrawn', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    const first = model.reply();
    await composer.send('First.');
    first.text('One');
    await expect(composer.live).toContainText('One');
    for (const text of ['Second.', 'Third.', 'Fourth.']) await composer.send(text);
    await expect(composer.queued).toContainText(['Second.', 'Third.', 'Fourth.']);
    await expect(composer.region).toContainText('3 messages wait');

    await page.getByRole('button', { name: 'Withdraw “Third.”' }).click();
    await expect(composer.queued).toContainText(['Second.', 'Fourth.']);
    await expect(composer.field).toHaveValue('Third.');
    await expect(composer.field).toBeFocused();
    await page.getByRole('button', { name: 'Withdraw “Fourth.”' }).click();
    await expect(composer.field, 'what stands there is not written over').toHaveValue('Third.');
    await app.toast.getByRole('button', { name: 'Put it in the field' }).click();
    await expect(composer.field).toHaveValue('Third.\n\nFourth.');

    const second = model.reply();
    first.done();
    await expect(app.message(4)).toContainText('One');
    await second.asked;
    await expect(composer.queued).toHaveCount(0);
    await expect(app.message(5)).toContainText('Second.');
    second.text('Two').done();
    await expect(app.message(6)).toContainText('Two');
    expect(records(home, id).map(textOf).slice(2)).toEqual(['First.', 'One', 'Second.', 'Two']);
  });

  await test.step('a call that the model makes is shown as a card', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    const reply = model.reply();
    await composer.send('Look for it.');
    reply.text('I look.').toolCall('grep', { pattern: 'harbour', path: 'docs' });
    model.says('That is not for me to do.');
    reply.done();
    await expect(app.message(4).getByTestId('tool-card')).toContainText('harbour in docs');
    await expect(app.message(6)).toContainText('That is not for me to do.');
  });

  await test.step('when the record takes the place of what was streamed, nothing moves and nothing blinks', async () => {
    const id = home.session(conversation(8));
    await app.go(id);
    const reply = model.reply();
    await composer.send('Say it all.');
    reply.text(
      '# One\n\nA paragraph.\n\n- a\n- b\n\n  b goes on\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n## Two\n\nThe end.',
    );
    await expect(composer.live).toContainText('The end.');
    await app.settled();
    const box = () =>
      page
        .locator('[data-position="9"] .prose')
        .evaluate((prose) => [Math.round(prose.getBoundingClientRect().top), Math.round(prose.clientHeight)]);
    const before = await box();

    // Looks at every frame until the record is there.
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      const look = () => {
        const row = document.querySelector('[data-position="9"]');
        seen.push(`${row?.getAttribute('data-testid')} ${row?.textContent.includes('The end.')}`);
        if (document.querySelectorAll('[data-position="10"]').length > 0) seen.push('twice');
        requestAnimationFrame(look);
      };
      look();
    });
    reply.done();
    await expect(app.message(10)).toContainText('The end.');
    await expect(composer.live).toHaveCount(0);
    expect(await box()).toEqual(before);
    const seen = () => page.evaluate(() => [...new Set((window as unknown as { seen: string[] }).seen)]);
    await expect.poll(seen, 'the next frame has it').toEqual(['live true', 'message true']);
  });

  await test.step('another model is chosen from the list, and asked from then on', async () => {
    const id = home.session(conversation(2));
    await app.go(id);
    await expect(composer.model).toHaveText('test-model');
    await composer.model.click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(composer.model).toHaveText('other-model');
    await expect(composer.model).toBeFocused();
    const reply = model.reply();
    await composer.send('Who are you?');
    expect((await reply.asked).body.model).toBe('other-model');
    reply.text('The other one.').done();
    await expect(app.message(5)).toContainText('The other one.');
    await page.reload();
    await expect(composer.model, 'the log says which one it is').toHaveText('other-model');
  });
});

test('an answer is text on its way too: nothing in it runs, loads or opens', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  model.models[1] = NAME;
  const id = home.session(conversation(2));
  await app.open(id);
  await composer.model.click();
  await expect(page.getByTestId('model-menu')).toContainText('<img');
  await page.keyboard.press('Escape');
  const reply = model.reply();
  await composer.send(HOSTILE);
  const half = Math.floor(HOSTILE.length / 2);
  reply.thinking(HOSTILE).text(HOSTILE.slice(0, half));
  await expect(composer.live).toContainText('<script>');
  await composer.live.getByTestId('thinking').getByRole('button').click();
  await composer.send(`${NAME} ${HOSTILE}`);
  reply.text(HOSTILE.slice(half)).toolCall(NAME, { command: HOSTILE, [NAME]: BIDI });
  model.reply().error(400, NAME);
  reply.done();
  await expect(page.getByTestId('tool-card').first()).toContainText('<script>');
  await expect(page.getByTestId('stop-note').first()).toContainText('<img');
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  await expect(page.locator('main img, main script, main iframe, main form')).toHaveCount(0);
});
