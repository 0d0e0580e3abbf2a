import { claudeSession, foreignFile, PROJECT } from './support/foreign';
import { conversation } from './support/log';
import { at, editor, factual, opened } from './support/reviews';
import { expect, test } from './support/shared';

// The lists of files, which go below it, keep one fact.
const MINE = '## Goal\nGo on.\n\n## Critical Context\n- none\n\n## Turn So Far\nNothing yet.';
const ANSWER = '**/api/sessions/*/fidelity';

test.describe('what a draft keeps', () => {
  test('is above the text and on a tab; what it lost goes into the text with one press', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(factual()));
    await expect(at(page, 'keeps')).toContainText(/^Keeps (all|\d+) of \d+ facts/);
    await editor(app).fill(MINE);
    await expect(at(page, 'keeps')).toContainText(/Keeps 1 of \d+ facts · \d+ facts lost/);
    const total = Number(/of (\d+)/.exec(await at(page, 'keeps').innerText())?.[1]);
    expect(total).toBeGreaterThan(4);
    await expect(at(page, 'tab-facts')).toHaveText(`What it keeps · ${total - 1} lost`);
    await at(page, 'to-facts').click();
    await expect(at(page, 'tab-facts')).toHaveAttribute('aria-selected', 'true');
    await expect(at(page, 'score')).toHaveText(`1 of ${total} facts`);

    const lost = at(page, 'lost-fact');
    await expect(lost).toHaveCount(total - 1);
    await expect(lost.filter({ hasText: 'Always build both platforms.' })).toHaveAttribute('data-kind', 'rule');
    const url = 'https://docs.example.org/buildx';
    await page.getByRole('button', { name: `Keep ${url}` }).press('Enter');
    await expect(at(page, 'kept-said')).toHaveText(`Added to Critical Context: ${url}. ${total - 2} facts lost.`);
    await expect(lost.filter({ hasText: url })).toHaveCount(0);
    await expect(page.locator('[data-testid="lost-fact"] button:focus')).toHaveText('Keep');
    await expect(at(page, 'score')).toHaveText(`2 of ${total} facts`);

    await at(page, 'tab-draft').click();
    await expect(editor(app)).toHaveValue(MINE.replace('- none', `- ${url}`));
    await expect(at(page, 'keeps'), 'the program says so, too').toContainText(`Keeps 2 of ${total} facts`);
    await at(page, 'accept').click();
    await expect(at(page, 'review')).toHaveCount(0);
    await expect(at(page, 'waiting'), 'no answer is on its way').toHaveCount(0);
    await expect(at(page, 'band-facts').last()).toContainText(`${total - 2} facts lost · kept 2 of ${total}`);
  });

  test('everything can be kept, one press after the other', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(factual()));
    await editor(app).fill(MINE);
    await at(page, 'tab-facts').click();
    await expect(at(page, 'score')).toHaveText(/^1 of/);
    const lost = at(page, 'lost-fact');
    await lost.first().getByRole('button').focus();
    // What one line keeps may keep another thing, too.
    for (let left = await lost.count(); left > 0; left = await lost.count()) {
      await page.keyboard.press('Enter');
      await expect.poll(() => lost.count()).toBeLessThan(left);
    }
    await expect(at(page, 'lost-heading')).toBeFocused();
    await expect(at(page, 'facts')).toContainText('Nothing: all that was found is in the summary.');
    await expect(at(page, 'tab-facts')).toHaveText('What it keeps');
    await at(page, 'tab-draft').click();
    await expect(at(page, 'keeps')).toHaveText(/^Keeps all of \d+ facts$/);
  });

  test('what was kept is taken out again, by button and by key, on both tabs', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(factual()));
    await editor(app).fill(MINE);
    await at(page, 'tab-facts').click();
    await expect(at(page, 'score')).toHaveText(/^1 of/);
    const lost = at(page, 'lost-fact');
    const total = await lost.count();
    for (const left of [1, 2, 3]) {
      await lost.first().getByRole('button').click();
      await expect(lost).toHaveCount(total - left);
    }
    await page.keyboard.press('ControlOrMeta+z');
    await expect(lost).toHaveCount(total - 2);
    await expect(at(page, 'kept-said')).toHaveText(new RegExp(`^Taken out again: .*${total - 2} facts lost`));
    await page.getByRole('button', { name: /^Undo: take .* out again$/ }).press('Enter');
    await expect(lost).toHaveCount(total - 1);
    await at(page, 'tab-draft').click();
    await editor(app).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('ControlOrMeta+z');
    await expect(editor(app), 'what was typed goes first').toHaveValue(/Critical Context\n- [^n]/);
    await page.keyboard.press('ControlOrMeta+z');
    await expect(editor(app)).toHaveValue(MINE);
    await at(page, 'tab-facts').click();
    await expect(lost).toHaveCount(total);
    await expect(at(page, 'undo-keep')).toHaveCount(0);
  });

  test('what is measured anew moves nobody who is in the list', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(factual()));
    await editor(app).fill(MINE);
    await at(page, 'tab-facts').click();
    await expect(at(page, 'score')).toHaveText(/^1 of/);
    await page.route(ANSWER, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), total: 1234 } });
    });
    const lost = at(page, 'lost-fact');
    await lost.nth(1).getByRole('button').press('Enter');
    await expect(at(page, 'score')).toHaveText('2 of 1,234 facts');
    await expect(lost.nth(1).getByRole('button')).toBeFocused();
  });

  test('a message that is listed is shown beside it; in a narrow window, on its tab', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(factual()));
    await editor(app).fill(MINE);
    await at(page, 'tab-facts').click();
    const link = at(page, 'lost-fact').filter({ hasText: 'Always build' }).getByRole('link');
    const seq = await link.innerText();
    await expect(link).toHaveAccessibleName(`Message ${seq}`);
    await link.click();
    const row = page.locator(`[data-testid="review-row"][data-seq="${seq}"]`);
    await expect(row).toBeInViewport();
    await expect(row).toHaveClass(/pointed/);
    await page.setViewportSize({ width: 900, height: 600 });
    await at(page, 'tab-facts').click();
    await link.click();
    await expect(at(page, 'tab-rows')).toHaveAttribute('aria-selected', 'true');
    await expect(row).toBeInViewport();
  });

  test('that can not be measured says so, and stands in nobody’s way', async ({ app, home }) => {
    const { page } = app;
    await page.route(ANSWER, (route) => route.abort());
    await opened(app, home.session(factual()));
    await editor(app).fill(MINE);
    await expect(at(page, 'keeps')).toContainText('could not be measured');
    await expect(at(page, 'accept')).toHaveAttribute('aria-disabled', 'false');
    await at(page, 'tab-facts').click();
    await page.unroute(ANSWER);
    await at(page, 'measure-again').click();
    await expect(at(page, 'score')).toHaveText(/^1 of/);
    await expect(at(page, 'measure-again')).toHaveCount(0);
  });

  test('where nothing was found there is nothing to lose, and no number', async ({ app, home }) => {
    const { page } = app;
    await opened(app, home.session(conversation(40)));
    await expect(at(page, 'keeps')).toHaveText('Nothing was found that could be lost.');
    await at(page, 'tab-facts').click();
    await expect(at(page, 'facts')).toContainText('Nothing was found that could be lost.');
    await expect(at(page, 'facts')).not.toContainText('%');
  });
});

