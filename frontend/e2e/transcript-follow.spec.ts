import type { Page } from '@playwright/test';
import { Composer } from './support/composer';
import { conversation, Log } from './support/log';
import { expect, test } from './support/shared';

const fromEnd = (log: Element) => log.scrollHeight - log.scrollTop - log.clientHeight;

function line(text: string): string {
  return `${JSON.stringify({ recordType: 'message', role: 'user', content: [{ type: 'text', text }] })}\n`;
}

/** What takes the reader up, whatever the list is at just then. */
const WAYS_UP: [string, (page: Page) => Promise<void>][] = [
  ['the wheel', (page) => page.mouse.wheel(0, -30)],
  ['Page Up', (page) => page.keyboard.press('PageUp')],
  ['an arrow key', (page) => page.keyboard.press('ArrowUp')],
  ['a step to the prompt before', (page) => page.keyboard.press('Shift+K')],
];

test.describe('an answer that comes', () => {
  test.use({ withModel: true });

  test('is followed for as long as nobody goes up', async ({ app, home, model }) => {
    const { page } = app;
    const composer = new Composer(page);

    await test.step('while an answer streams, any scroll up lets go at once, and nothing pulls back', async () => {
      await app.open(home.session(conversation(60)));
      const reply = model.reply();
      await composer.send('Go on.');
      await reply.asked;
      reply.text('One paragraph.\n\n'.repeat(40));
      await expect(composer.live).toContainText('One paragraph.');
      await expect.poll(() => app.log.evaluate(fromEnd)).toBeLessThan(2);

      // As little as a finger on a pad moves it.
      await app.log.hover();
      await page.mouse.wheel(0, -6);
      await expect.poll(() => app.log.evaluate(fromEnd)).toBeGreaterThan(2);
      const stood = await app.scrollTop();
      reply.text('Another paragraph.\n\n'.repeat(40));
      await expect(composer.live).toContainText('Another paragraph.');
      expect(Math.abs((await app.scrollTop()) - stood)).toBeLessThan(2);

      await page.getByTestId('to-end').click();
      await expect.poll(() => app.log.evaluate(fromEnd)).toBeLessThan(2);
      reply.text('The last paragraph.\n\n'.repeat(20)).done();
      await expect(composer.live).toHaveCount(0);
      await expect.poll(() => app.log.evaluate(fromEnd)).toBeLessThan(2);
    });

    await test.step('an answer that comes faster than anybody reads: what went past unseen is laid out for whoever goes back, and what is in view stays', async () => {
      await app.go(home.session(conversation(20)));
      const reply = model.reply();
      await composer.send('Go on.');
      await reply.asked;
      reply.text('So it begins.\n\n');
      await expect(composer.live).toContainText('So it begins.');
      const part =
        '## A heading\n\n- an item\n- another\n\n```go\nfunc main() {}\n```\n\nA paragraph of some length.\n\n';
      reply.text(part.repeat(150)).text('The last paragraph.\n\n');
      await expect(composer.live).toContainText('The last paragraph.');
      await expect.poll(() => app.log.evaluate(fromEnd)).toBeLessThan(2);
      const passed = composer.live.locator('.passed');
      await expect(passed).not.toHaveCount(0);
      expect((await composer.live.textContent())?.match(/A paragraph/g)).toHaveLength(150);

      const last = page.getByText('The last paragraph.');
      const place = async () => (await last.boundingBox())?.y ?? NaN;
      const stood = await place();
      await app.log.hover();
      await page.mouse.wheel(0, -90);
      await expect(passed).toHaveCount(0);
      expect((await place()) - stood).toBeCloseTo(90, 0);

      reply.done();
      await expect(composer.live).toHaveCount(0);
      expect((await place()) - stood).toBeCloseTo(90, 0);
    });

    await test.step('an answer in several parts is followed to the last of them', async () => {
      await app.go(home.session(conversation(4)));
      const reply = model.reply();
      await composer.send('Go on.');
      await reply.asked;
      for (let n = 0; n < 60; n++) {
        reply.text('One more paragraph.\n\n');
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      const second = model.reply();
      reply.toolCall('grep', { pattern: 'x' }).done();
      await second.asked;
      second.text('The last of it.').done();
      await expect(app.message(8)).toContainText('The last of it.');
      await expect(app.message(8)).toBeInViewport();
      expect(await app.log.evaluate(fromEnd)).toBeLessThan(2);
    });

    await test.step('an answer that fits into a larger window is followed where that becomes smaller again', async () => {
      await page.setViewportSize({ width: 900, height: 600 });
      await app.go(home.session(conversation(6)));
      const reply = model.reply();
      await composer.send('Go on.');
      await reply.asked;
      reply.text('# One\n\nA paragraph.\n\n| x | y |\n|---|---|\n| 1 | 2');
      await expect(composer.live.locator('table')).toBeVisible();
      await composer.send('And then?');
      await expect(composer.queued).toHaveCount(1);
      for (const size of [
        { width: 1440, height: 900 },
        { width: 900, height: 600 },
      ]) {
        await page.setViewportSize(size);
        await app.settled();
      }
      await expect(page.getByTestId('to-end')).toHaveCount(0);
      expect(await app.log.evaluate(fromEnd)).toBeLessThan(2);
      reply.done();
    });
  });

  test('is let go of by every way up, while every frame brings more of it', async ({ app, home, model }) => {
    const { page } = app;
    const composer = new Composer(page);
    await app.start();
    for (const [what, up] of WAYS_UP) {
      await test.step(`${what} lets go of its end`, async () => {
        await app.go(home.session(conversation(60)));
        const reply = model.reply();
        await composer.send('Go on.');
        await app.log.click({ position: { x: 8, y: 200 } });
        await reply.asked;
        const grow = async () => {
          for (let n = 0; n < 20; n++) {
            reply.text('One more paragraph.\n\n');
            await page.evaluate(() => new Promise(requestAnimationFrame));
          }
        };
        // Until whatever was in view before it is above it.
        const began = await app.scrollTop();
        while ((await app.scrollTop()) < began + 900) await grow();
        // A machine that has other things to do: what was done is heard of long before it shows.
        await page.evaluate(() => {
          const stall = () => {
            for (const until = performance.now() + 200; performance.now() < until;);
          };
          for (const kind of ['wheel', 'keydown']) addEventListener(kind, stall, { once: true, passive: true });
        });
        reply.text('One more paragraph.\n\n');
        await up(page);
        await grow();
        await expect.poll(() => app.log.evaluate(fromEnd)).toBeGreaterThan(100);
        const stood = await app.scrollTop();
        await grow();
        expect(Math.abs((await app.scrollTop()) - stood)).toBeLessThan(2);
        await expect(page.getByTestId('to-end')).toBeVisible();
        reply.done();
      });
    }
  });
});

test('what is at the end is shown as it comes, or the way there is', async ({ app, home }) => {
  const { page } = app;

  await test.step('a file that grows: followed at the end, counted above it', async () => {
    const id = home.session(conversation(200));
    await app.open(id);
    await home.run(['append', id], line('The first news.'));
    await expect(app.message(201)).toBeInViewport();
    await app.settled();
    // As the bar does it: no wheel, no key, no finger that could be seen.
    await app.log.evaluate((log) => log.scrollBy(0, -60));
    await expect(page.getByTestId('to-end')).toBeVisible();
    const stood = await app.scrollTop();
    await home.run(['append', id], line('The second.') + line('The third.') + line('The fourth.'));
    await expect(page.getByTestId('to-end')).toHaveText('New messages (3)');
    expect(Math.abs((await app.scrollTop()) - stood)).toBeLessThan(2);
    await page.getByTestId('to-end').click();
    await expect(app.message(204)).toBeInViewport();
    await app.settled();
    await home.run(['append', id], line('The fifth.'));
    await expect(app.message(205)).toBeInViewport();
  });

  await test.step('a long message of the user is folded; days and gaps stand where they are', async () => {
    const log = new Log('2026-11-19T22:58:00.000Z').user('Night.').call('bash', { command: 'sleep' }, 'done');
    log.user(`${'A pasted line.\n'.repeat(300)}Its end.`);
    const id = home.session(log);
    await app.go(id);
    await expect(page.getByTestId('day')).toHaveText(['Thursday, November 19', 'Friday, November 20']);
    await expect(app.message(4)).not.toContainText('Its end.');
    await app.message(4).getByRole('button', { name: 'Unfold · 4.4 KB, 301 lines' }).click();
    await expect(app.message(4)).toContainText('Its end.');
    await expect(app.message(4).locator('time')).toContainText('November 20, 2026 at 00:01:00');
  });

  await test.step('nobody is shown the way to an end that is in view', async () => {
    const id = home.session(conversation(200));
    await app.go(id, 199);
    await expect(app.message(200)).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('to-end')).toHaveCount(0);
    await app.log.hover();
    await page.mouse.wheel(0, -200);
    await expect(page.getByTestId('to-end')).toHaveText('To the end');
    await page.mouse.wheel(0, 190);
    await expect(app.message(200)).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('to-end')).toHaveCount(0);
  });

  for (const [width, height] of [
    [700, 480],
    [900, 600],
    [1440, 900],
  ] as const) {
    await test.step(`at ${width} by ${height} the way to the end covers nothing that is to be read or pressed`, async () => {
      await page.setViewportSize({ width, height });
      await app.go(home.session(conversation(60)), 30);
      const button = page.getByTestId('to-end');
      await expect(button).toHaveAccessibleName('To the end');
      const left = (await button.boundingBox())?.x ?? 0;
      const rows = app.log.locator('.message, time');
      const rights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().right));
      expect(Math.max(...rights)).toBeLessThanOrEqual(left);
      await button.click();
      await expect(app.message(60)).toBeInViewport();
    });
  }
});
