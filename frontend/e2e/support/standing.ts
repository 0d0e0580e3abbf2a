import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import { type Conduct, watch } from './conduct';
import { Home } from './home';
import { still } from './look';
import { Model } from './model';
import { Program } from './program';

/** What stands from test to test: a home, the program on it with its model, and a page that is loaded once. */
export class Standing {
  private constructor(
    readonly home: Home,
    readonly model: Model,
    readonly program: Program,
    readonly conduct: Conduct,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async start(browser: Browser, withModel: boolean): Promise<Standing> {
    const [home, model, context] = [new Home(true), await Model.start(), await browser.newContext()];
    const program = await Program.start(home.dir, { env: withModel ? model.environment : {} });
    const conduct = await watch(context, program);
    return new Standing(home, model, program, conduct, context, await context.newPage());
  }

  /** Takes back what a test did to the window. What it left open is left by the next, as it begins. */
  async tidy(): Promise<void> {
    for (const other of this.context.pages()) if (other !== this.page) await other.close();
    await this.page.unrouteAll({ behavior: 'ignoreErrors' });
    await this.page.setViewportSize({ width: 1440, height: 900 });
    await this.page.emulateMedia({ colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' });
    await this.page.mouse.move(0, 0);
    await still(this.page);
    this.model.forget();
    this.conduct.windows.length = 0;
  }

  async end(): Promise<void> {
    await this.context.close();
    expect(await this.program.stop(), 'the program ends in good order').toBe(0);
    await this.model.stop();
    this.home.remove();
  }
}
