import type { Config } from './backend';

export type Theme = Config['theme'];

// Beside the desk, so that the page has its colours before it has asked for anything.
const KEY = 'palimpsest.theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

/** Light, dark or as the system: what the settings say unless chosen here. One property drives every colour. */
export class ThemeChoice {
  private configured = $state<Theme>('system');
  private chosen = $state<Theme | null>(themeOf(localStorage.getItem(KEY)));
  readonly current = $derived(this.chosen ?? this.configured);

  constructor(
    /** Told when another one was chosen here. */
    private readonly onChange: () => void = () => undefined,
  ) {}

  follow(theme: Theme): void {
    this.configured = theme;
    this.apply();
  }

  /** What was chosen; null while the settings decide. */
  get kept(): Theme | null {
    return this.chosen;
  }

  restore(kept: unknown): void {
    this.chosen = themeOf(kept);
    if (this.chosen) localStorage.setItem(KEY, this.chosen);
    else localStorage.removeItem(KEY);
    this.apply();
  }

  /** On to the next of the three. */
  cycle(): void {
    this.choose(ORDER[(ORDER.indexOf(this.current) + 1) % ORDER.length] ?? 'system');
  }

  choose(theme: Theme): void {
    this.restore(theme);
    this.onChange();
  }

  apply(): void {
    document.documentElement.dataset.theme = this.current;
  }
}

function themeOf(value: unknown): Theme | null {
  return ORDER.find((theme) => theme === value) ?? null;
}
