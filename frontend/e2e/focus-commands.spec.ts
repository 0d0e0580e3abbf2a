import { readFileSync } from 'node:fs';
import type { App } from './support/app';
import { focused, kept } from './support/focus';
import type { Home } from './support/home';
import { Log } from './support/log';
import { expect, test } from './support/test';

const { commands } = JSON.parse(
  readFileSync(new URL('../src/lib/commands/commands.json', import.meta.url), 'utf8'),
) as { commands: Record<string, { keys: string[] }> };

test.use({ actionTimeout: 15_000 });

/** What a key is pressed on. */
type Place = 'message' | 'row' | 'home';

/** A key of the data as Playwright presses it: a letter with Shift is a capital. */
function chord(key: string): string {
  const plain = key.replace(/^(list|trash|log|field|review):/, '').replace('$mod', 'Control');
  return plain.replace(/Shift\+([a-z])$/, (_, letter: string) => `Shift+${letter.toUpperCase()}`);
}

const scopeOf = (key: string) => /^(list|trash|log|field|review):/.exec(key)?.[1] ?? '';

/** A conversation in which every command has something to do: a compaction, a branch, a tool, damage, prompts. */
function everything(): Log {
  const log = new Log().user('One.').assistant('Two.').call('bash', { command: 'ls' }, 'a\nb');
  log.compaction(3, '## Goal\n\nKeep the lights on.').user('Wrong way.').assistant('Very wrong.');
  log.overlay('branch', { fromSeq: 5, summary: 'The other way was wrong.' });
  return log.raw('not json').user('Right way.').assistant('Well.');
}

/** What is to be seen of a conversation; another text once a command has changed something about it, or led away from it. */
const shown = ({ page }: App, id: string) =>
  page.evaluate((id) => {
    const parts = document.querySelectorAll(`[role="feed"], [data-testid="session-row"][data-id="${id}"]`);
    return [location.hash, ...[...parts].map((part) => part.textContent)].join('\n');
  }, id);

/** Every command by its key from each place: the focus is somewhere to be seen, and again once what it opened is left. */
async function pressAll(app: App, home: Home, place: Place): Promise<void> {
  const { page } = app;
  const keys = Object.entries(commands).flatMap(([id, { keys }]) => keys.map((key) => ({ id, key })));
  const meant = keys.filter(({ key }) => {
    const scope = scopeOf(key);
    return !scope || (scope === 'list' && place === 'row') || (scope === 'log' && place === 'message');
  });
  // As many as there may be commands that change a conversation: the one behind such a command begins with another.
  const fresh = meant.map((_, n) => home.session(everything(), { name: `number ${n}.` }));
  await app.start();
  const away = page.locator(
    ':is([data-testid="toggle-library"], [data-testid="toggle-context"])[aria-expanded="false"]',
  );
  let session = '';
  let before = '';
  for (const { id, key } of meant) {
    await test.step(`${id}: ${key}`, async () => {
      if (place === 'home') await app.page.goto(`${new URL(page.url()).origin}/#/`);
      else if (!session || (await shown(app, session)) !== before) {
        session = fresh.pop() ?? '';
        await app.go(session);
      }
      // Closed by the one before, or put away as a panel.
      while ((await away.count()) > 0) await away.first().click();
      if (place === 'message') await app.log.locator('article').last().focus();
      else if (place === 'row') {
        if (!(await app.link(session).isVisible())) await page.getByTestId('shelf-sessions').click();
        const { name = '' } = home.metadata(session);
        if ((await app.filter.inputValue()) !== name) await app.filter.fill(name);
        await app.link(session).focus();
      } else await page.locator('main').focus();
      before = await shown(app, session);
      await expect.poll(() => focused(page), `before ${id}`).not.toBe('');
      await page.keyboard.press(chord(key));
      await kept(page, `${id}, by ${key}`);
      let left = !(await open(app));
      for (let n = 0; n < 3 && !left; n++) {
        await page.keyboard.press('Escape');
        await kept(page, `Escape after ${id}, by ${key}`);
        left = !(await open(app));
      }
      expect(left, `${id}, by ${key}, can be left`).toBe(true);
    });
  }
}

/** Whether something lies over the window or the conversation. */
const open = async ({ page }: App) =>
  (await page.locator('dialog, [role="menu"], .surface, [data-testid="review"], [data-testid="search"]').count()) > 0;

for (const place of ['message', 'row', 'home'] as const) {
  test(`the focus is never lost, whatever key is pressed on a ${place}`, async ({ app, home }) => {
    test.setTimeout(180_000);
    await pressAll(app, home, place);
    expect(await focused(app.page)).not.toBe('');
  });
}
