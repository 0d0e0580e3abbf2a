const KEY = 'palimpsest.zoom';
const STEPS: readonly number[] = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

/** How large everything is. The window of the system has no zoom of its own, as a browser has. */
export class Zoom {
  factor = $state(stored());

  /** The next larger (1) or smaller (-1) size. */
  step(by: 1 | -1): void {
    const next = by === 1 ? STEPS.find((one) => one > this.factor) : STEPS.findLast((one) => one < this.factor);
    if (next !== undefined) this.set(next);
  }

  reset(): void {
    this.set(1);
  }

  apply(): void {
    const { style } = document.documentElement;
    style.setProperty('zoom', String(this.factor));
    style.setProperty('--zoom', String(this.factor));
  }

  private set(factor: number): void {
    this.factor = factor;
    localStorage.setItem(KEY, String(factor));
    this.apply();
  }
}

function stored(): number {
  const value = Number(localStorage.getItem(KEY));
  return STEPS.includes(value) ? value : 1;
}
