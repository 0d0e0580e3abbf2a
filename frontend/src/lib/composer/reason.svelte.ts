import type { Unsent } from './unsent';

/** Why a call is refused, as it is being written: it outlasts the window, and what is left of it the question. */
export class Reason {
  text = $state('');
  /** Something lies on the desk, also where it stands here no more. */
  private lies = false;
  private readonly stop: () => void;

  constructor(
    private readonly unsent: Unsent,
    private readonly id: string,
    /** Told what lies there, which may be about a question that is gone. */
    onFound: () => void,
  ) {
    this.stop = unsent.followReason(id, (text) => {
      this.text = text;
      this.lies = text !== '';
      if (text) onFound();
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

  /** It was given. */
  drop(): void {
    if (this.lies) this.lay('');
  }

  /** It goes somewhere else. */
  take(): string {
    const { text } = this;
    this.write('');
    return text;
  }

  private lay(text: string): void {
    this.text = text;
    this.lies = text !== '';
    this.unsent.setReason(this.id, text);
  }

  close(): void {
    this.stop();
  }
}
