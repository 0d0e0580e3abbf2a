import type { Locator, Page } from '@playwright/test';
import { foreignFile, PROJECT } from './support/foreign';
import type { Home } from './support/home';
import { looks } from './support/look';
import { expect, test } from './support/test';

// So many messages of 4 KB are more than is read before something is shown.
const MANY = 3000;
const at = (n: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + n * 1000).toISOString();
const words = (n: number) => `message ${n} ${'of a long conversation about a harbour '.repeat(n % 4 ? 2 : 60)}`;

type Agent = 'claudecode' | 'codex';
const ID = { claudecode: 'claudecode:large', codex: 'codex:0199aaaa-0000-7000-8000-000000000001' };
const PLACE = {
  claudecode: `${PROJECT}/large.jsonl`,
  codex: '.codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-0199aaaa-0000-7000-8000-000000000001.jsonl',
};

function row(agent: Agent, n: number): Record<string, unknown> {
  const role = n % 2 ? 'assistant' : 'user';
  // As much as makes a file larger than what a list reads to count messages (24 MB), where nobody sees it: what was
  // read for a list is shown whole.
  const padding = 'x'.repeat(10_000);
  if (agent === 'codex') {
    const content = [{ type: n % 2 ? 'output_text' : 'input_text', text: words(n) }];
    return { timestamp: at(n), type: 'response_item', padding, payload: { type: 'message', role, content } };
  }
  const common = { sessionId: 'large', cwd: '/srv/harbour', version: '2.1.0', isSidechain: false, padding };
  const parentUuid = n > 0 ? `u${n - 1}` : null;
  const said =
    n % 2 ? { id: `m${n}`, model: 'claude-x', content: [{ type: 'text', text: words(n) }] } : { content: words(n) };
  return { type: role, uuid: `u${n}`, parentUuid, timestamp: at(n), ...common, message: { role, ...said } };
}

function large(home: Home, agent: Agent, count = MANY): void {
  const payload = { id: ID.codex.slice('codex:'.length), timestamp: at(0), cwd: '/srv/harbour', cli_version: '0.99.0' };
  const head = agent === 'codex' ? [{ timestamp: at(0), type: 'session_meta', payload }] : [];
  foreignFile(home, PLACE[agent], [...head, ...Array.from({ length: count }, (_, n) => row(agent, n))]);
}

/** Keeps back what tells of the whole, until it is let through. */
async function hold(page: Page): Promise<() => void> {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  for (const what of ['outline', 'context?*']) {
    await page.route(`**/api/sessions/*/${what}`, async (route) => {
      await gate;
      await route.continue().catch(() => undefined);
    });
  }
  return () => {
    release();
  };
}

const band = (page: Page) => page.getByTestId('newest-only');
const said = (page: Page, n: number) => page.getByRole('article').filter({ hasText: new RegExp(`message ${n} of`) });

/** How far above the lower edge of the log a row begins. */
async function fromEdge(log: Locator, row: Locator): Promise<number> {
  const [frame, box] = [await log.boundingBox(), await row.boundingBox()];
  if (!frame || !box) throw new Error('it is not in view');
  return box.y - frame.y;
}

for (const agent of ['claudecode', 'codex'] as const) {
  test(
    `the newest part of a large session of ${agent} comes first, and all of it takes its place`,
    {
      tag: '@look',
    },
    async ({ app, home, program }) => {
      const { page } = app;
      large(home, agent);
      const release = await hold(page);
      const pages: number[] = [];
      page.on('response', (response) => {
        if (/\/(opening|records)\?/.test(response.url())) {
          void response.body().then(
            (body) => pages.push(body.length),
            () => undefined,
          );
        }
      });
      await app.start();
      await program.get('sessions'); // whether the page has asked for all of the list by now or not
      await app.go(encodeURIComponent(ID[agent]));
      await expect(band(page)).toContainText(
        /The newest part\. The whole conversation is being read: .* of [34]\d(\.\d)? MB/,
      );
      await expect(said(page, MANY - 1)).toBeVisible();
      await expect(page.getByTestId('context-waits')).toBeVisible();
      for (const waits of ['find', 'prompts', 'conversation-menu', 'view-model']) {
        await expect(page.getByTestId(waits)).toBeDisabled();
      }
      await page.keyboard.press('Control+f');
      await expect(page.getByTestId('find-bar')).toHaveCount(0);
      await looks(page, `opening-${agent}`);
      await page.setViewportSize({ width: 1440, height: 900 });

      // Somewhere above the end; what is read there stays where it is.
      await app.log.hover();
      await page.mouse.wheel(0, -3000);
      await app.settled();
      const read = page.getByRole('article').filter({ visible: true }).nth(2);
      const number = /message (\d+) of/.exec((await read.textContent()) ?? '')?.[1];
      expect(number).toBeDefined();
      const before = await fromEdge(app.log, said(page, Number(number)));

      release();
      await expect(band(page)).toHaveCount(0);
      await expect(page.getByTestId('context-total')).toBeVisible();
      await app.settled();
      expect(Math.abs((await fromEdge(app.log, said(page, Number(number)))) - before)).toBeLessThan(3);
      await expect(page.getByTestId('find')).toBeEnabled();
      await page.keyboard.press('Home');
      await expect(said(page, 0)).toBeVisible();
      expect(Math.max(...pages)).toBeLessThanOrEqual(1 << 20);
    },
  );
}

test('an address of a record is gone to once all has been read', async ({ app, home }) => {
  const { page } = app;
  large(home, 'claudecode');
  const release = await hold(page);
  await app.start();
  await app.go(encodeURIComponent(ID.claudecode), 11);
  await expect(band(page)).toBeVisible();
  await expect(said(page, MANY - 1)).toBeVisible();
  release();
  await expect(band(page)).toHaveCount(0);
  await expect(said(page, 10)).toBeInViewport();
});

test('what is added is shown, before all of it was read and after', async ({ app, home }) => {
  test.slow();
  const { page } = app;
  large(home, 'claudecode');
  await app.start();
  await app.go(encodeURIComponent(ID.claudecode));
  await expect(said(page, MANY - 1)).toBeVisible();
  large(home, 'claudecode', MANY + 1);
  // Of what takes long to read the reading before does for a while.
  await expect(said(page, MANY)).toBeVisible({ timeout: 60_000 });
  await expect(band(page)).toHaveCount(0, { timeout: 30_000 });
  await expect(said(page, MANY)).toBeVisible();
});

test('that the rest could not be read is said, and it can be tried again', { tag: '@look' }, async ({ app, home }) => {
  const { page } = app;
  large(home, 'claudecode');
  let broken = true;
  const error = { code: 'failed', message: 'the disk is full', hint: 'make room, and try again' };
  await page.route('**/api/sessions/*/outline', (route) =>
    broken
      ? route.fulfill({ status: 500, contentType: 'application/problem+json', json: { error } })
      : route.continue(),
  );
  await app.start();
  await app.go(encodeURIComponent(ID.claudecode));
  await expect(page.getByTestId('error')).toContainText('The rest of the conversation could not be read');
  await expect(page.getByTestId('error')).toContainText(/the disk is full/i);
  await expect(said(page, MANY - 1)).toBeVisible();
  await looks(page, 'opening-failed');
  broken = false;
  await page.getByTestId('error').getByRole('button').click();
  await expect(page.getByTestId('error')).toHaveCount(0);
  await expect(band(page)).toHaveCount(0);
  await expect(said(page, MANY - 1)).toBeVisible();
});
