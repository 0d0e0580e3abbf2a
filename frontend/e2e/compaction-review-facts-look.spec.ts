import { BIDI } from './support/hostile';
import { look, SIZES } from './support/look';
import { at, editor, factual, opened } from './support/reviews';
import { expect, test } from './support/shared';

const SUMMARY =
  '## Goal\nMake the canary pass.\n\n## Constraints & Preferences\n- Never touch the vendor folder.\n\n' +
  '## Progress\n### Done\n- [x] Read deploy/canary.yaml\n\n## Next Steps\n1. Always build both platforms.\n';
const FILES = { readFiles: ['deploy/canary.yaml', 'README.md'], modifiedFiles: ['internal/build/stage0.go'] };

const ALL = [...SIZES, { width: 700, height: 480 }];

test.describe('what a summary keeps can be read by everyone, at every size', () => {
  test('of a draft', { tag: '@look' }, async ({ app, home }) => {
    test.slow();
    const { page } = app;
    await opened(app, home.session(factual(), { name: 'fix flaky deploy' }));
    for (const size of ALL) {
      const asBefore = size !== ALL[0];
      await page.setViewportSize(size);
      await editor(app).fill(SUMMARY);
      await expect(at(page, 'keeps')).toContainText('lost');
      await expect(at(page, 'to-facts')).not.toHaveClass(/busy/);
      await look(page, 'facts-draft', { asBefore });
      await at(page, 'to-facts').click();
      await look(page, 'facts-lost', { asBefore });
      await page.getByTestId('lost-fact').last().getByRole('link').click();
      await look(page, 'facts-message', { asBefore });
      await page.route('**/api/sessions/*/fidelity', (route) => route.abort());
      await at(page, 'tab-draft').click();
      await editor(app).fill(`${SUMMARY} More.`);
      await expect(at(page, 'keeps')).toContainText('could not');
      await look(page, 'facts-failed-line', { asBefore });
      await at(page, 'tab-facts').click();
      await look(page, 'facts-failed', { asBefore });
      await page.unroute('**/api/sessions/*/fidelity');
      await at(page, 'tab-draft').click();
    }
  });

  test('of a compaction of the past, and of two', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    const log = factual().compaction(22, SUMMARY, FILES).user('And now?');
    await app.open(home.session(log, { name: 'fix flaky deploy' }), log.seq - 1);
    const band = page.url();
    for (const size of ALL) {
      const asBefore = size !== ALL[0];
      await page.setViewportSize(size);
      await expect(at(page, 'band-facts')).toBeVisible();
      await look(page, 'facts-band', { asBefore });
      await at(page, 'band-facts').click();
      await expect(at(page, 'score')).toBeVisible();
      await expect(at(page, 'side-by-side')).toHaveCount(0);
      await look(page, 'facts-past', { asBefore });
      await at(page, 'compare').selectOption({ index: 1 });
      await expect(at(page, 'side-by-side').getByTestId('keeps')).toHaveText([/Keeps/, /Keeps/]);
      await look(page, 'facts-pair', { asBefore });
      await page.goto(band);
      await expect(at(page, 'score')).toHaveCount(0);
    }
  });

  test('with texts that forge, and more than are listed', { tag: '@look' }, async ({ app, home }) => {
    const { page } = app;
    const kinds = ['rule', 'file', 'url', 'identifier', 'error', 'command', 'commit', 'number'] as const;
    const lost = Array.from({ length: 200 }, (_, i) => ({
      kind: kinds[Math.floor(i / 30)] ?? 'number',
      text: i % 30 === 0 ? `${BIDI} ${'long/'.repeat(60)}` : `src/module${i}.go`,
      seq: i + 1,
    }));
    const counts = kinds.map((kind) => ({ kind, kept: 1234, total: 12345 }));
    await page.route('**/api/sessions/*/fidelity', (route) =>
      route.fulfill({ json: { kept: 8638, total: 86_415, kinds: counts, lost } }),
    );
    await opened(app, home.session(factual(), { name: 'fix flaky deploy' }));
    await editor(app).fill(SUMMARY);
    for (const size of ALL) {
      const asBefore = size !== ALL[0];
      await page.setViewportSize(size);
      await expect(at(page, 'tab-facts')).toContainText('77,777 lost');
      await at(page, 'tab-facts').click();
      await expect(at(page, 'facts')).toContainText('77,577 more, not listed');
      await expect(at(page, 'lost-fact').first()).toContainText('⟨RLO⟩');
      await look(page, 'facts-many', { asBefore });
      await at(page, 'tab-draft').click();
    }
  });
});
