import { Attached } from './attached.svelte';
import { imageFiles } from './image';
import type { Backend } from '../backend';
import type { Lying, Returned, Sending, Unsent } from './unsent';

/** What is written to a conversation and not sent: it stands in the field, and lies on the desk. */
export class Written {
  text = $state('');
  readonly attached: Attached;
  /** What other windows are sending. */
  elsewhere = $state.raw<readonly Sending[]>([]);

  /** What is being sent: until that is answered it lies on the desk. */
  private onItsWay: readonly Omit<Sending, 'by'>[] = [];
  /** What came back, until it is known what else lies there. */
  private returned: readonly Returned[] = [];
  /** What was put back last, of which more may be found. */
  private putBack = '';
  /** What is written here is also what lies on the desk, or will in a moment. */
  private read = false;
  private whenRead: () => void = () => undefined;
  private readonly isRead = new Promise<void>((read) => (this.whenRead = read));
  private readonly stops: readonly (() => void)[];

  /** `key` is the conversation; null for one that is yet to begin. */
  constructor(
    private readonly unsent: Unsent,
    private readonly key: string | null,
    backend: Pick<Backend, 'keepImage'>,
  ) {
    this.attached = new Attached(unsent, key, backend);
    const stop = unsent.follow(key, (lying) => {
      this.found(lying);
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

  /** Behind what stands here, or will once that is known. */
  add(text: string): void {
    this.write(joined([this.text, text]));
  }

  /** What this window is called where it sends something. */
  get by(): string {
    return this.unsent.by;
  }

  /** What was written is on its way as this message: the field is free for the next one. */
  sends({ key, text }: Omit<Sending, 'by'>, left: string): void {
    this.onItsWay = [...this.onItsWay, { key, text }];
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

  /** All of it goes on somewhere else; until it lies there it lies here. */
  clear(): void {
    this.onItsWay = [];
    this.text = '';
    this.attached.clear();
  }

  /** Lays it down now; settles with why that could not be, or with null once it lies there. */
  laid(): Promise<unknown> {
    return this.unsent.laid(this.key);
  }

  /** Settles with null once all that is here lies there, and that is known, or with why it could not be laid down. */
  async moved(): Promise<unknown> {
    await Promise.all([this.isRead, this.attached.isRead]);
    this.lay();
    this.attached.lay();
    return this.laid();
  }

  /**
   * News may have been missed: of what other windows were sending it is asked what became of it. What was not taken is taken over
   * here, until its window says that it is on its way still.
   */
  async doubt(wasTaken: (key: string) => Promise<boolean>): Promise<void> {
    const doubtful = new Set([...this.elsewhere, ...this.attached.elsewhere].map(({ key }) => key));
    for (const key of doubtful) {
      let taken: boolean;
      try {
        taken = await wasTaken(key);
      } catch {
        // Whoever can tell is away again, and that shows; once it is back this is asked again.
        return;
      }
      const left = this.elsewhere.filter((one) => one.key === key).map(({ text }) => text);
      this.elsewhere = this.elsewhere.filter((one) => one.key !== key);
      this.attached.takeOver(key, taken);
      if (!taken) this.giveBack(joined(left));
      else this.lay();
    }
  }

  giveBack(text: string): void {
    this.write(joined([text, this.text]));
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
    if (!this.read) return;
    const { by } = this.unsent;
    // Of a message of nothing but files these lie there.
    const own = this.onItsWay.filter(({ text }) => text.trim()).map(({ key, text }) => ({ by, text, key }));
    this.unsent.set(this.key, { text: this.text, sending: [...this.elsewhere, ...own] });
  }

  private found(lying: Lying): void {
    if (this.read) this.changed(lying);
    else this.foundFirst(lying);
    this.whenRead();
    this.takeReturned();
  }

  /**
   * Something may have been written here before it was known. Whoever was sending something may be gone by now: it is taken over here,
   * until that window says that it is on its way still. What this window sends it knows by itself.
   */
  private foundFirst({ text, sending: all }: Lying): void {
    const { by } = this.unsent;
    const sending = all.filter((one) => one.by !== by);
    const lay = joined([...sending.map((one) => one.text), text]);
    const before = this.text;
    this.read = true;
    if (!before.trim()) this.text = lay;
    else if (lay) this.giveBack(lay);
    else this.write(before);
    if (this.onItsWay.length > 0 || sending.length > 0) this.lay();
  }

  /** Another window changed it. */
  private changed({ text, sending }: Lying): void {
    const { by } = this.unsent;
    this.elsewhere = sending.filter((one) => one.by !== by);
    const own = sending.filter((one) => one.by === by).map((one) => one.text);
    this.text = text;
    const leaving = joined(this.onItsWay.map(({ text: one }) => one));
    if (joined(own) === leaving) return;
    // A window that opened meanwhile took over what is on its way.
    const taken = own.length === 0 && `${text}\n\n`.startsWith(`${leaving}\n\n`);
    if (leaving && taken) this.text = text.slice(leaving.length + 2);
    this.lay();
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
    void this.forgetReturned(this.key);
  }

  /** Not before what stands in the field lies on the desk. */
  private async forgetReturned(key: string): Promise<void> {
    await this.attached.isRead;
    if ((await this.laid()) === null) this.unsent.tookReturned(key);
  }

  /** Whether a message stands in the field, as one of those put back there. */
  private holds(text: string): boolean {
    return `\n\n${this.text}\n\n`.includes(`\n\n${text}\n\n`);
  }
}

const joined = (texts: readonly string[]) => texts.filter((one) => one.trim()).join('\n\n');
