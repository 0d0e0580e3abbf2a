import type { Context, Page, Sizes } from '../src/lib/backend';
import type { App } from './support/app';
import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { contrast, look, SIZES } from './support/look';
import { conversation, type Log } from './support/log';
import type { Program } from './support/program';
import { expect, test } from './support/shared';

/** Two compactions, at 15 and at 26, in a conversation that goes on behind them. */
function twice(): Log {
  const log = conversation(14);
  log.compaction(13, 'The first summary, of what was said about the lights.');
  for (let n = 0; n < 10; n++) log.user(`Later ${n}.${' And more of it.'.repeat(3 * n)}`);
  log.compaction(25, 'The second summary.');
  for (let n = 0; n < 6; n++) log.user(`At last ${n}.${' And so on.'.repeat(2 * n)}`);
  return log;
}

/** A session of pi with two compactions, in the home that the program has. */
function piTwice(home: Home): string {
  const at = (n: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + n * 60_000).toISOString();
  const rows: Record<string, unknown>[] = [
    { type: 'session', version: 3, id: 's1', timestamp: at(0), cwd: '/srv/harbour' },
  ];
  const add = (more: Record<string, unknown>) => {
    const n = rows.length;
    rows.push({ id: `e${n}`, parentId: n === 1 ? null : `e${n - 1}`, timestamp: at(n), ...more });
  };
  for (let n = 1; n <= 12; n++) {
    if (n % 5 === 0) add({ type: 'compaction', summary: 'S', firstKeptEntryId: `e${n - 1}`, tokensBefore: 90 });
    else add({ type: 'message', message: { role: 'user', content: `Question ${n}.${' More.'.repeat(9 * n)}` } });
  }
  foreignFile(home, '.pi/agent/sessions/--srv-harbour--/2026-11-20T10-00-00-000Z_s1.jsonl', rows);
  return 'pi:s1';
}

const at = (app: App, testid: string) => app.context.getByTestId(testid);

/** What the panel says is what the program says of that moment. */
async function tells(app: App, context: Context): Promise<void> {
  const { tokens, parts } = context;
  await expect(at(app, 'context-total')).toHaveAttribute('data-tokens', String(tokens.calibrated));
  for (const [part, size] of Object.entries(parts)) {
    if (size === 0) await expect(at(app, `part-${part}`)).toHaveCount(0);
    else await expect(at(app, `part-${part}`).locator('dd')).toHaveText(size.toLocaleString('en'));
  }
}

for (const whose of ['ours', 'of pi'] as const) {
  test(`the sizes of a session ${whose} are a line, and each of its moments can be looked at`, async ({
    app,
    home,
    program,
  }) => {
    const { page } = app;
    const id = whose === 'ours' ? home.session(twice()) : piTwice(home);
    const before = whose === 'ours' ? home.log(id) : null;
    const path = `sessions/${encodeURIComponent(id)}`;
    await app.open(encodeURIComponent(id));
    await expect(at(app, 'sawtooth')).toHaveAccessibleName(/tokens now, .* at most, 2 compactions/);
    await expect(at(app, 'tick')).toHaveCount(2);
    await expect(at(app, 'marker')).toHaveCount(0);

    const { points, compactions } = await program.get<Sizes>(`${path}/sizes`);
    const seen = (seq: number) => program.get<Context>(`${path}/context?at=${seq}&messages=0`);
    const now = await program.get<Context>(`${path}/context?messages=0`);
    const slider = page.getByRole('slider', { name: 'A moment of the session' });
    await expect(slider).toHaveAttribute('aria-valuetext', `now, ${now.tokens.calibrated.toLocaleString('en')} tokens`);
    await tells(app, now);

    await slider.focus();
    await page.keyboard.press('Home');
    const last = points.at(-1);
    for (const { seq, tokens } of points) {
      if (seq === last?.seq) break;
      const what = compactions.some((one) => one.seq === seq) ? 'compaction' : 'message';
      await expect(slider).toHaveAttribute(
        'aria-valuetext',
        `as of ${what} ${seq}, ${tokens.toLocaleString('en')} tokens`,
      );
      await tells(app, await seen(seq));
      await expect(at(app, 'moment')).toContainText(`As of ${what} ${seq}`);
      await expect(at(app, 'marker')).toHaveCount(1);
      await page.keyboard.press('ArrowRight');
    }
    await expect(at(app, 'moment')).toHaveCount(0);
    await tells(app, now);

    await page.keyboard.press('Home');
    await at(app, 'moment')
      .getByRole('button', { name: /message 1$/ })
      .click();
    await expect(app.row(points[0]?.seq ?? 0)).toBeInViewport();
    await at(app, 'back-to-now').click();
    await expect(slider).toBeFocused();
    await tells(app, now);
    if (before) expect(home.log(id), 'nothing was written').toEqual(before);
  });
}

test('too little of a session is no line, and what is added to it becomes one', async ({ app, home }) => {
  const id = home.session(conversation(1));
  await app.open(id);
  await expect(at(app, 'context-total')).toBeVisible();
  await expect(at(app, 'history')).toHaveCount(0);
  const more = { recordType: 'message', role: 'user', content: [{ type: 'text', text: 'And more.' }] };
  await home.run(['append', id], `${JSON.stringify(more)}\n`);
  // Not each record has sizes asked for anew.
  await expect(at(app, 'sawtooth')).toBeVisible({ timeout: 20_000 });
  await expect(at(app, 'tick')).toHaveCount(0);
});

