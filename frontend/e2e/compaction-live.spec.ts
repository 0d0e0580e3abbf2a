import type { Context } from '../src/lib/backend';
import { Composer } from './support/composer';
import { conversation } from './support/log';
import { expect, test } from './support/test';

test.use({ withModel: true });

test('a compaction on the way is seen as it happens, and undone once the answer is there', async ({
  app,
  home,
  model,
  program,
}) => {
  const id = home.session(conversation(160));
  home.config('context_window: 5000\ncompaction:\n  reserve_tokens: 1500\n  keep_recent_tokens: 2000\n');
  await expect.poll(async () => (await program.get<Context>(`sessions/${id}/context`)).tokens.window).toBe(5000);
  await app.open(id);
  const summary = model.reply();
  await new Composer(app.page).send('And now?');
  await summary.asked;
  await expect(app.page.getByTestId('waiting')).toHaveText('Compacting first…');
  const answer = model.reply();
  summary.text('## Goal\n\nTell.').done();
  await answer.asked;
  const band = app.page.getByTestId('compaction-band');
  await expect(band).toBeVisible();
  const undo = band.getByTestId('undo-compaction');
  await expect(undo).toHaveAttribute('title', 'Is undone when the turn has ended');
  await undo.press('Enter');
  await expect(undo).toHaveText('Undo after this turn');
  await undo.press('Enter');
  await expect(undo).toHaveText('Undo');
  await undo.press('Enter');
  answer.text('Now.').done();
  await expect(app.log).toContainText('Now.');
  await expect(band.getByTestId('redo-compaction')).toBeVisible();
});
