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

/**
 * A conversation of which a summary can lose something of every kind. Its compaction keeps the rule, one file and the number, and what
 * goes next says more.
 */
export function factual(): Log {
  const log = conversation(2)
    .user('Never touch the vendor folder. The canary fails on arm64.')
    .call('read', { path: 'deploy/canary.yaml' }, 'initialDelaySeconds: 15')
    .call('bash', { command: 'make image' }, 'Error: ERR_IMAGE_PLATFORM: exec format error', { isError: true })
    .assistant('It is `buildPlatform` in .github/workflows/deploy.yml, since a1b2c3d4e5; the probe waits 40 s.')
    .user('See https://ci.example.org/runs/17 then.')
    .assistant('It says what the log says.')
    .compaction(
      10,
      '## Goal\nMake the canary pass.\n\n## Constraints & Preferences\n- Never touch the vendor folder.\n\n## Progress\n' +
        '### Done\n- [x] Read deploy/canary.yaml; the probe waits 40 s\n\n## Next Steps\n1. Build for both',
      { readFiles: ['deploy/canary.yaml'], modifiedFiles: [] },
    );
  log.user('Always build both platforms. Look at https://docs.example.org/buildx first.');
  for (let n = 0; n < 6; n++)
    log.assistant(`Step ${n}: internal/build/stage${n}.go takes ${n + 3} minutes.`).user('Go on.');
  return log;
}
