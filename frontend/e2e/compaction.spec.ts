import type { Context } from '../src/lib/backend';
import type { App } from './support/app';
import { compacted } from './support/log';
import { expect, test } from './support/shared';

// The compaction of the log stands at 9; it kept 7 and 8.
const BAND = 9;

function states(app: App, seqs: number[]): Promise<(string | null)[]> {
  return Promise.all(seqs.map((seq) => app.message(seq).getAttribute('data-state')));
}

function panel(app: App): Promise<number> {
  return app.page.getByTestId('context-total').getAttribute('data-tokens').then(Number);
}

test('a compaction is a band with its summary, its files and its tokens', async ({ app, home }) => {
  await app.open(home.session(compacted()), BAND);
  const band = app.band(BAND);
  await expect(band).toContainText('Compacted');
  await expect(band).toContainText('6 messages · 9,000 → 120 tokens · by hand');
  await expect(band.getByTestId('summary').getByRole('heading', { name: 'Goal' })).toBeVisible();
  await expect(band.getByTestId('summary').locator('strong')).toHaveText('harbour');
  await band.getByTestId('summary-toggle').click();
  await expect(band.getByTestId('summary')).toHaveCount(0);
  await band.getByRole('button', { name: 'changed 1 file' }).click();
  await expect(band.getByText('src/harbour.go')).toBeVisible();
  await band.getByRole('button', { name: 'read 2 files' }).click();
  await expect(band.getByText('docs/tides.md')).toBeVisible();
  expect(await states(app, [6, 7, 8, 10])).toEqual(['superseded', 'kept', 'kept', 'fresh']);
});

test('undo appends one line and shows the model everything again; redo applies it again', async ({
  app,
  home,
  program,
}) => {
  const { page } = app;
  const id = home.session(compacted());
  const before = home.log(id);
  await app.open(id, BAND);
  const size = await panel(app);
  const tokens = async () => (await program.get<Context>(`sessions/${id}/context?messages=0`)).tokens.calibrated;

  await app.band(BAND).getByTestId('undo-compaction').click();
  await expect(app.band(BAND)).toHaveAttribute('data-state', 'reverted');
  await expect(app.band(BAND)).toContainText('undone');
  const undone = home.log(id);
  expect(undone.subarray(0, before.length).equals(before), 'what was written stays as it was').toBe(true);
  const added = undone.subarray(before.length).toString();
  expect(added.endsWith('\n')).toBe(true);
  expect(added.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(added)).toMatchObject({ recordType: 'revert', schemaVersion: 2, seq: 14, targetSeq: BAND });
  await expect.poll(() => states(app, [5, 6, 8, 10])).toEqual(['kept', 'kept', 'kept', 'kept']);
  await expect.poll(() => panel(app)).toBe(await tokens());
  expect(await panel(app)).not.toBe(size);
  await expect(page.getByTestId('part-summary')).toHaveCount(0);

  // After a reload it is the same.
  await page.reload();
  await app.go(id, BAND);
  await expect(app.band(BAND)).toHaveAttribute('data-state', 'reverted');
  expect(await states(app, [6, 8])).toEqual(['kept', 'kept']);
  await expect(app.row(14)).toContainText('Undid 9');

  await app.band(BAND).getByTestId('redo-compaction').click();
  await expect.poll(() => states(app, [6, 8])).toEqual(['superseded', 'kept']);
  const redone = home.log(id);
  expect(redone.subarray(0, undone.length).equals(undone)).toBe(true);
  const copy = JSON.parse(redone.subarray(undone.length).toString()) as { recordType: string; seq: number };
  expect(copy).toMatchObject({ recordType: 'compaction', seq: 15, firstKeptSeq: 7 });
  await expect(app.band(15)).toHaveAttribute('data-state', 'inForce');
  await expect(app.band(BAND).getByTestId('redo-compaction')).toHaveCount(0);
  await expect.poll(() => panel(app)).toBe(await tokens());
  await page.reload();
  await app.go(id, 15);
  await expect(app.band(15)).toHaveAttribute('data-state', 'inForce');
});

