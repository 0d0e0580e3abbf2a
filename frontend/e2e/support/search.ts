import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { App } from './app';
import type { Home } from './home';
import { Log } from './log';
import type { Program } from './program';
import { expect } from './test';

export const field = (page: Page) => page.getByTestId('search-field');
export const hit = (page: Page, id: string) => page.locator(`[data-testid="search-hit"][data-id="${id}"]`);
export const hits = (page: Page) => page.getByTestId('search-hit');

/** A log with a compaction after its third message: what is before it is summarised, what was undone is dropped. */
export function story(): Log {
  const log = new Log('2026-11-20T09:00:00Z');
  log.user('The lantern of the harbour is broken: f(x) is a-b, see C:\\lamps and "quotes".');
  log.assistant('Replace the wick. 港の灯台を直す。');
  log.user('And the foghorn?');
  log.compaction(3, 'The lantern has a new wick.');
  log.call('bash', { command: 'ring --foghorn' }, 'foghorn rang ERR_LOUD twice');
  log.assistant('The foghorn works; the lantern, too.');
  return log;
}

export function piSession(home: Home, text: string): string {
  const at = join(`${home.dir}.user`, '.pi', 'agent', 'sessions', 'x');
  mkdirSync(at, { recursive: true });
  const lines = [
    { type: 'session', version: 3, id: 'abc', timestamp: '2026-01-02T10:00:00.000Z', cwd: '/srv/tides' },
    {
      type: 'message',
      id: 'a',
      parentId: null,
      timestamp: '2026-01-02T10:00:01.000Z',
      message: { role: 'user', content: text },
    },
  ];
  writeFileSync(join(at, 'x.jsonl'), lines.map((line) => JSON.stringify(line) + '\n').join(''));
  return 'pi:abc';
}

export async function search(app: App, text?: string): Promise<void> {
  await app.page.keyboard.press('Control+Shift+f');
  await expect(field(app.page)).toBeFocused();
  if (text !== undefined) await look(app.page, text);
}

export async function look(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await expect(page.getByTestId('search-found')).toHaveAttribute('data-looking', 'false');
}

/** Until everything that the test has written is in the index. */
export async function indexed(program: Program, sessions: number): Promise<void> {
  const state = async () => {
    const { indexed, waiting } = await program.get<{ indexed: number; waiting: number }>('index');
    return [indexed, waiting];
  };
  await expect.poll(state).toEqual([sessions, 0]);
}
