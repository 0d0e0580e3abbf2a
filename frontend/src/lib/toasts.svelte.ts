import { asBackendError } from './backend';
import { text } from './text';

export interface Toast {
  id: number;
  message: string;
  hint: string;
  kind: 'news' | 'error';
  action: { label: string; run: () => void } | null;
}

interface Options {
  undo?: () => unknown;
  label?: string;
}

// Long enough to read the message and reach for its button.
const SECONDS = 8;

/** Short messages at the foot of the window. They wait while pointed at or focused. */
export class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  private held = false;
  private next = 1;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(message: string, { undo, label = text.app.undo }: Options = {}): void {
    this.add({ message, hint: '', kind: 'news', action: undo ? { label, run: () => void undo() } : null });
  }

  error(cause: unknown): void {
    const error = asBackendError(cause);
    this.add({ message: error.message || text.app.failed, hint: error.hint, kind: 'error', action: null });
  }

  dismiss(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
  }

  /** The newest that offers a way back. */
  get undoable(): Toast | null {
    return this.list.findLast(({ action }) => action !== null) ?? null;
  }

  undo(): void {
    const toast = this.undoable;
    if (toast) this.act(toast);
  }

  act(toast: Toast): void {
    this.dismiss(toast.id);
    toast.action?.run();
  }

  clear(): void {
    for (const { id } of this.list) this.dismiss(id);
  }

  hold(): void {
    this.held = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  release(): void {
    this.held = false;
    for (const toast of this.list) this.start(toast.id);
  }

  private add(toast: Omit<Toast, 'id'>): void {
    const id = this.next++;
    // What was said before is over once three newer things were said.
    for (const old of this.list.slice(0, -2)) this.dismiss(old.id);
    this.list = [...this.list, { ...toast, id }];
    if (!this.held) this.start(id);
  }

  private start(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.set(
      id,
      setTimeout(() => {
        this.dismiss(id);
      }, SECONDS * 1000),
    );
  }
}
