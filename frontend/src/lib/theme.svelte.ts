import type { Config } from './backend';

export type Theme = Config['theme'];

const KEY = 'palimpsest.theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

/** Light, dark or as the system: what the settings say unless chosen here. One property drives every colour. */
export class ThemeChoice {
  private configured = $state<Theme>('system');
  private chosen = $state<Theme | null>(stored());
  readonly current = $derived(this.chosen ?? this.configured);

  follow(theme: Theme): void {
    this.configured = theme;
    this.apply();
  }

  /** On to the next of the three. */
  cycle(): void {
    this.choose(ORDER[(ORDER.indexOf(this.current) + 1) % ORDER.length] ?? 'system');
  }

  choose(theme: Theme): void {
    this.chosen = theme;
    localStorage.setItem(KEY, theme);
    this.apply();
  }

  apply(): void {
    document.documentElement.dataset.theme = this.current;
  }
}

function stored(): Theme | null {
  const value = localStorage.getItem(KEY);
  return ORDER.find((theme) => theme === value) ?? null;
}
