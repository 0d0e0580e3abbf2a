import type { Layout } from '../layout.svelte';
import type { ThemeChoice } from '../theme.svelte';
import type { Zoom } from '../zoom.svelte';
import type { Order } from '../library/order.svelte';
import type { Desk } from './desk';

const KEY = 'view';

/** How the window looks, for the next time, and in step with other windows: the colours, the panels, the size of it all and how
 * the library is arranged. */
export class ViewState {
  private asked: Promise<unknown> | null = null;

  constructor(
    private readonly desk: Pick<Desk, 'get' | 'follow' | 'lay'>,
    private readonly theme: ThemeChoice,
    private readonly layout: Layout,
    private readonly zoom: Zoom,
    private readonly order: Order,
  ) {}

  /** Asks for how it looked, while it is not known yet whether anybody is let in. */
  ask(): void {
    this.asked = this.desk.get(KEY).catch(() => null);
  }

  start(): () => void {
    return this.desk.follow(KEY, (value) => {
      this.restore(value);
    });
  }

  /** Has it look as was asked for; settles once it does. */
  async begin(): Promise<void> {
    this.restore(await this.asked);
    this.asked = null;
  }

  private restore(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const { theme, layout, zoom, library } = value as Record<string, unknown>;
    this.theme.restore(theme);
    this.layout.restore(layout);
    this.zoom.restore(zoom);
    this.order.restore(library);
  }

  changed(): void {
    this.desk.lay(KEY, {
      theme: this.theme.kept,
      layout: this.layout.kept,
      zoom: this.zoom.factor,
      library: this.order.kept,
    });
  }
}
