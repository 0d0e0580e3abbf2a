import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { defineConfig } from '@playwright/test';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
// Playwright's own list, whose place ours takes.
const WITHOUT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // Pages for the address bar, which cost as much as the window that they come with.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

const chromium = () =>
  execFileSync(resolve(import.meta.dirname, '../build/scripts/chromium'), { encoding: 'utf8' }).trim();

/** The page in Chromium against the real program, on a home that no one else has. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // No worker knows of another's program, home and model, and each waits as much as it works.
  workers: 3,
  fullyParallel: true,
  // A machine that does other work may stall a browser; what passes only then is listed as flaky.
  retries: 1,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    // What is not there by then does not come: a test ends, rather than wait for it as long as it may take in all.
    actionTimeout: 30_000,
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Without snapshots: for those the recorder reads the page's pictures, which its policy refuses. Not of
    // every test, to be thrown away with those that pass: it costs a tenth of the time.
    trace: { mode: 'on-first-retry', snapshots: false, screenshots: false, sources: true },
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.PALIMPSEST_CHROMIUM ?? chromium(),
      args: [...FLAGS, ...QUIET, `--disable-features=${WITHOUT.join()}`],
    },
  },
});