test('a moment stays while the session goes on', async ({ app, home, program }) => {
  const { page } = app;
  const id = home.session(twice());
  await app.open(id);
  await at(app, 'moments').focus();
  await page.keyboard.press('Home');
  await expect(at(app, 'moment')).toContainText('As of message 1');
  await home.run(['revert', id, '26']);
  await expect(page.getByText('33 lines')).toBeVisible();
  await expect(app.context.locator('[data-target-seq="26"]')).toHaveAttribute('data-state', 'later');
  await tells(app, await program.get<Context>(`sessions/${id}/context?at=1&messages=0`));
  await expect(at(app, 'moment')).toContainText('As of message 1');
  await at(app, 'back-to-now').click();
  await tells(app, await program.get<Context>(`sessions/${id}/context?messages=0`));
});

/** What the log shows of messages is what the program says that the model had then. */
async function shows(app: App, program: Program, path: string, at: number): Promise<void> {
  const { entries, records } = await program.get<Page>(`${path}/records?at=${at}`);
  const seen = await program.get<{ messages: { seq?: number }[] }>(`${path}/context?at=${at}`);
  for (const { seq } of seen.messages) {
    const of = records.findIndex((one) => one.seq === seq);
    if (seq !== undefined) expect(['kept', 'fresh']).toContain(entries[of]?.state);
  }
  const shown = () =>
    app.page
      .locator('article[data-seq]')
      .evaluateAll((rows) => rows.map(({ dataset }) => `${dataset.seq} ${dataset.state}`));
  const all = records.map((one, i) => `${String(one.seq)} ${String(entries[i]?.state)}`);
  await expect.poll(async () => (await shown()).filter((row) => !all.includes(row))).toEqual([]);
}

for (const whose of ['ours', 'of pi'] as const) {
  test(
    `the conversation ${whose} is shown as of the moment that is looked at`,
    { tag: '@look' },
    async ({ app, home, program }) => {
      const { page } = app;
      const id = whose === 'ours' ? home.session(twice()) : piTwice(home);
      const path = `sessions/${encodeURIComponent(id)}`;
      await app.open(encodeURIComponent(id));
      const { points } = await program.get<Sizes>(`${path}/sizes`);
      const middle = points[Math.floor(points.length / 2)];
      if (!middle) throw new Error('no moments');
      await at(app, 'moments').fill(String(points.indexOf(middle)));
      const line = page.getByTestId('as-of');
      await expect(line).toContainText(`As the model saw it at message ${middle.seq}`);
      await expect(app.row(middle.seq)).toBeInViewport();
      await expect(page.getByTestId('not-yet')).toBeInViewport();
      await shows(app, program, path, middle.seq);
      await expect(app.row(middle.seq + 1)).toHaveAttribute('data-state', 'later');
      await expect(app.row(middle.seq + 1)).toHaveAccessibleName(/not yet there/);
      expect(await contrast(app.row(middle.seq + 1))).toBeGreaterThanOrEqual(4.5);
      await look(page, `as-of-${whose}`);

      await page.getByTestId('view-model').click();
      await expect(page.getByTestId('not-yet')).toHaveCount(0);
      await expect(app.row(middle.seq)).toBeInViewport();
      await expect(app.log.locator('[data-state="later"]')).toHaveCount(0);
      await page.getByTestId('view-model').click();

      await page.getByTestId('view-model').press('Escape');
      await expect(line).toHaveCount(0);
      await expect(at(app, 'moments')).toBeFocused();
      await expect(app.log.locator('[data-state="later"]')).toHaveCount(0);
      await at(app, 'moments').fill('0');
      await expect(line).toHaveCount(1);
      await page.keyboard.press('Shift+n');
      await expect(line).toHaveCount(0);
    },
  );
}

test('a session of Claude Code has a line, too', async ({ app, home }) => {
  foreignFile(
    home,
    `${PROJECT}/sizes.jsonl`,
    claudeSession('sizes', 'Look at the harbour.', [{ call: 't1', agent: 'x' }]),
  );
  await app.open(encodeURIComponent('claudecode:sizes'));
  await expect(at(app, 'sawtooth')).toBeVisible();
  await at(app, 'moments').focus();
  await app.page.keyboard.press('ArrowLeft');
  await expect(at(app, 'moment')).toContainText('As of message');
});

for (const [n, size] of SIZES.entries()) {
  test(`can be read by everyone at ${size.width}x${size.height}`, { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    // Before anything is shown: a window that gets narrow closes the panel, in its own time.
    await page.setViewportSize(size);
    await app.open(home.session(twice(), { name: 'fix the harbour lights' }));
    await app.openContext();
    await at(app, 'moments').focus();
    await look(page, 'sawtooth-now', { asBefore: n > 0 });
    for (let step = 0; step < 9; step++) await page.keyboard.press('ArrowLeft');
    await expect(app.context.locator('[aria-busy="true"]')).toHaveCount(0);
    await look(page, 'sawtooth-past', { asBefore: n > 0 });
  });
}
