import { asBackendError } from '../backend';
import { text } from '../text';
import type { Toasts } from '../toasts.svelte';

/** Says that something could not be kept: once, since whoever writes on a full disk knows it by then, and for as long as it is so. */
export class Unkept {
  private said: string | null = null;

  constructor(private readonly toasts: Toasts) {}

  /** Why something could not be kept; null once all of it is. */
  tell(cause: unknown): void {
    if (cause === null) {
      const toast = this.toasts.list.find(({ message }) => message === this.said);
      if (toast) this.toasts.dismiss(toast.id);
      this.said = null;
    } else if (this.said === null) {
      this.said = text.app.unkept(asBackendError(cause).message);
      this.toasts.show(this.said);
    }
  }
}
