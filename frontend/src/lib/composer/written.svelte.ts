import { Attached } from './attached.svelte';
import { imageFiles } from './image';
import type { Backend } from '../backend';
import type { Returned, Unsent } from './unsent';

/** What is written to a conversation and not sent: it stands in the field, and lies on the desk. */
export class Written {
  text = $state('');
  readonly attached: Attached;

  /** What is being sent: until that is answered it lies on the desk. */
  private onItsWay: readonly string[] = [];
  /** What came back, until it is known what else lies there. */
  private returned: readonly Returned[] = [];
  /** What was put back last, of which more may be found. */
  private putBack = '';
  /** What is written here is also what lies on the desk, or will in a moment. */
  private read = false;
  private readonly stops: readonly (() => void)[];

  /** `key` is the conversation; null for one that is yet to begin. */
  constructor(
    private readonly unsent: Unsent,
    private readonly key: string | null,
    backend: Pick<Backend, 'keepImage'>,
  ) {
    this.attached = new Attached(unsent, key, backend);
    const stop = unsent.follow(key, (text) => {
      this.found(text);
    });
    const stopReturned =
      key !== null &&
      unsent.followReturned(key, (messages) => {
        this.returned = messages;
        this.takeReturned();
      });
    this.stops = [stop, ...(stopReturned ? [stopReturned] : [])];
  }

  write(text: string): void {
    this.text = text;
    this.lay();
  }

  /** What was written is on its way as `text`: the field is free for the next one. */
  sends(text: string, left: string): void {
    this.onItsWay = [...this.onItsWay, text];
    this.write(left);
  }

  /** What was sent first has been taken. */
  taken(): void {
    this.onItsWay = this.onItsWay.slice(1);
    this.lay();
  }

  /** Nothing of what is on its way is taken: that is `text`. */
  cameBack(text: string): void {
    this.onItsWay = [];
    this.giveBack(text);
  }

  /** All of it goes on somewhere else. */
  empty(): void {
    this.onItsWay = [];
    this.write('');
    this.attached.empty();
  }

  giveBack(text: string): void {
    this.write([text, this.text].filter((one) => one.trim()).join('\n\n'));
  }

  /** A message was not taken after all; more of it than this may be found on the desk. */
  tookBack(text: string): void {
    if (!text || this.holds(text)) return;
    this.putBack = text;
    this.giveBack(text);
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.attached.close();
  }

  private lay(): void {
    // Before it is known what lies there, nothing is laid over it.
    if (this.read) this.unsent.set(this.key, [...this.onItsWay, this.text].filter((one) => one.trim()).join('\n\n'));
  }

  /** What lies on the desk; the first time, something may have been written here before it was known. */
  private found(text: string): void {
    // What lies there then holds what is being sent.
    if (this.read && this.onItsWay.length > 0) return;
    const before = this.read ? '' : this.text;
    this.read = true;
    if (!before.trim()) this.text = text;
    else if (text) this.giveBack(text);
    else this.write(before);
    if (this.onItsWay.length > 0) this.lay();
    this.takeReturned();
  }

  /** Puts into the field what came back, unless it is there. */
  private takeReturned(): void {
    if (!this.read || this.key === null || this.returned.length === 0) return;
    for (const { text, images } of this.returned.toReversed()) {
      this.attached.putBack(imageFiles(images));
      const cut = this.putBack.replace(/…$/, '');
      if (!text || this.holds(text)) continue;
      if (cut && text.startsWith(cut) && this.text.includes(this.putBack)) {
        this.write(this.text.replace(this.putBack, () => text));
      } else this.giveBack(text);
    }
    this.returned = [];
    this.unsent.tookReturned(this.key);
  }

  /** Whether a message stands in the field, as one of those put back there. */
  private holds(text: string): boolean {
    return `\n\n${this.text}\n\n`.includes(`\n\n${text}\n\n`);
  }
}
