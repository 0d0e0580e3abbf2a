// So long a page may work before it draws and hears keys again.
const MOST = 12;

/** A long work that lets the page go on in between. */
export class Breath {
  private since = performance.now();

  get due(): boolean {
    return performance.now() - this.since > MOST;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.since = performance.now();
  }
}
