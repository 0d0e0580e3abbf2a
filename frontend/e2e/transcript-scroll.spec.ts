import { conversation } from './support/log';
import { expect, test } from './support/shared';

function line(text: string): string {
  return `${JSON.stringify({ recordType: 'message', role: 'user', content: [{ type: 'text', text }] })}\n`;
}

test('a conversation is read from its end, its start and any message in it', async ({ app, home, context }) => {
  test.slow();
  const { page } = app;

  await test.step('a conversation opens at its end; scrolling up loads what came before, without gaps', async () => {
    const id = home.session(conversation(240));
    await app.open(id);
    await expect(app.message(240)).toBeInViewport();
    await expect(page.getByTestId('to-end')).toHaveCount(0);
    const fromEnd = () => app.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
    expect(await fromEnd()).toBeLessThan(2);

    const seen = new Set<number>();
    const note = async () => {
      const seqs = await app.log.locator('article[data-seq]').evaluateAll((rows) => rows.map((row) => row.dataset.seq));
      for (const seq of seqs) seen.add(Number(seq));
    };
    await app.log.hover();
    for (let turn = 0; turn < 200 && (await app.scrollTop()) > 0; turn++) {
      await note();
      const before = await app.scrollTop();
      await page.mouse.wheel(0, -1200);
      await expect.poll(() => app.scrollTop()).not.toBe(before);
      // Fails if anything in view stays bare or a skeleton.
      await app.settled();
    }
    await note();
    expect(await app.scrollTop()).toBe(0);
    await expect(app.message(1)).toBeInViewport();
    expect(seen.size, 'every message came into view on the way').toBe(240);

    await page.getByTestId('to-end').click();
    await expect(app.message(240)).toBeInViewport();
    expect(await fromEnd()).toBeLessThan(2);
  });

  await test.step('of 20,000 messages the end is there at once, the start with Home, the end with End', async () => {
    const id = home.session(conversation(20_000));
    await app.go(id);
    await expect(app.message(20_000)).toBeInViewport();
    await expect(page.getByTestId('transcript')).toContainText('20,000 lines');
    expect(await app.log.locator('article').count(), 'only what is near the view is made').toBeLessThan(150);

    await app.log.click({ position: { x: 500, y: 300 } });
    await page.keyboard.press('Home');
    await expect(app.message(1)).toBeInViewport();
    await app.settled();
    await expect(app.message(1)).toBeFocused();
    await page.keyboard.press('End');
    await expect(app.message(20_000)).toBeInViewport();
    await app.settled();
    await expect(app.message(20_000)).toBeFocused();
  });

  await test.step('an address with a number opens at that message; the number in the gutter makes such an address', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const id = home.session(conversation(2000));
    await app.go(id, 777);
    await expect(app.message(777)).toBeInViewport();
    await app.go(id, 1500);
    await expect(app.message(1500)).toBeInViewport();

    await app.message(1500).getByTestId('seq').click();
    await expect(app.toast).toContainText('Link copied');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(page.url());
    expect(new URL(copied).hash).toBe(`#/s/${id}/1500`);
    await page.reload();
    await expect(app.message(1500)).toBeInViewport();

    await app.go(id, 99_999);
    await expect(page.getByTestId('no-seq')).toContainText('no record 99999');
  });

  await test.step('what is appended shows at the end, and moves nothing for who reads further up', async () => {
    const id = home.session(conversation(300));
    await app.go(id);
    await home.run(['append', id], line('The first news.'));
    await expect(app.message(301)).toBeInViewport();
    await app.settled();

    await app.log.hover();
    const end = await app.scrollTop();
    await page.mouse.wheel(0, -3000);
    await expect.poll(() => app.scrollTop()).toBeLessThan(end - 2000);
    await app.settled();
    // What stands outside of the log is there or not, as the list sees fit.
    const view = () =>
      app.log.evaluate((log) => {
        const { top: from, bottom: to } = log.getBoundingClientRect();
        return [...log.querySelectorAll('article')]
          .map((row) => ({ seq: row.dataset.seq, top: Math.round(row.getBoundingClientRect().top) }))
          .filter(({ top }) => top > from && top < to);
      });
    const before = await view();
    expect(before.length).toBeGreaterThan(3);
    await home.run(['append', id], line('The second news.') + line('The third.'));
    await expect(page.getByTestId('transcript')).toContainText('303 lines');
    await app.settled();
    expect(await view()).toEqual(before);

    await page.getByTestId('to-end').click();
    await expect(app.message(303)).toBeInViewport();
  });
});
