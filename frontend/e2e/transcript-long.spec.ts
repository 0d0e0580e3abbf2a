import { Log } from './support/log';
import { expect, test } from './support/shared';

const LINE = 'All work and no play makes a long log.\n';

test('what is long comes in parts, and can be shown whole', async ({ app, home }) => {
  test.slow();
  const { page } = app;

  await test.step('a message of 3 MB comes cut; all of it can be shown', async () => {
    const log = new Log()
      .user('Before.')
      .assistant(`THE START\n${LINE.repeat(80_000)}THE END`)
      .user('After.');
    await app.open(home.session(log));
    await expect(app.message(3)).toBeInViewport();
    const long = app.message(2);
    await expect(long).toContainText('THE START');
    await expect(long.getByTestId('cut')).toContainText('Cut short here');
    // What is here is unfolded; the message is more than that.
    await expect(long.getByTestId('show-all')).toHaveText(/^Unfold · \d+(\.\d)? KB, [\d,]+ lines$/);
    await expect(long.getByTestId('show-whole')).toHaveText('Show all of the message · 3.1 MB');
    await long.getByTestId('show-whole').click();
    await expect(long.getByTestId('cut')).toHaveCount(0);

    await long.getByTestId('show-all').click();
    const more = long.getByRole('button', { name: /^Show more/ });
    for (let left = 10; left > 0 && (await more.count()) > 0; left--) {
      const text = await more.textContent();
      // What comes in is laid out in turns, and moves the button away from under the pointer.
      await expect(async () => {
        await more.click();
        await expect(more.filter({ hasText: text ?? '' })).toHaveCount(0, { timeout: 2000 });
      }).toPass();
    }
    await expect(long).toContainText('THE END');
    // The view may have stayed at the end all the while, and then there is no button to go there.
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(app.message(3)).toBeInViewport({ timeout: 1000 });
    }).toPass();
    await app.settled();
  });

  await test.step('a line of one megabyte without a break neither stops the page nor widens it', async () => {
    const log = new Log().user('x'.repeat(1_000_000)).call('bash', { command: 'cat' }, 'y'.repeat(1_000_000));
    log.assistant('Done.');
    await app.go(home.session(log));
    await expect(app.message(4)).toBeInViewport();
    await app.message(2).getByTestId('tool-head').click();
    await expect(app.message(2).getByTestId('tool-output')).toContainText('yyyy');
    await expect(app.message(1)).toContainText('xxxx');
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await app.message(1).getByTestId('show-all').click();
    await expect(app.message(1).getByRole('button', { name: /^Show more/ })).toBeVisible();
    expect(await overflow()).toBeLessThanOrEqual(0);
    await app.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await app.settled();
  });

  await test.step('a text kept beside the log is read on demand', async () => {
    const id = home.session(new Log().user('Run it.'));
    const whole = `first line\n${LINE.repeat(4000)}the very last line`;
    const sha = home.blob(id, whole);
    const head = { type: 'text', text: 'first line\n[…]\n', blob: sha, bytes: Buffer.byteLength(whole) };
    const gone = { type: 'text', text: 'a head without a body', blob: 'a'.repeat(64), bytes: 70_000 };
    await home.run(
      ['append', id],
      [head, gone]
        .map((block) => `${JSON.stringify({ recordType: 'message', role: 'user', content: [block] })}\n`)
        .join(''),
    );
    await app.go(id);
    await expect(app.message(2).getByTestId('show-blob')).toHaveText('Show all of the text · 152.4 KB');
    await app.message(2).getByTestId('show-blob').click();
    await expect(app.message(2)).toContainText('the very last line');
    await app.message(3).getByTestId('show-blob').click();
    await expect(app.toast).toHaveClass(/error/);
    await expect(app.message(3)).toContainText('a head without a body');
  });
});
