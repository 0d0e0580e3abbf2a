/**
 * A question that is asked one at a time. Whoever wants an answer while one is on its way gets that of one question more, asked behind
 * it: what is known then is as new as the last wish, however many there were.
 */
export class OnceMore {
  private running: Promise<void> | null = null;
  private again = false;

  /** `answered` is called behind each answer, with nothing in between it and the next question, or the end. */
  constructor(
    private readonly ask: () => Promise<void>,
    private readonly answered: () => void = () => undefined,
  ) {}

  get isAsking(): boolean {
    return this.running !== null;
  }

  /** Settles once all that was wanted is answered. */
  now(): Promise<void> {
    if (this.running) this.again = true;
    else this.running = this.run();
    return this.running;
  }

  private async run(): Promise<void> {
    try {
      do {
        this.again = false;
        await this.ask();
        this.answered();
      } while (this.wantedAgain());
    } finally {
      this.running = null;
    }
  }

  private wantedAgain(): boolean {
    return this.again;
  }
}

/**
 * What is asked anew whenever there may be more to tell. Another question takes the place of the one before; the same one waits for its
 * answer, and is asked once more behind it: what changes faster than it is answered would else never be told.
 */
export class Question {
  private key = '';
  private asked: OnceMore | null = null;

  /** `ask` is given whether its answer is still wanted. */
  now(key: string, ask: (isWanted: () => boolean) => Promise<void>): Promise<void> {
    if (this.asked === null || key !== this.key) {
      const asked: OnceMore = new OnceMore(() => ask(() => this.asked === asked));
      this.asked = asked;
      this.key = key;
    }
    return this.asked.now();
  }
}
