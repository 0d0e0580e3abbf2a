import type { Backend } from '../backend';

// What is being written is laid down this often, in milliseconds: what a crash may cost.
const DELAY = 150;
// What could not be laid down or read is tried again after this long, and when the program answers again.
const AGAIN = 4000;

type Part = Pick<Backend, 'deskPiece' | 'layOnDesk'>;
type Listener = (value: unknown) => void;

interface Piece {
  value: unknown;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** An older value is on its way: this one waits for its end, so that the last one stays. */
  busy: Promise<unknown> | null;
  /** Not laid down yet: what lies there is older. */
  dirty: boolean;
  /** How often it was laid down here. */
  times: number;
}

/**
 * What lies unfinished, kept by the program, so that neither a reload nor a crash loses it, and seen by every window of
 * the same home. That something could not be read or laid down never means that there is nothing: what is here stays
 * until it lies there.
 */
export class Desk {
  /** Under which name this window knows the news of what it laid down itself. */
  readonly by = Math.random().toString(36).slice(2);
  private readonly pieces = new Map<string, Piece>();
  /** Who follows a key, and whether it was told what lies there. */
  private readonly listeners = new Map<string, Map<Listener, boolean>>();
  private readonly unread = new Set<string>();
  /** What was told by others while something of this window was on its way: which of the two lies there is yet to be asked. */
  private readonly passed = new Set<string>();
  /** Something could not be laid down, and does not lie there yet. */
  private unkept = false;
  private again: ReturnType<typeof setTimeout> | undefined;
  /** The page goes: what it asked for is cut off, which says nothing of what became of it. */
  private going = false;

  constructor(
    private readonly backend: Part,
    /** Told why something could not be kept, and null once all of it lies there after all. */
    private readonly onUnkept: (cause: unknown) => void = () => undefined,
    /** Whether anything may be asked for; what is not, `retry` asks for. */
    private readonly answers: () => boolean = () => true,
  ) {}

  /** Keeps it from going when the page goes. */
  start(): () => void {
    const hidden = () => {
      if (document.visibilityState === 'hidden') this.flush();
    };
    const goes = () => {
      // What is on its way now is cut off.
      for (const piece of this.pieces.values()) if (piece.busy) piece.dirty = true;
      this.flush(true);
      this.going = true;
    };
    const isBack = () => {
      if (!this.going) return;
      this.going = false;
      this.retry();
    };
    window.addEventListener('pagehide', goes);
    window.addEventListener('pageshow', isBack);
    document.addEventListener('visibilitychange', hidden);
    return () => {
      this.flush(true);
      clearTimeout(this.again);
      window.removeEventListener('pagehide', goes);
      window.removeEventListener('pageshow', isBack);
      document.removeEventListener('visibilitychange', hidden);
    };
  }

  /** Tells what lies under a key, once that is known and whenever another window changed it; never what this one lays down. */
  follow(key: string, listener: Listener): () => void {
    const all = this.listeners.get(key) ?? new Map<Listener, boolean>();
    this.listeners.set(key, all.set(listener, false));
    if (this.answers()) void this.tell(key);
    return () => {
      all.delete(listener);
      if (all.size === 0) this.listeners.delete(key);
    };
  }

  /** What lies under a key, or is about to; null if nothing does. Fails if nobody can tell. */
  async get(key: string): Promise<unknown> {
    const own = this.pieces.get(key);
    return own?.dirty || own?.busy ? own.value : this.backend.deskPiece(key);
  }

  /** Lays a piece down in a moment; null takes it away at once. */
  lay(key: string, value: unknown): void {
    const piece = this.pieces.get(key) ?? { value, timer: undefined, busy: null, dirty: false, times: 0 };
    this.pieces.set(key, piece);
    piece.value = value;
    piece.dirty = true;
    piece.times++;
    if (this.going) return;
    if (value === null) {
      clearTimeout(piece.timer);
      piece.timer = undefined;
      void this.write(key, piece, false);
      return;
    }
    piece.timer ??= setTimeout(() => {
      piece.timer = undefined;
      void this.write(key, piece, false);
    }, DELAY);
  }

