// Beside the desk, so that the page has its size before it has asked for anything.
const KEY = 'palimpsest.zoom';
const STEPS: readonly number[] = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];
// The style sheets know these classes: a question about the width of the window would be answered without the zoom.
const WIDTHS = [1200, 1000, 760] as const;
const LOW = 560;

/** Whether there is room for a panel beside the conversation, and whether there is for the library. */
export interface Room {
  narrow: boolean;
  overlay: boolean;
}

/** How large everything is, and so how much room there is. The window of the system has no zoom of its own. */
export class Zoom {
  factor = $state(stored());
  private onRoom: (room: Room) => void = () => undefined;

  constructor(
    /** Told when another size was chosen here. */
    private readonly onChange: () => void = () => undefined,
  ) {}

  start(onRoom: (room: Room) => void): () => void {
    this.onRoom = onRoom;
    const apply = () => {
      this.apply();
    };
    apply();
    window.addEventListener('resize', apply);
    return () => {
      window.removeEventListener('resize', apply);
    };
  }

  /** The next larger (1) or smaller (-1) size. */
  step(by: 1 | -1): void {
    const next = by === 1 ? STEPS.find((one) => one > this.factor) : STEPS.findLast((one) => one < this.factor);
    if (next !== undefined) this.set(next);
  }

  reset(): void {
    this.set(1);
  }

  /** The size that was kept; what is none is as usual. */
  restore(kept: unknown): void {
    this.factor = STEPS.includes(Number(kept)) ? Number(kept) : 1;
    localStorage.setItem(KEY, String(this.factor));
    this.apply();
  }

  private set(factor: number): void {
    this.restore(factor);
    this.onChange();
  }

  private apply(): void {
    const { style, classList } = document.documentElement;
    style.setProperty('zoom', String(this.factor));
    style.setProperty('--zoom', String(this.factor));
    const width = window.innerWidth / this.factor;
    for (const limit of WIDTHS) classList.toggle(`under-${limit}`, width <= limit);
    classList.toggle('low', window.innerHeight / this.factor <= LOW);
    this.onRoom({ narrow: width <= 1000, overlay: width <= 760 });
  }
}

function stored(): number {
  const value = Number(localStorage.getItem(KEY));
  return STEPS.includes(value) ? value : 1;
}
