import type { Locator, Page } from '@playwright/test';
import type { App } from './app';
import { conversation, type Log } from './log';
import { expect } from './test';

/** What carries a test id. */
export const at = (page: Page, id: string): Locator => page.getByTestId(id);
export const editor = (app: App) => at(app.page, 'editor');

/** A conversation with two compactions, of which the second builds on the first. */
export function twice(): Log {
  const log = conversation(8).compaction(7, '## Goal\n\nKeep the lights on.\n\n## Next Steps\n1. Wait', {
    trigger: 'threshold',
  });
  for (let n = 9; n <= 14; n++) log.user(`Question ${n}.`).assistant(`Answer ${n}.`);
  return log
    .compaction(17, '## Goal\n\nKeep the **harbour** lights on.\n\n## Next Steps\n1. Wait\n2. Look', {
      model: 'gpt-5.4-mini',
      edited: true,
      instructions: 'keep the harbour',
    })
    .user('And now?');
}

/** Opens a session, and in it what a compaction would be. */
export async function opened(app: App, id: string): Promise<void> {
  await app.open(id);
  await at(app.page, 'compact').click();
  await expect(at(app.page, 'review')).toBeVisible();
}
