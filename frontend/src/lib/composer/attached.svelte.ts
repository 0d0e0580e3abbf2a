import type { Backend } from '../backend';
import { FILES_MOST, isPicture, isText, readText, type Attachment, type Refusal } from './file';
import { pixelsOf } from '../pixels';
import { isImage, refusalOf, refusalOfPixels, type ImageFile } from './image';
import type { LyingFiles, Unsent } from './unsent';

/** A file that does not go with the message, and why. */
interface Refused {
  name: string;
  why: Refusal;
}

/** The files that go with the message that is being written: like it they outlast the window. */
export class Attached {
  files = $state.raw<readonly Attachment[]>([]);
  /** What is attached here is also what lies on the desk, or will in a moment. */
  read = false;
  private whenRead: () => void = () => undefined;
  readonly isRead = new Promise<void>((read) => (this.whenRead = read));
  /** Images of the messages that are being sent: until those are answered they lie on the desk. */
  private onTheirWay: readonly { key: string; images: readonly ImageFile[] }[] = [];
  /** Those of messages that other windows are sending. */
  elsewhere: LyingFiles['sending'] = [];
  /** Files that are being read or kept. */
  private adding = 0;
  private readonly stop: () => void;

  constructor(
    private readonly unsent: Unsent,
    private readonly key: string | null,
    private readonly backend: Pick<Backend, 'keepImage'>,
  ) {
    this.stop = unsent.followFiles(key, (lying) => {
      if (this.read) this.changed(lying);
      else this.foundFirst(lying);
      this.whenRead();
    });
  }

  /** Some may have been attached before it was known what lies there; who was sending others may be gone. */
  private foundFirst({ files, sending: all }: LyingFiles): void {
    const { by } = this.unsent;
    const sending = all.filter((one) => one.by !== by);
    const before = this.files;
    this.read = true;
    const lay = [...sending.map(({ image }) => image), ...files];
    if (before.length > 0 || sending.length > 0) this.set([...lay, ...before]);
    else this.files = files;
  }

  /** It lies there already: two windows that lay down what they are told of tell each other for ever. */
  private changed({ files, sending }: LyingFiles): void {
    const { by } = this.unsent;
    this.elsewhere = sending.filter((one) => one.by !== by);
    this.files = files;
    const own = sending.filter((one) => one.by === by).map(({ image }) => image);
    const leaving = this.onTheirWay.flatMap(({ images }) => images);
    if (blobsOf(own).join() === blobsOf(leaving).join()) return;
    // A window that opened meanwhile took over what is on its way.
    const taken = new Set(own.length === 0 ? blobsOf(leaving) : []);
    this.set(files.filter((one) => !isPicture(one) || !taken.has(one.image.blob)));
  }

  /** Attaches what is text or an image, and says what is neither. */
  async add(files: readonly File[]): Promise<Refused[]> {
    const refused: Refused[] = [];
    for (const file of files) {
      this.adding++;
      const taken = await this.take(file).finally(() => this.adding--);
      // Others may have been attached meanwhile.
      const why = typeof taken === 'string' ? taken : this.refusalOf(taken);
      if (why) refused.push({ name: file.name, why });
      else this.set([...this.files, taken as Attachment]);
    }
    return refused;
  }

  get isAdding(): boolean {
    return this.adding > 0;
  }

  private async take(file: File): Promise<Attachment | Refusal> {
    try {
      if (await isImage(file)) return await this.keep(file);
    } catch {
      return 'unreadable';
    }
    return readText(file);
  }

  /** Why a file can't be added to those that are there. */
  private refusalOf(one: Attachment): Refusal | null {
    if (isPicture(one)) return refusalOf(one.bytes, this.files.filter(isPicture));
    return this.bytes + one.bytes > FILES_MOST ? 'tooMuch' : null;
  }

  private async keep(file: File): Promise<ImageFile | Refusal> {
    const before = refusalOf(file.size, this.files.filter(isPicture));
    if (before) return before;
    const data = await file.arrayBuffer();
    const why = refusalOfPixels(pixelsOf(data));
    if (why) return why;
    try {
      const { blob, mediaType, bytes } = await this.backend.keepImage(data);
      return { name: shortened(file.name), bytes, image: { blob, mediaType } };
    } catch {
      return 'notKept';
    }
  }

  remove(at: number): void {
    this.set(this.files.filter((_, n) => n !== at));
  }

  /** A message with these images is on its way; what is left goes with the next one. */
  sends(key: string, images: readonly ImageFile[], left: readonly Attachment[]): void {
    this.onTheirWay = [...this.onTheirWay, { key, images }];
    if (images.length > 0 || this.files.length > 0) this.set(left);
  }

  /** What was sent first has been taken. */
  taken(): void {
    const [first] = this.onTheirWay;
    this.onTheirWay = this.onTheirWay.slice(1);
    if (first && first.images.length > 0) this.set(this.files);
  }

  /** Nothing of what is on its way is taken: these files went with it. */
  cameBack(files: readonly Attachment[]): void {
    this.onTheirWay = [];
    this.putBack(files);
  }

  /** The window that was sending these may be gone: they are attached here, unless their message was taken. */
  takeOver(key: string, taken: boolean): void {
    const left = this.elsewhere.filter((one) => one.key === key).map(({ image }) => image);
    if (left.length === 0) return;
    this.elsewhere = this.elsewhere.filter((one) => one.key !== key);
    if (taken) this.lay();
    else this.putBack(left);
  }

  /** They go with a message somewhere else; until they lie there they lie here. */
  clear(): void {
    this.onTheirWay = [];
    this.files = [];
  }

  /** Puts back those of a message that was not sent, but for images that are here. */
  putBack(files: readonly Attachment[]): void {
    if (files.length === 0) return;
    const here = new Set(this.files.filter(isPicture).map(({ image }) => image.blob));
    const back = files.filter((one) => !isPicture(one) || !here.has(one.image.blob));
    this.set([...back, ...this.files]);
  }

  close(): void {
    this.stop();
  }

  private get bytes(): number {
    return this.files.filter(isText).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private set(files: readonly Attachment[]): void {
    this.files = files;
    this.lay();
  }

  lay(): void {
    if (!this.read) return;
    const { by } = this.unsent;
    const own = this.onTheirWay.flatMap(({ key, images }) => images.map((image) => ({ by, key, image })));
    this.unsent.setFiles(this.key, { files: this.files, sending: [...this.elsewhere, ...own] });
  }
}

const blobsOf = (images: readonly ImageFile[]) => images.map(({ image }) => image.blob);

// The program takes names of up to 200 bytes.
function shortened(name: string): string {
  const [short = ''] = [...new Intl.Segmenter().segment(name)].reduce<[string, boolean]>(
    ([kept, full], { segment }) =>
      full || new TextEncoder().encode(kept + segment).length > 200 ? [kept, true] : [kept + segment, false],
    ['', false],
  );
  return short;
}
