import type { Room } from './zoom.svelte';

/** Which panels are open. In a narrow window they start closed and give way to each other. */
export class Layout {
  library = $state(true);
  context = $state(true);
  narrow = $state(false);
  overlay = $state(false);
  private known = false;

  /** There is more or less room than before. */
  fit({ narrow, overlay }: Room): void {
    if (this.known && narrow === this.narrow && overlay === this.overlay) return;
    this.known = true;
    this.narrow = narrow;
    this.overlay = overlay;
    this.context = !narrow;
    this.library = !overlay;
  }

  toggleLibrary(): void {
    this.library = !this.library;
    if (this.library && this.overlay) this.context = false;
  }

  toggleContext(): void {
    this.context = !this.context;
    if (this.context && this.overlay) this.library = false;
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
}
