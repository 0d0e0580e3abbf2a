import { expect, type Locator, type Page } from '@playwright/test';
import type { Program } from './program';

/** The page, as someone who uses it finds their way. */
export class App {
  constructor(
    readonly page: Page,
    protected readonly program: Program,
  ) {}

  /** Opens the address that the program printed, whatever comes of it. */
  async visit(): Promise<void> {
    await this.page.goto(this.program.url);
  }

  /** Opens that address, and waits for the list of sessions. */
  async start(): Promise<void> {
    await this.visit();
    // How many there are stands in the field, or that there are none.
    const counted = this.page.getByPlaceholder(/^Filter .*\d/).or(this.page.getByTestId('library-empty'));
    await expect(counted.first()).toBeAttached();
  }

  /** Opens a conversation, at a record if one is named. */
  async open(id: string, seq?: number): Promise<void> {
    await this.start();
    await this.go(id, seq);
  }

  async go(id: string, seq?: number): Promise<void> {
    await this.page.goto(`${this.program.origin}/#/s/${id}${seq === undefined ? '' : `/${seq}`}`);
    await expect(this.log).toBeVisible();
    await this.settled();
  }

  /** Leaves what is open, at the size that the page begins with. */
  async leave(): Promise<void> {
    await this.page.setViewportSize({ width: 1440, height: 900 });
    await this.page.goto(`${this.program.origin}/#/`);
    await expect(this.page.getByTestId('home')).toBeVisible();
  }

  get filter(): Locator {
    return this.page.getByTestId('filter');
  }
  get log(): Locator {
    return this.page.getByRole('feed');
  }
  get skeletons(): Locator {
    return this.page.getByTestId('skeleton-row');
  }
  get library(): Locator {
    return this.page.getByRole('complementary', { name: 'Library' });
  }
  get context(): Locator {
    return this.page.getByRole('complementary', { name: 'Context' });
  }
  get toast(): Locator {
    return this.page.getByTestId('toast').last();
  }

  session(id: string): Locator {
    return this.page.locator(`[data-testid="session-row"][data-id="${id}"]`);
  }
  link(id: string): Locator {
    return this.session(id).getByRole('link');
  }
  message(seq: number): Locator {
    return this.page.locator(`[data-testid="message"][data-seq="${seq}"]`);
  }
  band(seq: number): Locator {
    return this.page.locator(`[data-testid="compaction-band"][data-seq="${seq}"]`);
  }
  /** Any row of the log, by the number in its gutter. */
  row(seq: number): Locator {
    return this.page.locator(`article[data-seq="${seq}"]`);
  }

  async menu(id: string, action: string): Promise<void> {
    await this.session(id).hover();
    await this.session(id).getByTestId('session-menu').click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }

  /** Has the panel open, which a narrow window begins without. */
  async openContext(): Promise<void> {
    const toggle = this.page.getByTestId('toggle-context');
    if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
    await expect(this.context).toBeVisible();
  }

  /** Asks until the program answers again, which the page may notice by itself just before that. */
  async reconnected(): Promise<void> {
    const now = this.page.getByTestId('reconnect');
    await expect(async () => {
      if (await now.isVisible()) await now.click({ timeout: 500 });
      await expect(this.page.getByTestId('banner')).not.toContainText('does not answer', { timeout: 500 });
    }).toPass();
  }

  /** Ids of the list from top to bottom. */
  listed(): Promise<(string | null)[]> {
    const rows = this.page.getByTestId('session-row');
    return rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-id')));
  }

  scrollTop(): Promise<number> {
    return this.log.evaluate((log) => log.scrollTop);
  }

  /** Waits until everything in view is there and nothing moves any more. */
  async settled(): Promise<void> {
    let before = '';
    const rested = async () => {
      const now = await this.log.evaluate(picture);
      const same = now === before && !now.includes('skeleton') && !now.includes('bare');
      before = now;
      return same;
    };
    await expect.poll(rested, { intervals: [100, 200] }).toBe(true);
  }
}

/** What of the log is in view and where; `bare` is a stretch where nothing stands. */
function picture(log: Element): string {
  const view = log.getBoundingClientRect();
  const rows = [...log.querySelectorAll('[data-position]')]
    .map((row) => ({ row, box: row.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > view.top && box.top < view.bottom);
  const name = (row: Element) => `${row.getAttribute('data-testid') ?? ''}${row.getAttribute('data-position') ?? ''}`;
  const seen = rows.map(({ row, box }) => `${name(row)}@${Math.round(box.top)}+${Math.round(box.height)}`);
  if (log.scrollHeight > log.clientHeight + 1) {
    for (let y = view.top + 4; y < view.bottom - 4; y += 20) {
      const hit = document.elementFromPoint(view.left + view.width / 3, y);
      if (hit === log || !log.contains(hit)) seen.push(`bare@${Math.round(y)}`);
    }
  }
  return seen.join(' ');
}
