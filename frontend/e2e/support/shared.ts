import { App } from './app';
import { Standing } from './standing';
import { expect, test as base } from './test';

/** The page that stands: a test begins by leaving what is open, unless something of the last one is in the way of that. */
class StandingApp extends App {
  override async start(): Promise<void> {
    const over = this.page.locator(
      'dialog:modal, [role="menu"], .surface, [data-testid="filter"]:not(:placeholder-shown), [data-testid="shelf-trash"][aria-pressed="true"]',
    );
    if (!this.page.url().startsWith(`${this.program.origin}/`) || (await over.count()) > 0) {
      // Else only the end of the address is another one, and the same page stays.
      await this.page.goto('about:blank');
      return super.start();
    }
    await this.leave();
    await this.page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
  }
}

/**
 * For tests each of which is about sessions of its own, and about nothing else that a home has: to start a program and to load a page
 * takes longer than most of them. Those that count sessions, change settings or stop the program have a home of their own, by `test`.
 */
export const test = base.extend<{ standing: Standing }>({
  standing: async ({ kept, browser, withModel }, use) => {
    const standing = kept.get(withModel) ?? (await Standing.start(browser, withModel));
    kept.set(withModel, standing);
    await use(standing);
    await standing.tidy();
  },
  home: ({ standing }, use) => use(standing.home),
  model: ({ standing }, use) => use(standing.model),
  program: ({ standing }, use) => use(standing.program),
  context: ({ standing }, use) => use(standing.context),
  page: ({ standing }, use) => use(standing.page),
  app: ({ standing }, use) => use(new StandingApp(standing.page, standing.program)),
  conduct: async ({ standing }, use) => {
    await use(standing.conduct);
    standing.conduct.judge();
  },
});

export { expect };
