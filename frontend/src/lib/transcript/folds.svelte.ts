import { SvelteMap } from 'svelte/reactivity';

/**
 * What is folded open or shut, by row and part. Rows come and go, this stays. Folding everything is one more default,
 * so that it holds for rows that were never shown; what is pressed after it differs again.
 */
export class Folds {
  private readonly byHand = new SvelteMap<string, boolean>();
  /** Whether everything was opened or shut; null if that was never asked for. */
  all = $state<boolean | null>(null);

  isOpen(key: string, byDefault: boolean): boolean {
    return this.byHand.get(key) ?? this.all ?? byDefault;
  }

  set(key: string, open: boolean): void {
    this.byHand.set(key, open);
  }

  /** What was pressed is forgotten: rows have other numbers. */
  forget(): void {
    this.byHand.clear();
  }

  setAll(open: boolean): void {
    this.byHand.clear();
    this.all = open;
  }
}
