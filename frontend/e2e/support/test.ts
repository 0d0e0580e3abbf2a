import { expect, test as base } from '@playwright/test';
import { App } from './app';
import { Home } from './home';
import { Model } from './model';
import { Program } from './program';

/** What a page did that it must never do. */
export interface Conduct {
  foreign: string[];
  refused: string[];
  errors: string[];
  dialogs: string[];
  windows: string[];
}

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

/** Every test has a home and a running program of its own; whatever it is about, the page has to behave. */
export const test = base.extend<Fixtures>({
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
    const env = withModel ? { PALIMPSEST_BASE_URL: model.url, PALIMPSEST_MODEL: model.models[0] } : {};
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
      const conduct: Conduct = { foreign: [], refused: [], errors: [], dialogs: [], windows: [] };
      context.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(`${program.origin}/`) && !url.startsWith(`blob:${program.origin}/`)) {
          conduct.foreign.push(url);
        }
      });
      context.on('weberror', (error) => conduct.errors.push(String(error.error())));
      context.on('dialog', (dialog) => {
        conduct.dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      context.on('page', (page) => {
        if (context.pages().length > 1) conduct.windows.push(page.url());
      });
      await context.exposeFunction('reportRefusal', (said: string) => conduct.refused.push(said));
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          const { reportRefusal } = window as unknown as { reportRefusal: (said: string) => void };
          reportRefusal(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
        });
      });
      await use(conduct);
      expect(conduct.foreign, 'requests that leave the origin').toEqual([]);
      expect(conduct.refused, 'violations of the content security policy').toEqual([]);
      expect(conduct.errors, 'errors that nothing caught').toEqual([]);
      expect(conduct.dialogs, 'dialogs').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
