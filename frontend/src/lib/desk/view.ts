import type { Layout } from '../layout.svelte';
import type { ThemeChoice } from '../theme.svelte';
import type { Zoom } from '../zoom.svelte';
import type { Desk } from './desk';

const KEY = 'view';

/** How the window looks, for the next time, and in step with other windows: the colours, the panels and the size of it all. */
export class ViewState {
  constructor(
    private readonly desk: Pick<Desk, 'follow' | 'lay'>,
    private readonly theme: ThemeChoice,
    private readonly layout: Layout,
    private readonly zoom: Zoom,
  ) {}

  start(): () => void {
    return this.desk.follow(KEY, (value) => {
      if (typeof value !== 'object' || value === null) return;
      const { theme, layout, zoom } = value as Record<string, unknown>;
      this.theme.restore(theme);
      this.layout.restore(layout);
      this.zoom.restore(zoom);
    });
  }

  changed(): void {
    this.desk.lay(KEY, { theme: this.theme.kept, layout: this.layout.kept, zoom: this.zoom.factor });
  }
}
