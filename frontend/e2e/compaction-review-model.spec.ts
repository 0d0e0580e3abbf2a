import { conversation } from './support/log';
import { at, editor, opened } from './support/reviews';
import { expect, test } from './support/shared';

test.describe('with a model', () => {
  test.use({ withModel: true });

  test('its cost is known first; it streams, is edited, accepted, undone, and found again', async ({
    app,
    home,
    model,
  }) => {
    const { page } = app;
    const id = home.session(conversation(40));
    await opened(app, id);
    await expect(at(page, 'offer')).toContainText('test-model');
    await expect(at(page, 'offer')).toContainText(/about [\d,]+ tokens/);
    await expect(editor(app)).toHaveCount(0);
    expect(model.asked).toHaveLength(0);

    const reply = model.reply().text('## Goal\nKeep the **harb');
    await at(page, 'instructions').fill('keep the lights');
    await at(page, 'write').click();
    await expect(at(page, 'streaming')).toContainText('Keep the **harb');
    await expect(at(page, 'progress')).toContainText('test-model is writing');
    await expect(at(page, 'accept')).toHaveAttribute('aria-disabled', 'true');
    expect(JSON.stringify((await reply.asked).body.messages)).toContain('keep the lights');
    reply.text('our** lights.\n').done();
    await expect(editor(app)).toHaveValue('## Goal\nKeep the **harbour** lights.');
    await expect(at(page, 'draft-notes')).toContainText('Missing sections');

    await editor(app).press('End');
    await editor(app).fill('## Goal\nKeep the **harbour** lights on.');
    await page.keyboard.press('Control+Enter');
    const band = page.getByTestId('compaction-band');
    await expect(band).toContainText('Keep the harbour lights on.');
    await app.toast.getByRole('button', { name: 'Undo' }).click();
    await expect(band).toHaveAttribute('data-state', 'reverted');
    await page.reload();
    await band.getByTestId('review-compaction').click();
    await expect(at(page, 'past-facts')).toContainText('test-model');
    await expect(at(page, 'past-facts')).toContainText('keep the lights');
    await expect(at(page, 'past-facts')).toContainText('edited by hand');
    await expect(at(page, 'past-facts')).toContainText('undone');
  });

  test('is cancelled at any time, and what was there stays', async ({ app, home, model }) => {
    const { page } = app;
    const id = home.session(conversation(40));
    const log = home.log(id);
    await opened(app, id);
    const reply = model.reply().text('## Goal\nNever mind');
    await at(page, 'write').click();
    await expect(at(page, 'streaming')).toContainText('Never mind');
    await at(page, 'cancel-draft').click();
    await reply.closed;
    await expect(at(page, 'draft-cancelled')).toContainText('Nothing was written');
    await expect(at(page, 'offer')).toBeVisible();
    model.says('## Goal\nThis one.');
    await at(page, 'write').click();
    await expect(editor(app)).toHaveValue('## Goal\nThis one.');
    expect(home.log(id)).toEqual(log);
  });

  test('a failure says what happened and what is safe, and is tried again', async ({ app, home, model }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    model.reply().error(400, 'the tide is out');
    await at(page, 'write').click();
    await expect(at(page, 'draft-failed')).toContainText('the tide is out');
    await expect(at(page, 'draft-failed')).toContainText(/Nothing was lost(?!.*Nothing was)/s);
    await expect(at(page, 'offer'), 'it is offered once').toHaveCount(0);
    model.says('## Goal\nBetter.');
    await at(page, 'retry-draft').click();
    await expect(editor(app)).toHaveValue('## Goal\nBetter.');
    await expect(at(page, 'draft-failed')).toHaveCount(0);
  });

  test('goes on while the view is left', async ({ app, home, model }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    const reply = model.reply().text('## Goal\nOne');
    await at(page, 'write').click();
    await expect(at(page, 'streaming')).toContainText('One');
    await page.keyboard.press('Escape');
    reply.text(' two');
    await at(page, 'compact').click();
    await expect(at(page, 'streaming')).toContainText('One two');
    reply.text(' three').done();
    await expect(editor(app)).toHaveValue('## Goal\nOne two three');
  });

  test('60 KB are drawn once, not again with each piece', async ({ app, home, model }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    const reply = model.reply();
    await at(page, 'write').click();
    await reply.asked;
    const line = `- ${'word '.repeat(11)}\n`;
    reply.text(`## Goal\n${line.repeat(100)}`);
    const streaming = at(page, 'streaming');
    const written = () => streaming.evaluate((el) => el.textContent.length);
    await expect.poll(written).toBe(8 + line.length * 100);
    await page.evaluate(() => {
      const drawn = { characters: 0 };
      Object.assign(window, { drawn });
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
          const fresh = type === 'characterData' ? [target] : [...addedNodes];
          drawn.characters += fresh.reduce((sum, node) => sum + (node.textContent ?? '').length, 0);
        }
      }).observe(document.querySelector('[data-testid="streaming"]') ?? document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    for (let n = 0; n < 12; n++) {
      const before = 8 + line.length * (100 + 75 * n);
      reply.text(line.repeat(75));
      await expect.poll(written, { intervals: [400] }).toBe(before + line.length * 75);
    }
    const drawn = await page.evaluate(() => (window as unknown as { drawn: { characters: number } }).drawn.characters);
    // The block at the end is drawn again while it grows; all of it each time would be seven times the text.
    expect(drawn).toBeLessThan(4 * line.length * 900);
    reply.done();
    await expect(editor(app)).toBeVisible();
  });
});
