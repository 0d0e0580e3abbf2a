import { Composer } from '../e2e/support/composer';
import type { Home } from '../e2e/support/home';
import { conversation } from '../e2e/support/log';
import type { Reply } from '../e2e/support/model';
import { bench } from './support/bench';
import { Meter, pause, type Spent } from './support/meter';
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
  /** What an answer costs that is said by a function, beyond what the page does in as much time without one. */
  const answered = async (say: (reply: Reply) => Promise<void>): Promise<Spent> => {
    const reply = model.reply();
    await composer.send('Say it all.');
    await reply.asked;
    await pause(500);
    const idle = await meter.during(() => pause(SECONDS * 1000 + AFTER_MS));
    const spent = await meter.during(async () => {
      await say(reply);
      reply.done();
      await pause(AFTER_MS);
    });
    return { ...spent, total: spent.total - idle.total, script: spent.script - idle.script };
  };
  const streamed: Spent[] = [];
  const atOnce: Spent[] = [];
  for (let run = 0; run < RUNS; run++) {
    streamed.push(
      await answered(async (reply) => {
        const said = pieces(prose(60_000), 2000);
        const began = performance.now();
        for (const [i, piece] of said.entries()) {
          const early = began + (i / said.length) * SECONDS * 1000 - performance.now();
          if (early > 4) await pause(early);
          reply.text(piece);
        }
      }),
    );
    atOnce.push(
      await answered(async (reply) => {
        reply.text(prose(60_000));
        await pause(SECONDS * 1000);
      }),
    );
  }
  const what = `60 KB streamed in 2,000 pieces within ${SECONDS} s`;
  figure(
    `${what}: main thread`,
    streamed.map(({ total }) => total),
    'ms',
    200,
  );
  figure(
    'of it script',
    streamed.map(({ script }) => script),
    'ms',
  );
  figure(
    'the same answer in one piece: main thread',
    atOnce.map(({ total }) => total),
    'ms',
  );
});
