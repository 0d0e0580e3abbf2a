import { expect, test as base } from '@playwright/test';
import { App } from './app';
import { type Conduct, watch } from './conduct';
import { Home } from './home';
import { Model } from './model';
import { Program } from './program';
import type { Standing } from './standing';

interface Fixtures {
  /** More arguments of `serve`. */
  serveArgs: string[];
  /** Whether the program has a model to talk to, and which it is asked for. */
  withModel: boolean;
  model: Model;
  home: Home;
  program: Program;
  app: App;
  conduct: Conduct;
}

interface WorkerFixtures {
  /** What stands for all tests that share it, by whether it has a model; here, so that they share their workers with all others. */
  kept: Map<boolean, Standing>;
}

/** Every test has a home and a running program of its own; whatever it is about, the page has to behave. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  kept: [
    // eslint-disable-next-line no-empty-pattern -- what a fixture needs is read from it: nothing
    async ({}, use) => {
      const kept = new Map<boolean, Standing>();
      await use(kept);
      for (const standing of kept.values()) await standing.end();
    },
    { scope: 'worker' },
  ],
  serveArgs: [[], { option: true }],
  withModel: [false, { option: true }],

  // eslint-disable-next-line no-empty-pattern -- what a fixture needs is read from it: nothing
  model: async ({}, use) => {
    const model = await Model.start();
    await use(model);
    await model.stop();
  },

  // Playwright insists on a pattern, even where nothing is taken.
  // eslint-disable-next-line no-empty-pattern -- what a fixture needs is read from it: nothing
  home: async ({}, use) => {
    const home = new Home();
    await use(home);
    home.remove();
  },

  program: async ({ home, serveArgs, withModel, model }, use) => {
    const env = withModel ? model.environment : {};
    const program = await Program.start(home.dir, { args: serveArgs, env });
    await use(program);
    expect(await program.stop(), 'the program ends in good order').toBe(0);
  },

  app: async ({ page, program, conduct }, use) => {
    expect(conduct.errors).toEqual([]);
    await use(new App(page, program));
  },

  conduct: [
    async ({ context, program }, use) => {
      const conduct = await watch(context, program);
      await use(conduct);
      conduct.judge();
    },
    { auto: true },
  ],
});

export { expect };
