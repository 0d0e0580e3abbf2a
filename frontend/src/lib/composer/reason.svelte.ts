import type { Unsent } from './unsent';

/** Why a call is refused, as it is being written: it outlasts the window, and what is left of it the question. */
export class Reason {
  text = $state('');
  /** It is known what lies on the desk. */
  private read = false;
  /** Something lies there, also where it stands here no more. */
  private lies = false;
  private readonly stop: () => void;

  constructor(
    private readonly unsent: Unsent,
    private readonly id: string,
    /** Told what lies there, which may be about a question that is gone. */
    onFound: () => void,
  ) {
    this.stop = unsent.followReason(id, (text) => {
      const early = this.read ? '' : this.text;
      this.read = true;
      this.text = text;
      this.lies = text !== '';
      if (early) this.lay(text ? `${text} ${early}` : early);
      if (this.text) onFound();
    });
  }

  write(text: string): void {
    if (text === this.text) return;
    this.lay(text);
  }

  /** It was answered: whoever did that clears the desk once that is told there, which may be after the turn is over. */
  answered(): void {
    this.text = '';
  }

  /** It was given. What stands here by now may be about the next question. */
  given(text: string): void {
    if (this.text === text || !this.text) this.drop();
  }

  /** It goes somewhere else, and lies here until it lies there, which is told by null. */
  async move(to: (text: string) => Promise<unknown>): Promise<void> {
    const { text } = this;
    if (!text) return;
    this.text = '';
    const why = await to(text);
    if (why === null && !this.text) this.drop();
  }

  private drop(): void {
    if (this.lies) this.lay('');
  }

  private lay(text: string): void {
    this.text = text;
    // Before it is known what lies there, nothing is laid over it.
    if (!this.read) return;
    this.lies = text !== '';
    this.unsent.setReason(this.id, text);
  }

  close(): void {
    this.stop();
  }
}
