import { mkdirSync, writeFileSync } from 'node:fs';
import { claudeSession, foreignFile, type Row } from '../e2e/support/foreign';
import type { Home } from '../e2e/support/home';
import { Program } from '../e2e/support/program';
import { bench } from './support/bench';
import {
  ASKED,
  holdList,
  longestTask,
  markAsked,
  noteList,
  noteTasks,
  THERE,
  toFirstRow,
  wholeList,
} from './support/lists';
import { Meter, pause } from './support/meter';

const RUNS = 5;
const ALL = /^Filter 20,000/;

function fillOwn(home: Home, count: number): void {
  for (let n = 0; n < count; n++) {
    const id = `01JD${String(n).padStart(22, '0')}`;
    mkdirSync(home.path(id), { recursive: true });
    writeFileSync(home.path(id, 'session.jsonl'), '');
    const at = new Date(Date.UTC(2026, 0, 1) + n * 600_000).toISOString();
    const about = { id, name: `harbour lights ${n}`, cwd: `/srv/work/${n % 90}`, createdAt: at, lastMessageAt: at };
    writeFileSync(home.path(id, 'metadata.json'), JSON.stringify({ ...about, messageCount: 0 }));
  }
}

/** A row with ids of its own: sessions that begin with the same one are forks of each other. */
function named(row: Row, n: number): Row {
  const { uuid, parentUuid } = row;
  return {
    ...row,
    uuid: `${String(uuid)}-${n}`,
    parentUuid: parentUuid === null ? null : `${String(parentUuid)}-${n}`,
  };
}

function fillBoth(home: Home): void {
  fillOwn(home, 5000);
  for (let n = 0; n < 5000; n++) {
    const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const asked = `Why does the deploy of number ${n} time out, and what can be done about it?`;
    foreignFile(
      home,
      `.claude/projects/-srv-${n % 90}/${id}.jsonl`,
      claudeSession(id, asked, [{ call: 'c', agent: 'a' }]).map((row) => named(row, n)),
    );
  }
}

const fillLarge = (home: Home) => {
  fillOwn(home, 20_000);
};

bench.describe('10,000 sessions', () => {
  bench.use({
    home: async ({ makeHome }, use) => {
      const home = makeHome(fillBoth);
      await home.run(['index', 'scan']);
      await use(home);
    },
  });

  bench('10,000 sessions with an unchanged index, to the list', async ({ home, page, figure }) => {
    await noteList(page);
    const times: number[] = [];
    const whole: number[] = [];
    // The first time nobody knows how the list began the last time.
    for (let run = -1; run < RUNS; run++) {
      const program = await Program.start(home.dir);
      await page.goto('about:blank');
      const rows = await toFirstRow(page, program.url);
      const all = await wholeList(page);
      await program.stop();
      if (run < 0) figure('the same, the first time of all', [rows], 'ms');
      else [times, whole].forEach((some, i) => some.push([rows, all][i] ?? NaN));
    }
    figure('the same, to all of its rows', whole, 'ms');
    figure(
      '10,000 sessions, index unchanged: from the way to the page of a program just started to its first rows',
      times,
      'ms',
      300,
    );

    // What the program takes for its list goes on from there.
    await markAsked(page);
    const meter = await Meter.of(page);
    const asked: number[] = [];
    const there: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const program = await Program.start(home.dir);
      await page.goto('about:blank');
      const thread = await meter.until([ASKED, THERE], async () => {
        await toFirstRow(page, program.url);
      });
      [asked, there].forEach((some, i) => some.push(thread[i] ?? NaN));
      await program.stop();
    }
    figure('10,000 sessions: before the page asks for the first of them (of the thread)', asked, 'ms', 50);
    figure('10,000 sessions: before the first of them can be pressed (of the thread)', there, 'ms');
  });
});

bench.describe('20,000 sessions', () => {
  bench.use({
    home: async ({ makeHome }, use) => {
      await use(makeHome(fillLarge));
    },
  });

  bench('20,000 sessions, to the list and while it comes', async ({ program, page, figure }) => {
    await noteList(page);
    const first: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      await page.goto('about:blank');
      first.push(await toFirstRow(page, program.url));
      await page.getByPlaceholder(ALL).waitFor();
    }
    figure('20,000 sessions: from the way to the page to its first rows', first, 'ms', 1000);

    // What the page does before it has any row is no work on the list.
    const thread: number[] = [];
    const wall: number[] = [];
    const meter = await Meter.of(page);
    for (let run = 0; run < RUNS; run++) {
      const list = await holdList(page);
      await page.goto('about:blank');
      await page.goto(program.url);
      await list.asked;
      await pause(500);
      await page.evaluate(noteTasks);
      thread.push(
        await meter.longest(async () => {
          await list.release();
          await page.getByPlaceholder(ALL).waitFor();
        }),
      );
      wall.push(await page.evaluate(longestTask));
    }
    figure('20,000 sessions: longest task while they come (of the thread)', thread, 'ms', 50);
    figure('20,000 sessions: longest task while they come, with all else that the machine did', wall, 'ms');
  });
});
