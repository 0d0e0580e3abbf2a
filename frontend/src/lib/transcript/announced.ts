// How long news of the file may take behind what a turn says of itself, in milliseconds: both are one reading.
const NEWS_MS = 150;

/** What a turn adds is news of the file, too, and so is the end of the turn: it is read once these have come. */
export class Announced {
  private awaited: { come: () => void; read: Promise<void> } | null = null;

  constructor(private readonly read: () => Promise<void>) {}

  /** A turn said that it added something; settles once that was read. */
  said(): Promise<void> {
    this.awaited ??= this.begin();
    return this.awaited.read;
  }

  /** News of the file; settles once that was read. */
  news(): Promise<void> {
    if (!this.awaited) return this.read();
    this.awaited.come();
    return this.awaited.read;
  }

  private begin(): { come: () => void; read: Promise<void> } {
    let come: () => void = () => undefined;
    const news = new Promise<void>((resolve) => (come = resolve));
    const timer = setTimeout(come, NEWS_MS);
    const read = news.then(() => {
      clearTimeout(timer);
      this.awaited = null;
      return this.read();
    });
    return { come, read };
  }
}
