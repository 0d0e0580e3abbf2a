import type { Unsent } from './unsent';

/** Why a call is refused, as it is being written: it outlasts the window, and what is left of it the question. */
export class Reason {
  text = $state('');
  private readonly stop: () => void;

  constructor(
    private readonly unsent: Unsent,
    private readonly id: string,
    /** Told what lies there, which may be about a question that is gone. */
    onFound: () => void,
  ) {
    this.stop = unsent.followReason(id, (text) => {
      this.text = text;
      if (text) onFound();
    });
  }

  write(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.unsent.setReason(this.id, text);
  }

  /** It was given, or goes somewhere else. */
  take(): string {
    const { text } = this;
    this.write('');
    return text;
  }

  close(): void {
    this.stop();
  }
}
