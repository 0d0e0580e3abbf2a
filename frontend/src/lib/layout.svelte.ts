import type { Room } from './zoom.svelte';

export type Panel = 'library' | 'context';

/** How wide a panel may be, in CSS pixels, and how wide it is unless somebody wants it otherwise. */
export const WIDTHS: Record<Panel, { least: number; usual: number; most: number }> = {
  library: { least: 200, usual: 272, most: 480 },
  context: { least: 260, usual: 316, most: 560 },
};

/** What of the layout outlasts the window: the panels as they are where there is room for them. */
interface KeptLayout {
  open: Record<Panel, boolean>;
  width: Record<Panel, number>;
}

/** Which panels are open, and how wide. In a narrow window they start closed and give way to each other. */
export class Layout {
  library = $state(true);
  context = $state(true);
  narrow = $state(false);
  overlay = $state(false);
  /** Where the middle of the window's middle is, once that is known. */
  middle = $state<number | null>(null);
  width = $state<Record<Panel, number>>({ library: WIDTHS.library.usual, context: WIDTHS.context.usual });
  private open = { library: true, context: true };

  constructor(
    /** Told when what is kept has changed here. */
    private readonly onChange: () => void = () => undefined,
  ) {}

  private known = false;

  /** There is more or less room than before. */
  fit({ narrow, overlay }: Room): void {
    if (this.known && narrow === this.narrow && overlay === this.overlay) return;
    this.known = true;
    this.narrow = narrow;
    this.overlay = overlay;
    this.arrange();
  }

  get kept(): KeptLayout {
    return { open: { ...this.open }, width: { ...this.width } };
  }

  /** The panels as they were left; what is not said, or makes no sense, is as usual. */
  restore(kept: unknown): void {
    const { open, width } = (kept ?? {}) as { open?: Record<string, unknown>; width?: Record<string, unknown> };
    for (const panel of ['library', 'context'] as const) {
      this.open[panel] = open?.[panel] !== false;
      const wanted = width?.[panel];
      this.width[panel] = typeof wanted === 'number' ? within(panel, wanted) : WIDTHS[panel].usual;
    }
    this.arrange();
  }

  resize(panel: Panel, width: number): void {
    this.width[panel] = within(panel, width);
    this.onChange();
  }

  toggleLibrary(): void {
    this.library = !this.library;
    if (this.library && this.overlay) this.context = false;
    if (!this.overlay) this.remember('library');
  }

  toggleContext(): void {
    this.context = !this.context;
    if (this.context && this.overlay) this.library = false;
    if (!this.narrow) this.remember('context');
  }

  /** Opens the library where it is closed. */
  showLibrary(): void {
    if (!this.library) this.toggleLibrary();
  }

  showContext(): void {
    if (!this.context) this.toggleContext();
  }

  /** Something was chosen from a panel that covers the conversation. */
  reveal(): void {
    if (this.overlay) this.library = false;
    if (this.narrow) this.context = false;
  }

  private arrange(): void {
    this.context = !this.narrow && this.open.context;
    this.library = !this.overlay && this.open.library;
  }

  private remember(panel: Panel): void {
    this.open[panel] = this[panel];
    this.onChange();
  }
}

function within(panel: Panel, width: number): number {
  const { least, most } = WIDTHS[panel];
  return Math.round(Math.min(Math.max(width, least), most));
}
