import { isPicture, isText, withFiles, type Attachment } from './file';
import type { ImageFile } from './image';
import type { Chosen } from './kinds';
import type { Written } from './written.svelte';

/** A message that was sent, and is not taken yet. */
export interface Leaving {
  key: string;
  /** As it stood in the field, and as it goes: with the files in it that are text. */
  written: string;
  text: string;
  images: readonly ImageFile[];
  files: readonly Attachment[];
  /** Who was to answer when it was sent. */
  chosen: Chosen;
}

/** Messages on their way, one after another: whoever writes faster than they are taken loses none of them. */
export class Outbox {
  waiting = $state.raw<readonly Leaving[]>([]);

  constructor(
    private readonly written: Written,
    private readonly chosen: () => Chosen,
    /** Whether something else is being asked, which has to be answered first. */
    private readonly isBusy: () => boolean,
    /** Settles with whether the message was taken. */
    private readonly deliver: (message: Leaving) => Promise<boolean>,
  ) {}

  /** Sends what is written; what is not taken stands in the field again, with all that was behind it. */
  async post(): Promise<void> {
    const { text: written, attached } = this.written;
    const { files } = attached;
    const images = files.filter(isPicture);
    const text = withFiles(written, files.filter(isText));
    if (!text.trim() && images.length === 0) return;
    const key = Math.random().toString(36).slice(2);
    this.put({ key, written, text, images, files, chosen: this.chosen() }, '', []);
    await this.run();
  }

  /** Sends what waits, unless that is being done. */
  async run(): Promise<void> {
    for (let first = this.waiting[0]; first && !this.isBusy(); first = this.waiting[0]) {
      if (await this.deliver(first)) this.taken(first);
      else this.giveBack();
    }
  }

  /** Goes on with what another was about to send, and with what is written there. */
  async takeOver(other: Outbox): Promise<void> {
    const { waiting, written } = other;
    for (const message of waiting) this.put(message, this.written.text, this.written.attached.files);
    this.written.giveBack(written.text);
    this.written.attached.putBack(written.attached.files);
    other.waiting = [];
    written.clear();
    // First it lies here, then it lies there no more, and only then it goes: it is in one place at least, and never sent and there. What
    // can't be laid here stays there; of what goes all the same the program knows that it was taken.
    const moved = await this.move(written);
    await this.run();
    if (!moved) await this.move(written);
  }

  /** Settles with whether what is here lies here, and no more where it came from. */
  private async move(from: Written): Promise<boolean> {
    return (await this.written.moved()) === null && (await from.moved()) === null;
  }

  private put(message: Leaving, left: string, leftFiles: readonly Attachment[]): void {
    this.waiting = [...this.waiting, message];
    this.written.attached.sends(message.key, message.images, leftFiles);
    this.written.sends(message, left);
  }

  private taken(message: Leaving): void {
    // Another may have taken it over.
    if (this.waiting[0] !== message) return;
    this.waiting = this.waiting.slice(1);
    this.written.taken();
    this.written.attached.taken();
  }

  private giveBack(): void {
    const { waiting } = this;
    this.waiting = [];
    this.written.cameBack(waiting.map(({ written }) => written).join('\n\n'));
    this.written.attached.cameBack(waiting.flatMap(({ files }) => files));
  }
}