test('the note that says it is undone offers the way back', async ({ app, home }) => {
  const id = home.session(compacted());
  await app.open(id, BAND);
  await app.band(BAND).getByTestId('undo-compaction').click();
  await expect(app.toast).toContainText('The compaction is undone');
  await app.toast.getByRole('button', { name: 'Redo' }).click();
  await expect(app.toast).toContainText('The compaction applies again');
  await expect(app.band(15)).toHaveAttribute('data-state', 'inForce');
});

test('the offer to undo goes with the conversation it was made for', async ({ app, home }) => {
  const [asked, other] = [home.session(compacted()), home.session(compacted())];
  const before = [home.log(asked), home.log(other)];
  await app.open(asked, BAND);
  await app.page.keyboard.press('u');
  await expect(app.toast).toContainText('Undo the last compaction?');
  // By its address: of a list that others have added to, its row need not be in view.
  await app.go(other);
  await expect(app.page.getByTestId('toast')).toHaveCount(0);
  expect([home.log(asked), home.log(other)]).toEqual(before);
});

test('undo and redo by keyboard keep the focus', async ({ app, home }) => {
  await app.open(home.session(compacted()), BAND);
  await app.band(BAND).getByTestId('undo-compaction').focus();
  await app.page.keyboard.press('Enter');
  await expect(app.band(BAND).getByTestId('redo-compaction')).toBeFocused();
});

test('an undo by another process shows while the page is open', async ({ app, home }) => {
  const id = home.session(compacted());
  await app.open(id, BAND);
  await home.run(['revert', id, String(BAND)]);
  await expect(app.band(BAND)).toHaveAttribute('data-state', 'reverted');
  await expect(app.band(BAND).getByTestId('redo-compaction')).toBeVisible();
});

test('"only what the model sees" folds the rest away, and back', async ({ app, home }) => {
  const { page } = app;
  await app.open(home.session(compacted()));
  const transcript = page.getByTestId('transcript');
  const seqs = () => app.log.locator('article').evaluateAll((rows) => rows.map((row) => Number(row.dataset.seq)));
  await expect.poll(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);

  await page.getByTestId('view-model').click();
  await expect(page.getByTestId('view-model')).toHaveAttribute('aria-checked', 'true');
  await expect(transcript).toHaveAttribute('data-view', 'model');
  await expect(transcript).toContainText('7 of 13 lines');
  await expect.poll(async () => (await seqs()).sort((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12, 13]);

  // A place that is folded away unfolds the rest.
  await app.page.evaluate((hash) => (location.hash = hash), `${new URL(page.url()).hash}/3`);
  await expect(app.message(3)).toBeInViewport();
  await expect(transcript).toHaveAttribute('data-view', 'all');
  await page.getByTestId('view-model').click();
  await page.getByTestId('view-model').click();
  await expect.poll(seqs).toHaveLength(13);
});

test('what a band says of itself ends a line behind a fact, never within one, and no dot is left over', async ({
  app,
  home,
}) => {
  const { page } = app;
  await app.open(home.session(compacted(), { name: 'harbour' }), 9);
  const row = app.band(9).locator('header small');
  const facts = row.locator('.fact');
  await expect(facts).toHaveText(['6 messages', '· 9,000 → 120 tokens', '· by hand']);
  /** Facts that begin a line, and whether a dot is seen before them. */
  const begin = () =>
    row.evaluate((small) => {
      const { left, right } = small.getBoundingClientRect();
      const all = [...small.querySelectorAll('.fact')].map((fact) => ({
        top: fact.getBoundingClientRect().top,
        dot: fact.querySelector('i')?.getBoundingClientRect(),
      }));
      const first = all.filter(({ top }, i) => i > 0 && top > (all[i - 1]?.top ?? 0));
      const seen = first.filter(({ dot }) => dot && dot.right > left + 1 && dot.left < right);
      return { lines: first.length + 1, seen: seen.length };
    });
  let lines = 0;
  for (const width of [1440, 900, 720]) {
    await page.setViewportSize({ width, height: 600 });
    await app.settled();
    const heights = await facts.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(Math.max(...heights), `at ${width}`).toBeLessThan(28);
    const at = await begin();
    expect(at.seen, `at ${width}`).toBe(0);
    lines = Math.max(lines, at.lines);
  }
  expect(lines, 'it took more than a line somewhere').toBeGreaterThan(1);
});
