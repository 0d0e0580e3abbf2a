import type { Page } from '@playwright/test';
import type { App } from '../e2e/support/app';
import type { Home } from '../e2e/support/home';
import { bench } from './support/bench';
import { watching } from './support/frames';
import { messages, stream } from './support/homes';
import { Meter, pause } from './support/meter';

const MESSAGES = 100_000;

const fill = (home: Home) => void stream(home, messages(MESSAGES));

bench.use({
  home: async ({ makeHome }, use) => {
    await use(makeHome(fill));
  },
});

async function wheel(page: Page, by: number): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    await page.mouse.wheel(0, by);
    await pause(32);
  }
}

async function pages(page: Page, key: string): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await page.keyboard.press(key);
    await pause(120);
  }
}

/** Takes the bar at its end, to the middle and back. */
async function drag(app: App): Promise<void> {
  const { page } = app;
  const box = await app.log.boundingBox();
  if (!box) throw new Error('no log');
  const x = box.x + box.width - 4;
  const bottom = box.y + box.height - 6;
  await page.mouse.move(x, bottom);
  await page.mouse.down();
  for (const to of [0.5, 1]) {
    await page.mouse.move(x, box.y + box.height * to - 6, { steps: 30 });
    await pause(400);
  }
  await page.mouse.up();
}

const WAYS: Record<string, (app: App, id: string) => Promise<void>> = {
  'wheel up': ({ page }) => wheel(page, -400),
  'wheel down': ({ page }) => wheel(page, 400),
  PageUp: ({ page }) => pages(page, 'PageUp'),
  PageDown: ({ page }) => pages(page, 'PageDown'),
  'the bar to the middle and back': drag,
  'Home and End': async ({ page }) => {
    await page.keyboard.press('Home');
    await pause(800);
    await page.keyboard.press('End');
    await pause(800);
  },
  'a jump to a number': (app, id) => app.go(id, 43_210),
};

bench('100,000 messages, scrolled', async ({ app, home, page, program, figure }) => {
  const id = home.ids()[0] ?? '';
  // Opening has a bench of its own.
  await program.get(`sessions/${id}/outline`);
  await app.open(id);
  const meter = await Meter.of(page);
  await app.log.click({ position: { x: 4, y: 300 } });
  for (const [name, go] of Object.entries(WAYS)) {
    const seen = await watching(page, async () => {
      await go(app, id);
      await pause(300);
    });
    figure(`${name}: longest task`, Math.max(0, ...seen.tasks), 'ms', 50);
    figure(`${name}: frames, 95 of 100 within`, seen.p95, 'ms', 17);
    figure(`${name}: frames over 50 ms`, seen.late, '', 0);
    figure(`${name}: frames with a bare stretch`, seen.bare, '', 0);
    figure(`${name}: frames with rows still loading`, seen.loading, '');
  }
  figure('heap after all that', await meter.heap(), 'MB', 150);
  figure('elements of the page', await page.locator('*').count(), '');
});
