import { foreignFile } from './support/foreign';
import { looks } from './support/look';
import { expect, test } from './support/shared';

const at = '2026-11-20T10:00:00.000Z';

test('thinking that its agent does not send again is shown for what it is', { tag: '@look' }, async ({ app, home }) => {
  foreignFile(home, '.gemini/tmp/app/chats/session-2026-11-20T10-00-s1.jsonl', [
    { sessionId: 's1', projectHash: 'h', startTime: at, lastUpdated: at, kind: 'main' },
    { id: 'u1', timestamp: at, type: 'user', content: [{ text: 'Light it.' }] },
    {
      id: 'g1',
      timestamp: at,
      type: 'gemini',
      content: 'The lamp is on.',
      thoughts: [{ subject: 'Looking around', description: 'Is there a lantern?' }],
      model: 'gemini-3',
    },
  ]);
  await app.open('gemini:s1');
  const answer = app.page.getByTestId('message').filter({ hasText: 'The lamp is on.' });
  const aside = answer.getByTestId('aside');
  await expect(aside).toHaveCount(1);
  await expect(aside).toHaveAttribute('title', 'Gemini CLI does not send this to the model again.');
  await expect(aside.getByText('Gemini CLI does not send this to the model again.')).toBeAttached();
  await expect(aside.getByText('Thinking, not sent again')).toBeVisible();
  await expect(aside).not.toContainText('The lamp is on.');
  await expect(answer).toHaveAttribute('data-state', 'kept');
  await looks(app.page, 'aside');

  // The model does not see it, but for somebody who looks for it.
  await app.page.keyboard.press('m');
  await expect(answer.getByText('The lamp is on.')).toBeVisible();
  await expect(aside).toHaveCount(0);
  await app.page.keyboard.press('Control+f');
  await app.page.keyboard.type('lantern');
  await expect(aside).toBeVisible();
});
