import { asBackendError } from './backend';
import { text } from './text';

export interface Toast {
  id: number;
  message: string;
  hint: string;
  kind: 'news' | 'error';
  action: { label: string; run: () => void } | null;
  /** Its action is what the key of undo does: a way back, and not one from something that was undone. */
  undoes: boolean;
  /** It is about what is open, and means nothing once something else is. */
  here: boolean;
}

interface Options {
  /** The way back from what is told. */
  undo?: () => unknown;
  /** Anything else that can be done now. */
  offer?: () => unknown;
  label?: string;
  here?: boolean;
}

const MOST = 3;
// Long enough to read the message and reach for its button.
const SECONDS = 8;

/** Short messages at the foot of the window. They wait while pointed at or focused. */
export class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  /** The dialogs that are open, the topmost last: under one nothing can be pressed, and nothing is read out. */
  private dialogs = $state.raw<readonly object[]>([]);
  private held = false;
  private next = 1;
  /** How many ways back are being gone. */
  private goingBack = 0;
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>();

  show(message: string, { undo, offer = undo, label = text.app.undo, here = false }: Options = {}): void {
    const undoes = undo !== undefined && this.goingBack === 0;
    const run = offer && (undoes ? () => void this.goBack(undo) : () => void offer());
    const action = run ? { label, run } : null;
    this.add({ message, hint: '', kind: 'news', here, action, undoes });
  }

  /** What was wanted and failed; `again` tries it once more. */
  error(cause: unknown, again?: () => unknown): void {
    const { message, hint } = asBackendError(cause);
    const action = again ? { label: text.app.retry, run: () => void again() } : null;
    this.add({ message: message || text.app.failed, hint, kind: 'error', here: false, action, undoes: false });
  }

  /** Does something, and tells why it failed; `again` is offered then. */
  async attempt(action: () => Promise<void>, again?: () => unknown): Promise<void> {
    try {
      await action();
    } catch (cause) {
      this.error(cause, again);
    }
  }

  dismiss(id: number): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
    this.list = this.list.filter((toast) => toast.id !== id);
    // What was pointed at is gone without the pointer having left it.
    if (this.list.length === 0) this.held = false;
  }

  /** What they are shown on: the topmost dialog, or null for the window. */
  get place(): object | null {
    return this.dialogs.at(-1) ?? null;
  }

  /** A dialog has opened; returns what is to be done once it closes. */
  cover(dialog: object): () => void {
    this.dialogs = [...this.dialogs, dialog];
    return () => {
      this.dialogs = this.dialogs.filter((one) => one !== dialog);
    };
  }

  /** The newest of which the key of undo is the way back. */
  get undoable(): Toast | null {
    return this.list.findLast(({ undoes }) => undoes) ?? null;
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

  /** Something else is open now. */
  left(): void {
    for (const { id, here } of this.list) if (here) this.dismiss(id);
  }

  hold(): void {
    this.held = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  release(): void {
    this.held = false;
    for (const toast of this.list) this.start(toast.id);
  }

  /** What it tells of is no step further: the key goes on to what was done before. */
  private async goBack(undo: () => unknown): Promise<void> {
    this.goingBack++;
    try {
      await undo();
    } finally {
      this.goingBack--;
    }
  }

  private add(toast: Omit<Toast, 'id'>): void {
    const id = this.next++;
    // Of the same kind only the last counts; what offers a way back stays as long as it may be wanted.
    const same = (old: Toast) =>
      old.message === toast.message || (old.kind === 'news' && toast.kind === 'news' && !old.action && !toast.action);
    for (const old of this.list.filter(same)) this.dismiss(old.id);
    for (const old of this.list.slice(0, 1 - MOST)) this.dismiss(old.id);
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
