import type { Page } from '@playwright/test';
import type { App } from '../e2e/support/app';
import { bench } from './support/bench';
import { looking, timing } from './support/frames';
import { fillLarge, LARGE } from './support/homes';
import { Meter, pause } from './support/meter';

bench.use({
  home: async ({ makeHome }, use) => {
    await use(makeHome(fillLarge));
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

const WAYS: Record<string, (app: App, id: string, seq: number) => Promise<void>> = {
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
  'a jump to a number': (app, id, seq) => app.go(id, seq),
};

/** A message that came cut, with all of it on the page that a reader asked for. */
async function showAll(app: App): Promise<void> {
  const message = app.message(2);
  await message.getByTestId('show-whole').click();
  await message.getByTestId('show-all').click({ timeout: 60_000 });
  for (let more = 0; more < 5; more++) await message.getByRole('button', { name: /^Show more/ }).click();
}

for (const [session, place, last] of LARGE) {
  bench(`${session}, scrolled`, async ({ app, home, page, program, figure }) => {
    const id = home.ids()[place] ?? '';
    // Opening has a bench of its own.
    await program.get(`sessions/${id}/outline`);
    await app.open(id);
    if (last === 3) await showAll(app);
    const meter = await Meter.of(page);
    await app.log.click({ position: { x: 4, y: 300 } });
    for (const [name, go] of Object.entries(WAYS)) {
      const way = async () => {
        await go(app, id, Math.ceil(last * 0.4321));
        await pause(300);
      };
      const longest = await meter.longest(way);
      const pace = await timing(page, way);
      const seen = await looking(page, way);
      const what = `${session}, ${name}`;
      figure(`${what}: longest task`, longest, 'ms', 50);
      figure(`${what}: frames, 95 of 100 within`, pace.p95, 'ms', 17);
      figure(`${what}: frames over 50 ms`, pace.late, '', 0);
      figure(`${what}: frames with a bare stretch`, seen.bare, '', 0);
      figure(`${what}: frames with rows still loading`, seen.loading, '');
    }
    figure(`${session}: heap after all that`, await meter.heap(), 'MB', 150);
    figure(`${session}: elements of the page`, await page.locator('*').count(), '');
  });
}
