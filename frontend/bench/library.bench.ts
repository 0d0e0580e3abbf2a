import type { Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { bench } from './support/bench';
import { Meter, pause } from './support/meter';
import type { Home } from '../e2e/support/home';

const ROWS = 20_000;
const WORDS = ['harbour', 'timeout', 'vendor', 'node', 'lights', 'deploy', 'index', 'cache', 'token', 'draft'];

function fill(home: Home): void {
  for (let n = 0; n < ROWS; n++) {
    const id = `01JD${String(n).padStart(22, '0')}`;
    mkdirSync(home.path(id), { recursive: true });
    writeFileSync(home.path(id, 'session.jsonl'), '');
    const at = new Date(Date.UTC(2026, 0, 1) + n * 600_000).toISOString();
    const name = `${WORDS[n % 10]} ${WORDS[(n * 7 + 3) % 10]} ${n}`;
    writeFileSync(
      home.path(id, 'metadata.json'),
      JSON.stringify({ id, name, cwd: `/srv/${WORDS[n % 7]}`, createdAt: at, lastMessageAt: at, messageCount: 0 }),
    );
  }
}

/** What each of 20 keys costs that write a word and take it back, in milliseconds of script and layout. */
async function typed(page: Page, meter: Meter): Promise<number[]> {
  const spent: number[] = [];
  for (const key of 'harbour 12'.split('').concat(Array<string>(10).fill('Backspace'))) {
    const one = await meter.during(async () => {
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await pause(250);
    });
    spent.push(one.script + one.layout + one.style);
  }
  return spent;
}

bench.use({
  home: async ({ makeHome }, use) => {
    await use(makeHome(fill));
  },
});

bench('a library of 20,000 sessions, filtered', async ({ app, page, figure }) => {
  await app.start();
  await app.filter.focus();
  const meter = await Meter.of(page);
  // The list is there, and is told once more with what had to be counted.
  const atOnce = await meter.longest(async () => {
    for (const key of 'harbour') await page.keyboard.press(key, { delay: 120 });
  });
  figure('filter of 20,000 sessions while they are counted: longest task of the thread', atOnce, 'ms', 50);
  await app.filter.fill('');
  await meter.rest();
  const spent = await typed(page, meter);
  figure('filter of 20,000 sessions, per key: script and layout', spent, 'ms', 16);
  figure('the slowest of 20 keys', Math.max(...spent), 'ms', 16);
  figure('heap', await meter.heap(), 'MB', 150);

  await page.reload();
  await app.filter.focus();
  await meter.rest();
  const [first = NaN] = await typed(page, meter);
  figure('the first key of all, once the list rests', first, 'ms', 16);

  await page.keyboard.press('Control+k');
  await page.getByTestId('palette-field').fill('warm');
  await page.getByTestId('palette-field').fill('');
  figure('the palette over 20,000 sessions, per key: script and layout', await typed(page, meter), 'ms', 16);
});
