import { claudeSession, claudeSubagent, foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { looks } from './support/look';
import { conversation } from './support/log';
import { expect, test } from './support/test';

const PARENT = 'claudecode:parent';
const child = (agent: string) => `${PARENT}.agent-${agent}`;

/** A session with two sub-agents, and one of ours before it. */
function family(home: Home): void {
  home.session(conversation(2, '2026-11-18T09:00:00Z'), { name: 'one of ours' });
  const calls = [
    { call: 'toolu_1', agent: 'a1' },
    { call: 'toolu_2', agent: 'a2' },
  ];
  foreignFile(home, `${PROJECT}/parent.jsonl`, claudeSession('parent', 'Look at the harbour.', calls));
  foreignFile(home, `${PROJECT}/parent/subagents/agent-a1.jsonl`, claudeSubagent('parent', 'a1', 'the lights'));
  foreignFile(home, `${PROJECT}/parent/subagents/agent-a2.jsonl`, claudeSubagent('parent', 'a2', 'the tides'));
}

test('sub-agents stand under the session that started them, by mouse and by key', async ({ app, home }) => {
  const { page } = app;
  family(home);
  await app.start();
  const row = app.session(PARENT);
  await expect(row).toContainText('2 sub-agents');
  await expect(app.session(child('a1'))).toHaveCount(0);

  const toggle = row.getByTestId('subagents');
  await toggle.click();
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  await expect(app.session(child('a1'))).toContainText('the lights');
  await expect(app.session(child('a2'))).toContainText('the tides');
  await toggle.click();
  await expect(app.session(child('a1'))).toHaveCount(0);

  await app.link(PARENT).focus();
  await page.keyboard.press('ArrowRight');
  await expect(app.session(child('a2'))).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAttribute('data-key', new RegExp(`^${PARENT}/`));
  await page.keyboard.press('ArrowLeft');
  await expect(app.link(PARENT)).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(app.session(child('a1'))).toHaveCount(0);
});

test('the card of a call leads to what it started, and from there back to the call', async ({ app, home }) => {
  const { page } = app;
  family(home);
  await app.open(encodeURIComponent(PARENT));
  const cards = page.getByTestId('tool-card');
  await expect(cards).toHaveCount(2);
  await cards.nth(1).getByTestId('open-subagent').click();
  await expect(page.getByText('Looked: the tides')).toBeVisible();
  await expect(page.getByTestId('title')).toHaveText('the tides');
  await expect(page.getByTestId('started-by')).toContainText('Look at the harbour.');

  // Loaded by its address alone it says the same.
  await page.reload();
  await expect(page.getByTestId('title')).toHaveText('the tides');
  await expect(app.link(PARENT), 'its row is folded').toHaveAttribute('aria-current', 'true');
  const back = page.getByTestId('started-by').getByRole('link');
  await expect(back).toHaveAttribute('href', /\/\d+$/);
  await back.click();
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(1)).toBeInViewport();
  await expect(page.getByTestId('started-by')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText('Looked: the tides')).toBeVisible();
});

test('what belongs to nobody that is there stands for itself', async ({ app, home }) => {
  foreignFile(home, `${PROJECT}/agent-b1.jsonl`, claudeSubagent('elsewhere', 'b1', 'the sky'));
  await app.start();
  await expect(app.session('claudecode:elsewhere.agent-b1')).toContainText('the sky');
});

test('unfolded, and with a card that leads on, it can be read by everyone', { tag: '@look' }, async ({ app, home }) => {
  family(home);
  await app.open(encodeURIComponent(PARENT));
  await app.session(PARENT).getByTestId('subagents').click();
  await expect(app.page.getByTestId('open-subagent')).toHaveCount(2);
  await looks(app.page, 'subagents');
  await app.page.getByTestId('open-subagent').first().click();
  await expect(app.page.getByTestId('started-by')).toBeVisible();
  await looks(app.page, 'subagent');
});
