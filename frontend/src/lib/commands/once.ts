// Longer than a key takes on its way through the window, shorter than pressing it again.
const SAME_PRESS = 200;

/**
 * One press of a key may arrive twice: at the page, and as an item of the system's menu that has the same key. Which
 * comes first, or whether both come, differs from system to system.
 */
export class Once {
  private last = { from: '', id: '', at: -Infinity };

  constructor(private readonly now = () => performance.now()) {}

  /** Whether this is the first that is heard of a press. */
  from(from: 'page' | 'menu', id: string): boolean {
    const { last } = this;
    const at = this.now();
    if (last.id === id && last.from !== from && at - last.at < SAME_PRESS) {
      // It is accounted for: the next one is another press.
      this.last = { from: '', id: '', at: -Infinity };
      return false;
    }
    this.last = { from, id, at };
    return true;
  }
}
