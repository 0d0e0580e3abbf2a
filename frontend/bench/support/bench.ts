import { test as base } from '@playwright/test';
import { App } from '../../e2e/support/app';
import { Home } from '../../e2e/support/home';
import { Model } from '../../e2e/support/model';
import { Program } from '../../e2e/support/program';
import { median } from './meter';

export interface Figure {
  what: string;
  /** The median of `runs`. */
  value: number;
  unit: string;
  /** What it must not be over; null where there is no such thing. */
  limit: number | null;
  runs: number[];
}

/** A program on a home, and the page in front of it. */
interface Fixtures {
  home: Home;
  model: Model;
  program: Program;
  app: App;
  /** Notes what was measured, in several runs if it was. */
  figure: (what: string, runs: number | number[], unit: string, limit?: number | null) => void;
}

/** What a file of benches needs of sessions is written once, however many they are; each says what that is. */
export const bench = base.extend<Fixtures, { makeHome: (fill: (home: Home) => void) => Home }>({
  makeHome: [
    // eslint-disable-next-line no-empty-pattern -- what a fixture needs is read from it: nothing
    async ({}, use) => {
      const made = new Map<(home: Home) => void, Home>();
      await use((fill) => {
        const home = made.get(fill) ?? new Home();
        if (!made.has(fill)) fill(home);
        made.set(fill, home);
        return home;
      });
      for (const home of made.values()) home.remove();
    },
    { scope: 'worker' },
  ],
  home: async ({ makeHome }, use) => {
    await use(makeHome(() => undefined));
  },
  // eslint-disable-next-line no-empty-pattern -- what a fixture needs is read from it: nothing
  model: async ({}, use) => {
    const model = await Model.start();
    await use(model);
    await model.stop();
  },
  program: async ({ home, model }, use) => {
    const env = { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] };
    const program = await Program.start(home.dir, { env });
    await use(program);
    await program.stop();
  },
  app: async ({ page, program }, use) => {
    await use(new App(page, program));
  },
  // eslint-disable-next-line no-empty-pattern -- what a fixture needs is read from it: nothing
  figure: async ({}, use, info) => {
    await use((what, runs, unit, limit = null) => {
      const all = [runs].flat();
      const figure: Figure = { what, value: median(all), unit, limit, runs: all };
      info.annotations.push({ type: 'figure', description: JSON.stringify(figure) });
    });
  },
});
