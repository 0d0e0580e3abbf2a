import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, Turns } from '../src/lib/backend';
import { Composer } from './support/composer';
import type { Home } from './support/home';
import { BIDI, HOSTILE, NAME } from './support/hostile';
import { conversation } from './support/log';
import { look, SIZES, looks } from './support/look';
import { expect, test } from './support/test';

interface Recorded {
  recordType: string;
  role?: string;
  stopReason?: string;
  content?: { type: string; text?: string }[];
}

function records(home: Home, id: string): Recorded[] {
  const lines = home.log(id).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Recorded);
}
const textOf = (record: Recorded | undefined) => record?.content?.find(({ type }) => type === 'text')?.text;

test.use({ withModel: true });

test('a message is sent, its answer is written as it comes, and both are in the log', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(4), { name: 'harbour' });
  await app.open(id);
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

test('when the record takes the place of what was streamed, nothing moves and nothing blinks', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(8));
  await app.open(id);
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
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect([...new Set(seen)]).toEqual(['live true', 'message true']);
});

test('Enter sends, Shift+Enter does not, and neither does Enter that ends a word', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('stopped, what came is kept and marked', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('messages wait for the answer in their order, and can be withdrawn', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('a failed answer says why, stays in the log, and can be tried again, also after a reload', async ({
  app,
  home,
  model,
}) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('while the server asks to wait, it says for how long', async ({ app, home, model }) => {
  const composer = new Composer(app.page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('a connection that breaks off in the middle keeps what came, or asks again', async ({ app, home, model }) => {
  const composer = new Composer(app.page);
  const id = home.session(conversation(2));
  await app.open(id);
  const reply = model.reply();
  await composer.send('Tell me.');
  reply.text('Half of');
  await expect(composer.live).toContainText('Half of');
  reply.breakOff();
  await expect(composer.failure.or(app.page.getByTestId('retrying'))).toBeVisible();
});

test('where the context does not fit, compacting is a press away', async ({ app, home, model }) => {
  const composer = new Composer(app.page);
  const id = home.session(conversation(2));
  await app.open(id);
  model.reply().error(400, "This model's maximum context length is 10 tokens", { code: 'context_length_exceeded' });
  model.reply().error(400, 'No summaries here.'); // compacting by itself does not help either
  await composer.send('Too much.');
  await expect(composer.failure).toContainText('does not fit');
  await composer.failure.getByRole('link', { name: 'Compact…' }).click();
  expect(new URL(app.page.url()).hash).toBe(`#/s/${id}/compact`);
});

test(
  'a context that is full is compacted first, and that is said',
  { tag: '@look' },
  async ({ app, home, model, program }) => {
    const composer = new Composer(app.page);
    const id = home.session(conversation(160));
    home.config('context_window: 5000\ncompaction:\n  reserve_tokens: 1500\n  keep_recent_tokens: 2000\n');
    await expect.poll(async () => (await program.get<Context>(`sessions/${id}/context`)).tokens.window).toBe(5000);
    await app.open(id);
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
  },
);

test('another program that writes is named, and the message is kept', async ({ app, home, model }) => {
  const composer = new Composer(app.page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('another model is chosen from the list, and asked from then on', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
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

test('a new conversation exists once its first message is sent', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
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

test('after a reload in the middle of an answer it goes on', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(2));
  await app.open(id);
  const reply = model.reply();
  await composer.send('Slowly, please.');
  reply.text('The first half');
  await expect(composer.live).toContainText('The first half');
  await composer.send('And then?');
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

test('news that were missed are asked for', async ({ app, home, model, program }) => {
  const { page } = app;
  const composer = new Composer(page);
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

test('who reads further up is left there, and finds the way to the latest', async ({ app, home, model }) => {
  const { page } = app;
  const composer = new Composer(page);
  const id = home.session(conversation(60));
  await app.open(id);
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

test('a call that the model makes is shown as a card', async ({ app, home, model }) => {
  const composer = new Composer(app.page);
  const id = home.session(conversation(2));
  await app.open(id);
  const reply = model.reply();
  await composer.send('Look for it.');
  reply.text('I look.').toolCall('grep', { pattern: 'harbour', path: 'docs' });
  model.says('That is not for me to do.');
  reply.done();
  await expect(app.message(4).getByTestId('tool-card')).toContainText('harbour in docs');
  await expect(app.message(6)).toContainText('That is not for me to do.');
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

test.describe('without a model', () => {
  test.use({ withModel: false });

  test('reading works, and it says how to connect one', async ({ app, home }) => {
    const { page } = app;
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

  test('what is found on this machine is one press away', async ({ app, home, model }) => {
    const { page } = app;
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

test('a server that is down is named, and writing goes on', async ({ app, home, model }) => {
  const composer = new Composer(app.page);
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

test(
  'every state of it is open to everybody, in both themes and in small windows',
  { tag: '@look' },
  async ({ app, home, model }) => {
    test.slow();
    const { page } = app;
    const composer = new Composer(page);
    const id = home.session(conversation(6), { name: 'harbour' });
    await app.open(id);
    for (const size of [...SIZES, { width: 700, height: 480 }, { width: 2560, height: 1440 }]) {
      await page.setViewportSize(size);
      await look(page, 'composer');
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await composer.model.click();
    await look(page, 'composer-models');
    await page.keyboard.press('Escape');

    const reply = model.reply();
    await composer.send('Say it all.');
    await expect(composer.live).toContainText('Waiting');
    await looks(page, 'composer-waiting');
    reply.thinking('Hm.').text('# One\n\nA paragraph with `code`.\n\n| x | y |\n|---|---|\n| 1 | 2');
    await expect(composer.live.locator('table')).toBeVisible();
    for (const text of ['And then?', 'And after that?']) await composer.send(text);
    await expect(composer.queued).toHaveCount(2);
    for (const size of [...SIZES, { width: 700, height: 480 }]) {
      await page.setViewportSize(size);
      await app.settled();
      await look(page, 'composer-queued');
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    model.reply().error(503, 'overloaded', { headers: { 'Retry-After': '30' } });
    await composer.stop.click();
    await expect(page.getByTestId('retrying')).toBeVisible();
    await looks(page, 'composer-retrying');
    model.reply().error(401, 'Incorrect API key provided');
    await composer.stop.click();
    await expect(composer.failure).toBeVisible();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await app.settled();
      await look(page, 'composer-failed');
    }
    await page.keyboard.press('Escape');
    await page.getByTestId('new').click();
    await expect(page.getByTestId('new-conversation')).toBeVisible();
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await look(page, 'composer-new');
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
    for (const size of [...SIZES, { width: 700, height: 480 }]) {
      await page.setViewportSize(size);
      await look(page, 'connect-nothing');
    }
    servers = [
      { name: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', models: ['llama3.2', 'qwen3:8b'] },
      { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', models: [] },
    ];
    await page.getByRole('button', { name: 'Look again' }).click();
    await expect(page.getByTestId('found')).toHaveCount(2);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await look(page, 'connect-found');
    }
  });
});
