import { defineConfig } from '@playwright/test';
import tests from './playwright.config';

/** Measures the page. One thing at a time: what runs beside it would be measured too. */
export default defineConfig({
  ...tests,
  testDir: 'bench',
  testMatch: '*.bench.ts',
  outputDir: '../build/bench/results',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 600_000,
  reporter: [['list'], ['./bench/support/reporter.ts']],
  use: {
    ...tests.use,
    trace: 'off',
    // The bar is dragged, and what is drawn is what people see.
    launchOptions: { ...tests.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
  },
});
