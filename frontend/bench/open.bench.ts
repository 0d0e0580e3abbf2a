import { rmSync } from 'node:fs';
import { Program } from '../e2e/support/program';
import { bench } from './support/bench';
import { painted } from './support/frames';
import { fillLarge, LARGE } from './support/homes';

const RUNS = 5;
bench.use({
  home: async ({ makeHome }, use) => {
    await use(makeHome(fillLarge));
  },
});

for (const [name, place, seq] of LARGE) {
  bench(`${name}, opened`, async ({ home, page, figure }) => {
    const id = home.ids()[place] ?? '';
    const cold: number[] = [];
    const warm: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      // Nothing is known of any session yet.
      rmSync(`${home.dir}.cache`, { recursive: true, force: true });
      const program = await Program.start(home.dir);
      await page.goto(program.url);
      const address = `${program.origin}/#/s/${id}`;
      cold.push(await painted(page, address, seq));
      warm.push(await painted(page, address, seq));
      await program.stop();
    }
    figure(`${name}: opened, the program just started`, cold, 'ms', 1000);
    figure(`${name}: opened again`, warm, 'ms', 1000);
  });
}
