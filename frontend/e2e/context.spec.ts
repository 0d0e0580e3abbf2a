import type { Context } from '../src/lib/backend';
import { compacted, conversation, Log } from './support/log';
import { expect, test } from './support/shared';

const PARTS = ['injected', 'summary', 'kept', 'fresh', 'free', 'reserve'];

test('the parts of the window add up, and are those of the program', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(compacted());
  const { tokens, parts } = await program.get<Context>(`sessions/${id}/context?messages=0`);
  await app.open(id);
  const shown: Record<string, number> = {};
  for (const key of PARTS) {
    const part = page.getByTestId(`part-${key}`);
    if ((await part.count()) === 0) continue;
    shown[key] = Number((await part.locator('dd').textContent())?.replaceAll(',', ''));
  }
  expect(shown).toMatchObject({ summary: parts.summary, kept: parts.kept, fresh: parts.fresh });
  expect(shown.reserve).toBe(tokens.reserve);
  expect(Object.values(shown).reduce((sum, n) => sum + n)).toBe(tokens.window);
  const used = (shown.injected ?? 0) + (shown.summary ?? 0) + (shown.kept ?? 0) + (shown.fresh ?? 0);
  expect(used).toBe(tokens.calibrated);
  await expect(page.getByTestId('context-total')).toHaveAttribute('data-tokens', String(used));
  const widths = await app.context
    .getByRole('img', { name: /percent of the window/ })
    .locator('i')
    .evaluateAll((all) => all.map((one) => parseFloat(one.style.width)));
  expect(widths.reduce((sum, n) => sum + n)).toBeCloseTo(100, 3);

  await page.getByTestId('counting').click();
  await expect(app.context).toContainText('Reported by the model not reported');
  await expect(app.context).toContainText(`Estimated from the text ${tokens.estimate}`);
});

test('pressing a compaction goes to it, however far away it is', async ({ app, home }) => {
  const { page } = app;
  const log = conversation(600);
  log.compaction(400, 'The first summary.');
  for (let n = 0; n < 600; n++) log.user(`Later ${n}.`);
  log.compaction(1100, 'The second summary.').user('The end.');
  await app.open(home.session(log));
  const list = page.getByTestId('compaction');
  await expect(list).toHaveCount(2);
  await expect(list.first()).toHaveAttribute('data-state', 'inForce');
  await expect(list.last()).toHaveAttribute('data-state', 'folded');
  await list.last().click();
  await expect(app.band(601)).toBeInViewport();
  await app.settled();
  await expect(app.band(601)).toBeInViewport();
  await list.first().click();
  await expect(app.band(1202)).toBeInViewport();
});

test('repairs are listed with their reasons, and lead to their messages', async ({ app, home, program }) => {
  const { page } = app;
  const log = new Log().user('Begin.').call('bash', { command: 'sleep' }).user('Interrupted.');
  log.message('toolResult', 'for nobody', { toolCallId: 'call_of_nobody', isError: false });
  for (let n = 0; n < 200; n++) log.user(`Later ${n}.`);
  const id = home.session(log);
  const { repairs } = await program.get<Context>(`sessions/${id}/context?messages=0`);
  expect(repairs.map(({ seq }) => seq).sort()).toEqual([2, 4]);
  await app.open(id);
  await page.getByTestId('repairs').click();
  for (const { reason } of repairs) await expect(app.context).toContainText(reason);
  await app.context.getByRole('button', { name: '4', exact: true }).click();
  await expect(app.row(4)).toBeInViewport();
});

test('without a compaction the panel says so, and all that is said is one part', async ({ app, home }) => {
  const id = home.session(conversation(4), { cwd: '/srv/gateway' });
  await app.open(id);
  await expect(app.context).toContainText('None yet. “Compact…” shows');
  for (const part of ['summary', 'fresh']) await expect(app.page.getByTestId(`part-${part}`)).toHaveCount(0);
  await expect(app.page.getByTestId('part-kept')).toContainText('Messages');
  await app.page.getByTestId('toggle-context').click();
  await expect(app.context).toHaveCount(0);
  await app.page.keyboard.press(']');
  await expect(app.context).toBeVisible();
});
