import type { Layout } from '../layout.svelte';
import type { ThemeChoice } from '../theme.svelte';
import type { Desk } from './desk';

const KEY = 'view';

/** How the window looks, for the next time, and in step with other windows: the colours and the panels. */
export class ViewState {
  constructor(
    private readonly desk: Pick<Desk, 'follow' | 'lay'>,
    private readonly theme: ThemeChoice,
    private readonly layout: Layout,
  ) {}

  start(): () => void {
    return this.desk.follow(KEY, (value) => {
      if (typeof value !== 'object' || value === null) return;
      const { theme, layout } = value as Record<string, unknown>;
      this.theme.restore(theme);
      this.layout.restore(layout);
    });
  }

  changed(): void {
    this.desk.lay(KEY, { theme: this.theme.kept, layout: this.layout.kept });
  }
}
