import { rmSync } from 'node:fs';
import type { Home } from '../e2e/support/home';
import { conversation } from '../e2e/support/log';
import { Program } from '../e2e/support/program';
import { bench } from './support/bench';
import { painted } from './support/frames';
import { messages, stream } from './support/homes';

const RUNS = 5;
const MESSAGES = 100_000;

function* oneLong(): Generator<string> {
  const [first = '', , last = ''] = conversation(3).text().split('\n');
  const text = 'All work and no play makes a long log.\\n'.repeat((50 * 1_048_576) / 40);
  yield `${first}\n`;
  yield `{"recordType":"message","schemaVersion":1,"seq":2,"timestamp":"2026-11-20T09:01:00.000Z","role":"assistant","content":[{"type":"text","text":"${text}"}],"stopReason":"stop"}\n`;
  yield `${last}\n`;
}

function fill(home: Home): void {
  stream(home, messages(MESSAGES));
  stream(home, messages(MESSAGES, 31_500));
  stream(home, oneLong());
}

bench.use({
  home: async ({ makeHome }, use) => {
    await use(makeHome(fill));
  },
});

const SESSIONS: [name: string, place: number, seq: number][] = [
  ['100,000 messages', 0, MESSAGES],
  ['a log of 1 GB', 1, MESSAGES],
  ['a message of 50 MB', 2, 3],
];

for (const [name, place, seq] of SESSIONS) {
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
