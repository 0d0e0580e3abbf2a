// Below these widths the panels no longer fit beside the conversation. The style sheets know them too.
const NARROW = '(max-width: 1000px)';
const OVERLAY = '(max-width: 760px)';

/** Which panels are open. In a narrow window they start closed and give way to each other. */
export class Layout {
  library = $state(true);
  context = $state(true);
  narrow = $state(false);
  overlay = $state(false);

  start(): () => void {
    const narrow = window.matchMedia(NARROW);
    const overlay = window.matchMedia(OVERLAY);
    const read = () => {
      this.narrow = narrow.matches;
      this.overlay = overlay.matches;
      this.context = !narrow.matches;
      this.library = !overlay.matches;
    };
    read();
    narrow.addEventListener('change', read);
    overlay.addEventListener('change', read);
    return () => {
      narrow.removeEventListener('change', read);
      overlay.removeEventListener('change', read);
    };
  }

  toggleLibrary(): void {
    this.library = !this.library;
    if (this.library && this.overlay) this.context = false;
  }

  toggleContext(): void {
    this.context = !this.context;
    if (this.context && this.overlay) this.library = false;
  }

  /** Something was chosen from a panel that covers the conversation. */
  reveal(): void {
    if (this.overlay) this.library = false;
    if (this.narrow) this.context = false;
  }
}