  /** Lays down what is here under a key, now; settles once it lies there, or with why it does not, which is tried again by itself. */
  async laid(key: string): Promise<unknown> {
    const piece = this.pieces.get(key);
    // Who waited for the same may have begun to lay it down.
    while (piece?.busy) await piece.busy;
    if (!piece?.dirty || this.going) return null;
    clearTimeout(piece.timer);
    piece.timer = undefined;
    return this.write(key, piece, false);
  }

  /**
   * Lays everything down now; what is on its way is waited for, so that nothing older gets there behind it, unless there will be no time
   * for that.
   */
  flush(going = false): void {
    for (const [key, piece] of this.pieces) {
      clearTimeout(piece.timer);
      piece.timer = undefined;
      if (piece.dirty) void this.write(key, piece, true, going);
    }
  }

  /** A piece was changed, by this window or by another. */
  onNews({ key, by }: { key: string; by: string }): void {
    if (by !== this.by && this.listeners.has(key)) void this.tell(key);
  }

  /** The program answers, or answers again: what is here goes there first, and only then what lies there counts. */
  retry(): void {
    clearTimeout(this.again);
    this.again = undefined;
    this.flush();
    for (const key of this.listeners.keys()) void this.tell(key);
  }

  private async tell(key: string, again = false): Promise<void> {
    let value: unknown;
    const before = this.pieces.get(key);
    const times = before?.times ?? 0;
    // What was asked for before this got there may be what lay there before.
    const onItsWay = before?.dirty || before?.busy;
    try {
      value = await this.backend.deskPiece(key);
    } catch {
      this.unread.add(key);
      this.tryAgain();
      return;
    }
    this.unread.delete(key);
    const own = this.pieces.get(key);
    const newer = own && (onItsWay || own.times !== times);
    // What this window laid down is not told to it.
    const known = again && same(own?.value, value);
    if (own && !newer) own.value = value;
    for (const [listener, told] of this.listeners.get(key) ?? []) {
      if (told && newer) this.passed.add(key);
      if (told && (newer || known)) continue;
      this.listeners.get(key)?.set(listener, true);
      listener(newer ? own.value : value);
    }
    this.askPassed(key);
  }

  /** What is here may have got there before what others laid down, or after it. */
  private askPassed(key: string): void {
    const own = this.pieces.get(key);
    if (!own?.dirty && !own?.busy && this.passed.delete(key)) void this.tell(key, true);
  }

  /** Settles with why it could not be laid down, else with null. `last` has it get there even if the page goes meanwhile. */
  private async write(key: string, piece: Piece, last: boolean, going = false): Promise<unknown> {
    if (piece.busy && !going) return null;
    piece.dirty = false;
    const laying = this.backend.layOnDesk(key, piece.value, this.by, last).then(
      () => null,
      (cause: unknown) => cause,
    );
    piece.busy = laying;
    const cause = await laying;
    if (piece.busy === laying) piece.busy = null;
    if (cause !== null) {
      piece.dirty = true;
      this.unkept = true;
      this.onUnkept(cause);
      this.tryAgain();
      return cause;
    }
    // Changed while it was on its way: `lay` has set another timer, unless that has already run.
    if (piece.dirty && piece.timer === undefined) this.lay(key, piece.value);
    this.askPassed(key);
    const waits = [...this.pieces.values()].some(({ dirty, busy }) => dirty || busy);
    if (this.unkept && !waits) {
      this.unkept = false;
      this.onUnkept(null);
    }
    return null;
  }

  private tryAgain(): void {
    this.again ??= setTimeout(() => {
      this.again = undefined;
      this.flush();
      for (const key of this.unread) void this.tell(key);
    }, AGAIN);
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
