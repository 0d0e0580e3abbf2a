import type { Backend } from '../backend';

// What is being written is laid down this often: what a crash may cost.
const DELAY = 400;

type Part = Pick<Backend, 'deskPiece' | 'layOnDesk'>;
type Listener = (value: unknown) => void;

interface Waiting {
  value: unknown;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** An older value is on its way: this one waits for its end, so that the last one stays. */
  busy: boolean;
  dirty: boolean;
}

/**
 * What lies unfinished, kept by the program, so that neither a reload nor a crash loses it, and seen by every window of
 * the same home.
 */
export class Desk {
  /** Under which name this window knows the news of what it laid down itself. */
  readonly by = Math.random().toString(36).slice(2);
  private readonly pieces = new Map<string, Waiting>();
  private readonly listeners = new Map<string, Set<Listener>>();

  constructor(
    private readonly backend: Part,
    /** Told when something could not be kept. */
    private readonly onFailed: (cause: unknown) => void = () => undefined,
  ) {}

  /** Keeps it from going when the page goes. */
  start(): () => void {
    const flush = () => {
      this.flush();
    };
    const hidden = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      flush();
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', hidden);
    };
  }

  /** Tells what lies under a key, now and whenever another window changed it; never what this one lays down. */
  follow(key: string, listener: Listener): () => void {
    const all = this.listeners.get(key) ?? new Set();
    this.listeners.set(key, all.add(listener));
    void this.tell(key, listener, true);
    return () => {
      all.delete(listener);
      if (all.size === 0) this.listeners.delete(key);
    };
  }

  /** What lies under a key; null if nothing does, or nobody can tell: then it stays until something is laid over it. */
  async get(key: string): Promise<unknown> {
    try {
      return await this.backend.deskPiece(key);
    } catch {
      return null;
    }
  }

  /** Lays a piece down in a moment; null takes it away. */
  lay(key: string, value: unknown): void {
    const piece = this.pieces.get(key) ?? { value, timer: undefined, busy: false, dirty: false };
    this.pieces.set(key, piece);
    piece.value = value;
    piece.dirty = true;
    piece.timer ??= setTimeout(() => {
      piece.timer = undefined;
      void this.write(key, piece, false);
    }, DELAY);
  }

  /** Lays everything down now. */
  flush(): void {
    for (const [key, piece] of this.pieces) {
      clearTimeout(piece.timer);
      piece.timer = undefined;
      if (piece.dirty) void this.write(key, piece, true);
    }
  }

  /** A piece was changed, by this window or by another. */
  onNews({ key, by }: { key: string; by: string }): void {
    if (by === this.by) return;
    for (const listener of this.listeners.get(key) ?? []) void this.tell(key, listener, false);
  }

  /** News were missed: anything may have changed. */
  onGap(): void {
    for (const key of this.listeners.keys()) this.onNews({ key, by: '' });
  }

  private async tell(key: string, listener: Listener, first: boolean): Promise<void> {
    let value = await this.get(key);
    const own = this.pieces.get(key);
    if (own?.dirty || own?.busy) {
      // What is here is newer than what was read.
      if (!first) return;
      value = own.value;
    }
    if (this.listeners.get(key)?.has(listener)) listener(value);
  }

  private async write(key: string, piece: Waiting, last: boolean): Promise<void> {
    if (piece.busy && !last) return;
    piece.busy = true;
    piece.dirty = false;
    try {
      await this.backend.layOnDesk(key, piece.value, this.by, last);
    } catch (cause) {
      this.onFailed(cause);
    } finally {
      piece.busy = false;
      // Changed while it was on its way: `lay` has set another timer, unless that has already run.
      if (piece.dirty && piece.timer === undefined) this.lay(key, piece.value);
    }
  }
}
