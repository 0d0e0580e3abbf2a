import { type BrowserContext, expect } from '@playwright/test';
import type { Program } from './program';

/** What the pages of a context did that they must never do. */
export class Conduct {
  readonly foreign: string[] = [];
  readonly refused: string[] = [];
  readonly errors: string[] = [];
  readonly dialogs: string[] = [];
  readonly windows: string[] = [];

  /** Nothing of it was done. Another window is for the test to judge. */
  judge(): void {
    expect(this.foreign, 'requests that leave the origin').toEqual([]);
    expect(this.refused, 'violations of the content security policy').toEqual([]);
    expect(this.errors, 'errors that nothing caught').toEqual([]);
    expect(this.dialogs, 'dialogs').toEqual([]);
  }
}

/** Notes the conduct of every page of a context. */
export async function watch(context: BrowserContext, program: Program): Promise<Conduct> {
  const conduct = new Conduct();
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
  return conduct;
}
