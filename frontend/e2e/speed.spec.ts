// What keeps the page fast, without a clock: how much of it is made, asked for and made again.
import { Composer } from './support/composer';
import { conversation, Log } from './support/log';
import { expect, test } from './support/test';

test('of 100,000 messages only what is near the view is in the page, and dragging the bar asks for little', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(conversation(100_000));
  // However long it takes to read it for the first time.
  await program.get(`sessions/${id}/outline`);
  await app.open(id);
  const nodes = () => page.locator('*').count();
  expect(await nodes()).toBeLessThan(4000);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/records?')) asked++;
  });
  // Where the bar is dragged, the view is somewhere else with every frame.
  await app.log.evaluate(async (log) => {
    const height = log.scrollHeight;
    for (let step = 1; step <= 60; step++) {
      log.scrollTop = height * (1 - step / 120);
      await new Promise(requestAnimationFrame);
    }
  });
  await app.settled();
  expect(asked, 'what was passed is not asked for, unless there was time').toBeLessThanOrEqual(100);
  expect(await nodes()).toBeLessThan(4000);
});

test('heights that settle above the view move nothing in it', async ({ app, home }) => {
  const { page } = app;
  const log = new Log();
  for (let n = 1; n <= 400; n++) log.user(`Line ${n}\n\n${'More of it.\n\n'.repeat((n * 7) % 23)}`);
  await app.open(home.session(log));
  await app.log.hover();
  for (let turn = 0; turn < 8; turn++) {
    const before = await app.scrollTop();
    const seen = await app.log.evaluate((feed) => {
      const middle = feed.getBoundingClientRect().top + feed.clientHeight / 2;
      const row = [...feed.querySelectorAll('article')].find((one) => one.getBoundingClientRect().bottom > middle);
      return { seq: Number(row?.dataset.seq), top: row?.getBoundingClientRect().top ?? 0 };
    });
    await page.mouse.wheel(0, -200);
    await expect.poll(() => app.scrollTop()).not.toBe(before);
    await app.settled();
    const top = await app.row(seen.seq).evaluate((row) => row.getBoundingClientRect().top);
    expect(Math.abs(top - seen.top - 200), 'it moved as far as the wheel was turned').toBeLessThan(2);
  }
});

test.describe('an answer that is written', () => {
  test.use({ withModel: true });

  test('is made once: what is finished stays the same, to its record and beyond', async ({ app, home, model }) => {
    const { page } = app;
    const composer = new Composer(page);
    await app.open(home.session(conversation(4)));
    const reply = model.reply();
    await composer.send('Say it all.');
    reply.text('The first paragraph.\n\n```go\nx := 1\n```\n\nThe second');
    await expect(composer.live).toContainText('The second');
    const first = await composer.live.locator('p').first().elementHandle();
    // How many elements come and go with each piece from now on.
    await page.evaluate(() => {
      const made: number[] = [];
      Object.assign(window, { made });
      const prose = document.querySelector('[data-testid="live"] .prose');
      new MutationObserver((changes) => {
        made.push(changes.reduce((sum, { addedNodes }) => sum + addedNodes.length, 0));
      }).observe(prose ?? document.body, { childList: true });
    });
    for (let n = 0; n < 40; n++) reply.text(` and on, ${n}.\n\nAnother paragraph`);
    await expect(composer.live).toContainText('and on, 39.');
    const before = await page.evaluate(() => (window as unknown as { made: number[] }).made.length);
    expect(before).toBeGreaterThan(0);
    reply.text(' that ends here.');
    await expect(composer.live).toContainText('ends here');
    const made = await page.evaluate(() => (window as unknown as { made: number[] }).made.slice(0));
    expect(Math.max(...made.slice(before)), 'only the last block is made again').toBeLessThanOrEqual(2);
    reply.done();
    await expect(app.message(6)).toContainText('ends here');
    await expect(composer.live).toHaveCount(0);
    expect(await first?.evaluate((element) => element.isConnected), 'the record takes over what is there').toBe(true);
  });
});

test('long code is coloured beside the page', async ({ app, home }) => {
  const { page } = app;
  const workers = page.waitForEvent('worker');
  const code = Array.from({ length: 780 }, (_, n) => `func f${n}() int { return ${n} }`).join('\n');
  await app.open(home.session(new Log().user('Go on.').assistant(`\`\`\`go\n${code}\n\`\`\``)));
  expect((await workers).url()).toContain('highlight');
  await expect(app.message(2).locator('.hljs-keyword').first()).toHaveText('func');
  expect(await app.message(2).locator('pre code').textContent()).toBe(code);
});

test('of large texts that unfold together only so much is made at once as the view can show', async ({ app, home }) => {
  const { page } = app;
  const log = new Log();
  for (let n = 1; n <= 24; n++) log.call('bash', { command: `cat ${n}` }, `${'A line of it.\n'.repeat(15_000)}THE END`);
  await app.open(home.session(log), 25);
  // How many characters come with each change of the page.
  await app.log.evaluate((feed) => {
    const made: number[] = [];
    Object.assign(window, { made });
    new MutationObserver((changes) => {
      const added = new Set<Node | null>(changes.flatMap(({ addedNodes }) => [...addedNodes]));
      const outermost = [...added].filter((node) => node?.isConnected && !added.has(node.parentNode));
      made.push(outermost.reduce((sum, node) => sum + (node?.textContent?.length ?? 0), 0));
    }).observe(feed, { childList: true, subtree: true });
  });
  await page.getByTestId('conversation-menu').click();
  await page.getByRole('menuitem', { name: 'Unfold all' }).click();
  const top = app.log.getByTestId('tool-output').first();
  await expect(top, 'the rest comes by itself').toContainText('THE END');
  const made = await page.evaluate(() => (window as unknown as { made: number[] }).made);
  const most = Math.max(...made);
  expect(most).toBeGreaterThan(10_000);
  expect(most, 'of each card a part').toBeLessThan(24 * 60_000);
});