test.describe('what a compaction kept', () => {
  test('is on its band once that is open and in view, and leads to what it lost', async ({ app, home }) => {
    const { page } = app;
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/fidelity')) asked.push(new URL(request.url()).pathname.split('/').at(-2) ?? '');
    });
    const log = factual();
    const seq = 11;
    await app.open(home.session(log), seq);
    const band = app.band(seq);
    await expect(band.getByTestId('band-facts')).toHaveText(/^\d+ facts lost · kept \d+ of \d+$/);
    await band.getByTestId('summary-toggle').click();
    await expect(band.getByTestId('band-facts')).toHaveCount(0);
    await band.getByTestId('summary-toggle').click();
    await band.getByTestId('band-facts').click();
    await expect(page).toHaveURL(new RegExp(`/compaction/${seq}$`));
    await expect(at(page, 'tab-facts')).toHaveAttribute('aria-selected', 'true');
    await expect(at(page, 'lost-fact').filter({ hasText: 'https://ci.example.org/runs/17' })).toHaveCount(1);
    await expect(at(page, 'lost-fact').getByRole('button')).toHaveCount(0);
    await expect(at(page, 'fact-kinds').getByRole('listitem').first()).toContainText('Your rules');
    await page.keyboard.press('Escape');
    await expect(band.getByTestId('band-facts')).toBeVisible();
    expect(asked, 'once by the band, once by the review').toEqual(['11', '11']);
  });

  test('stays within its band, however narrow the window is', async ({ app, home }) => {
    const { page } = app;
    await app.open(home.session(factual()), 11);
    const band = app.band(11);
    await expect(band.getByTestId('band-facts')).toBeVisible();
    for (const width of [420, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await app.settled();
      const [facts, within] = [
        await band.getByTestId('band-facts').boundingBox(),
        await band.locator('section').boundingBox(),
      ];
      if (!facts || !within) throw new Error('there is no band');
      expect(facts.x, `at ${width}`).toBeGreaterThan(within.x);
      expect(facts.x + facts.width, `at ${width}`).toBeLessThan(within.x + within.width);
      expect(facts.y + facts.height, `at ${width}`).toBeLessThan(within.y + within.height);
    }
  });

  test('a band that is folded asks nothing, and what comes moves nothing', async ({ app, home }) => {
    const { page } = app;
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    await page.route('**/compactions/*/fidelity', async (route) => {
      asked.push(new URL(route.request().url()).pathname.split('/').at(-2) ?? '');
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.continue();
    });
    const log = factual().compaction(20, '## Goal\nGo on.').user('And now?');
    const inForce = log.seq - 1;
    await app.open(home.session(log), inForce);
    await expect.poll(() => asked).toEqual([String(inForce)]);
    const band = app.band(11);
    await expect(band).toHaveAttribute('data-state', 'folded');
    await band.getByTestId('summary-toggle').click();
    await expect.poll(() => asked).toEqual([String(inForce), '11']);
    const place = () => band.boundingBox();
    const before = await place();
    for (const answer of answers) answer();
    await expect(page.getByTestId('band-facts')).toHaveCount(2);
    expect(await place()).toEqual(before);
  });

  test('that can not be read is not known; two stand beside each other with their numbers', async ({ app, home }) => {
    const { page } = app;
    const log = factual().compaction(20, '').user('And now?');
    const empty = log.seq - 1;
    await app.open(home.session(log));
    await page.goto(`${page.url()}/compaction/${empty}`);
    await at(page, 'tab-facts').click();
    await expect(at(page, 'facts')).toContainText('Not known: its summary can’t be read.');
    await page.goto(page.url().replace(`/${empty}`, `/11/${empty}`));
    await expect(at(page, 'side-by-side').getByTestId('keeps')).toHaveText([
      /^Keeps \d+ of \d+ facts$/,
      'What it keeps is not known',
    ]);
  });

  test('by another agent is told as well', async ({ app, home }) => {
    const { page } = app;
    const [asked] = claudeSession('compacted', 'Never touch the vendor folder. Look at src/harbour.go first.');
    const row = { ...asked, timestamp: '2026-11-20T10:01:00Z' };
    foreignFile(home, `${PROJECT}/compacted.jsonl`, [
      { ...asked },
      {
        ...row,
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'b',
        logicalParentUuid: 'u0',
        content: 'Conversation compacted',
        compactMetadata: { trigger: 'manual', preTokens: 9000 },
        message: undefined,
      },
      {
        ...row,
        uuid: 's',
        parentUuid: 'b',
        isCompactSummary: true,
        message: { role: 'user', content: 'Never touch the vendor folder.' },
      },
    ]);
    await app.open('claudecode:compacted');
    await page.getByTestId('band-facts').click();
    await expect(at(page, 'score')).toHaveText('1 of 2 facts');
    await expect(at(page, 'lost-fact')).toHaveText(/src\/harbour\.go/);
    await expect(at(page, 'lost-fact').getByRole('button')).toHaveCount(0);
  });
});
