import type { Log } from './support/log';
import { look, SIZES } from './support/look';
import { at, editor, opened, twice } from './support/reviews';
import { expect, test } from './support/shared';

/** A conversation with something of everything that a review shows. */
function full(): Log {
  const log = twice();
  for (let n = 0; n < 20; n++) {
    log.call('bash', { command: 'go test ./...' }, 'ok\n'.repeat(40 * n)).user(`Go on ${n}.`);
  }
  return log;
}

const ALL = [...SIZES, { width: 700, height: 480 }];
const narrow = ({ width }: { width: number }) => width < 1000;

test.describe('can be read by everyone, at every size', () => {
  test('a draft', { tag: '@look' }, async ({ app, home }) => {
    test.slow();
    const { page } = app;
    await opened(app, home.session(full(), { name: 'fix the harbour lights' }));
    for (const size of ALL) {
      const asBefore = size !== ALL[0];
      await page.setViewportSize(size);
      await expect(editor(app)).toBeVisible();
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await look(page, `review-${(await tab.getAttribute('data-tab')) ?? ''}`, { asBefore });
      }
      await at(page, 'tab-draft').click();
    }
  });

  test('a draft for another cut', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(full(), { name: 'fix the harbour lights' }));
    for (const size of ALL) {
      const asBefore = size !== ALL[0];
      await page.setViewportSize(size);
      await editor(app).fill('Mine');
      if (narrow(size)) await at(page, 'tab-rows').click();
      await page.getByRole('slider', { name: 'Cut' }).focus();
      await page.keyboard.press('ArrowUp');
      await expect(at(page, 'misplaced')).toBeVisible();
      await look(page, 'review-misplaced', { asBefore });
      await page.keyboard.press('ArrowDown');
      await expect(at(page, 'misplaced')).toHaveCount(0);
      if (narrow(size)) await at(page, 'tab-draft').click();
    }
  });

  test('a compaction of the past', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(full(), { name: 'fix the harbour lights' }));
    const conversation = page.url();
    for (const size of ALL) {
      const asBefore = size !== ALL[0];
      await page.setViewportSize(size);
      await page.goto(`${conversation}/compaction/22`);
      await expect(at(page, 'past-facts')).toBeVisible();
      await expect(at(page, 'side-by-side')).toHaveCount(0);
      await look(page, 'review-past', { asBefore });
      await at(page, 'compare').selectOption({ index: 1 });
      await expect(at(page, 'side-by-side')).toBeVisible();
      await look(page, 'review-pair', { asBefore });
      await page.goto(conversation);
      await expect(at(page, 'past-facts')).toHaveCount(0);
    }
  });

  test.describe('with a model', () => {
    test.use({ withModel: true });

    test('an offer, a draft on its way, and one that failed', { tag: '@look' }, async ({ app, home, model }) => {
      test.slow();
      const { page } = app;
      await opened(app, home.session(full(), { name: 'fix the harbour lights' }));
      for (const size of ALL) {
        const asBefore = size !== ALL[0];
        await page.setViewportSize(size);
        await expect(at(page, 'offer')).toBeVisible();
        await look(page, 'review-offer', { asBefore });
        // Pressed once only, but at each size it could be.
        await at(page, 'write').click({ trial: true });
      }
      const reply = model.reply().text('## Goal\nKeep the **harbour** lights on.\n\n## Next');
      await at(page, 'write').click();
      for (const size of ALL) {
        const asBefore = size !== ALL[0];
        await page.setViewportSize(size);
        await expect(at(page, 'streaming')).toContainText('## Next');
        await look(page, 'review-streaming', { asBefore });
      }
      reply.breakOff();
      model.reply().error(400, 'the tide is out');
      for (const size of ALL) {
        const asBefore = size !== ALL[0];
        await page.setViewportSize(size);
        await expect(at(page, 'draft-failed')).toBeVisible();
        await look(page, 'review-failed', { asBefore });
      }
    });
  });
});
