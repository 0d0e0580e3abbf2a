import { FILES_MOST, readText, type Refusal, type TextFile } from './file';
import type { Unsent } from './unsent';

/** A file that does not go with the message, and why. */
export interface Refused {
  name: string;
  why: Refusal;
}

/** The files that go with the message that is being written: like it they outlast the window. */
export class Attached {
  files = $state.raw<readonly TextFile[]>([]);
  private read = false;
  private readonly stop: () => void;

  constructor(
    private readonly unsent: Unsent,
    private readonly key: string | null,
  ) {
    this.stop = unsent.followFiles(key, (files) => {
      // Some may have been attached before it was known what lies there.
      const before = this.read ? [] : this.files;
      this.read = true;
      this.set([...files, ...before]);
    });
  }

  /** Attaches what is text, and says what is not. */
  async add(files: readonly File[]): Promise<Refused[]> {
    const refused: Refused[] = [];
    for (const file of files) {
      const read = await readText(file);
      const why = typeof read === 'string' ? read : this.bytes + read.bytes > FILES_MOST ? 'tooMuch' : null;
      if (why !== null) refused.push({ name: file.name, why });
      else if (typeof read !== 'string') this.set([...this.files, read]);
    }
    return refused;
  }

  remove(at: number): void {
    this.set(this.files.filter((_, n) => n !== at));
  }

  /** Takes them away, for the message that they go with. */
  take(): readonly TextFile[] {
    const { files } = this;
    if (files.length > 0) this.set([]);
    return files;
  }

  /** Puts back those of a message that was not sent. */
  putBack(files: readonly TextFile[]): void {
    if (files.length > 0) this.set([...files, ...this.files]);
  }

  close(): void {
    this.stop();
  }

  private get bytes(): number {
    return this.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private set(files: readonly TextFile[]): void {
    this.files = files;
    if (this.read) this.unsent.setFiles(this.key, files);
  }
}
