import { crc32 } from './crc32';

interface Stored {
  name: Uint8Array<ArrayBuffer>;
  size: number;
  crc: number;
  offset: number;
}

// What the fields of an archive hold; more needs a form that not everything reads.
const MOST = 0xffff_ffff;
const FILES = 0xffff;
// Names are UTF-8.
const UTF8 = 0x0800;

/** An archive of files as they are: what stays in the browser's hands is never copied into the page. */
export class Zip {
  private readonly parts: BlobPart[] = [];
  private readonly files: Stored[] = [];
  private offset = 0;

  constructor(private readonly at = new Date()) {}

  get count(): number {
    return this.files.length;
  }

  async add(name: string, content: Blob): Promise<void> {
    const head = new TextEncoder().encode(name);
    const start = 30 + head.length;
    if (this.files.length === FILES || this.offset + start + content.size > MOST) throw new RangeError('full');
    const file = { name: head, size: content.size, crc: await crcOf(content), offset: this.offset };
    this.parts.push(this.header(file, false), head, content);
    this.files.push(file);
    this.offset += start + content.size;
  }

  /** The whole archive. */
  blob(): Blob {
    const directory = this.files.flatMap((file) => [this.header(file, true), file.name]);
    const size = directory.reduce((sum, part) => sum + part.length, 0);
    const end = new DataView(new ArrayBuffer(22));
    end.setUint32(0, 0x06054b50, true);
    end.setUint16(8, this.files.length, true);
    end.setUint16(10, this.files.length, true);
    end.setUint32(12, size, true);
    end.setUint32(16, this.offset, true);
    return new Blob([...this.parts, ...directory, end.buffer], { type: 'application/zip' });
  }

  /** What stands before a file or, at the end, for it in the directory. */
  private header({ name, size, crc, offset }: Stored, central: boolean): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(central ? 46 : 30);
    const view = new DataView(bytes.buffer);
    const from = central ? 2 : 0;
    view.setUint32(0, central ? 0x02014b50 : 0x04034b50, true);
    view.setUint16(4, 20, true);
    view.setUint16(from + 4, 20, true);
    view.setUint16(from + 6, UTF8, true);
    view.setUint16(from + 10, timeOf(this.at), true);
    view.setUint16(from + 12, dateOf(this.at), true);
    view.setUint32(from + 14, crc, true);
    view.setUint32(from + 18, size, true);
    view.setUint32(from + 22, size, true);
    view.setUint16(from + 26, name.length, true);
    if (central) view.setUint32(42, offset, true);
    return bytes;
  }
}

// So much of a file is looked at at once.
const PIECE = 1 << 20;

async function crcOf(content: Blob): Promise<number> {
  let crc = 0;
  for (let from = 0; from < content.size; from += PIECE) {
    crc = crc32(new Uint8Array(await content.slice(from, from + PIECE).arrayBuffer()), crc);
  }
  return crc;
}

const timeOf = (at: Date) => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
const dateOf = (at: Date) => ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();
