import { Log, textBlock } from './support/log';
import { expect, test } from './support/shared';

const usage = (input: number, output: number, cost?: number) => ({
  usage: { input, output, cacheRead: 0, cacheWrite: 0, ...(cost === undefined ? {} : { cost }) },
});

test('what a turn used stands where it ends, and what is not known is not said', async ({ app, home }) => {
  const log = new Log().user('Count.');
  const call = [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'wc' } }];
  log.assistant(call, { stopReason: 'toolUse', ...usage(1000, 100, 0.01) });
  log.message('toolResult', [textBlock('3')], { toolCallId: 'c', isError: false });
  log
    .assistant('Three.', usage(200, 240, 0.002))
    .user('And now?')
    .assistant('Four.', usage(500, 20));
  log.user('And then?').assistant('Five.');
  await app.open(home.session(log, { name: 'count' }));
  await expect(app.message(4).getByTestId('turn-usage')).toContainText('1.2k in · 340 out');
  await expect(app.message(4).getByTestId('turn-usage')).toContainText('$0.012');
  await expect(app.message(4).getByTestId('turn-usage')).toHaveAttribute('title', /2 requests\n1,200 tokens in/);
  await expect(app.message(6).getByTestId('turn-usage')).toContainText('500 in · 20 out');
  await expect(app.message(6).getByTestId('turn-usage')).not.toContainText('$');
  for (const seq of [1, 2, 5, 8]) await expect(app.message(seq).getByTestId('turn-usage')).toHaveCount(0);
});

test('much that a turn used, and that there is more, has room beside it', async ({ app, home }) => {
  const log = new Log().user('Count all.');
  log.assistant('One.', { stopReason: 'toolUse' }).assistant('All.', usage(123_456, 12_345));
  await app.open(home.session(log, { name: 'count all' }));
  const used = app.message(3).getByTestId('turn-usage');
  await expect(used).toContainText('≥ 123k in · ≥ 12k out');
  const right = await used.locator('.tokens').evaluate((tokens) => {
    const words = document.createRange();
    words.selectNodeContents(tokens);
    return words.getBoundingClientRect().right;
  });
  const frame = await app.log.boundingBox();
  expect(right).toBeLessThanOrEqual((frame?.x ?? 0) + (frame?.width ?? 0));
});
