import { Composer } from '../e2e/support/composer';
import type { Home } from '../e2e/support/home';
import { conversation } from '../e2e/support/log';
import { bench } from './support/bench';
import { Meter, pause } from './support/meter';
import { pieces, prose } from './support/texts';

const RUNS = 3;
const SECONDS = 5;
// What is still drawn after the last piece is counted too.
const AFTER_MS = 1500;

const fill = (home: Home) => void home.session(conversation(200));

bench.use({
  home: async ({ makeHome }, use) => {
    await use(makeHome(fill));
  },
});

bench('an answer of 60 KB, streamed', async ({ app, home, model, page, figure }) => {
  const composer = new Composer(page);
  await app.open(home.ids()[0] ?? '');
  const meter = await Meter.of(page);
  const total: number[] = [];
  const script: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const reply = model.reply();
    await composer.send('Say it all.');
    await reply.asked;
    await pause(500);
    const idle = await meter.during(() => pause(SECONDS * 1000 + AFTER_MS));
    const said = pieces(prose(60_000), 2000);
    const spent = await meter.during(async () => {
      const began = performance.now();
      for (const [i, piece] of said.entries()) {
        const early = began + (i / said.length) * SECONDS * 1000 - performance.now();
        if (early > 4) await pause(early);
        reply.text(piece);
      }
      reply.done();
      await pause(AFTER_MS);
    });
    total.push(spent.total - idle.total);
    script.push(spent.script - idle.script);
  }
  figure(`60 KB streamed in 2,000 pieces within ${SECONDS} s: main thread`, total, 'ms', 200);
  figure('of it script', script, 'ms');
});
