import type { Backend, Entry, RawRecord, View } from '../backend';
import { recordAsMarkdown } from './as-markdown';
import { escaped } from './contained';
import { blobBytes, readWhole, withBlobs } from './whole';

/** More than this no clipboard takes gladly, and no editor. */
export const MOST = 20 * 1_048_576;

export interface Copied {
  markdown: string;
  size: number;
  messages: number;
  /** It was cut: there is more than was copied. */
  cut: boolean;
}

/** Gathers a whole conversation, page by page: what is loaded is never all of it. */
export class Copying {
  /** How much is there, from 0 to 1; null while nothing is being gathered. */
  share = $state<number | null>(null);
  private run = 0;

  constructor(
    private readonly backend: Pick<Backend, 'records' | 'recordBytes' | 'blob'>,
    private readonly id: string,
  ) {}

  cancel(): void {
    this.run++;
    this.share = null;
  }

  /** Null if it was cancelled. */
  async gather(title: string, view: View, most = MOST): Promise<Copied | null> {
    const run = ++this.run;
    this.share = 0;
    const parts = title ? [`# ${escaped(title)}`] : [];
    let size = 0;
    let messages = 0;
    let index = 0;
    let cut = false;
    try {
      for (let total = 1; index < total && !cut;) {
        const page = await this.backend.records(this.id, { index, limit: 500, view });
        if (run !== this.run) return null;
        for (const [i, record] of page.records.entries()) {
          const part = recordAsMarkdown(await this.whole(record, page.entries[i], most - size));
          if (run !== this.run) return null;
          const weight = new Blob([part]).size + 2;
          cut = size + weight > most;
          if (cut) break;
          if (!part) continue;
          parts.push(part);
          size += weight;
          if (record.recordType === 'message') messages++;
        }
        if (page.count === 0) break;
        index += page.count;
        total = page.total;
        this.share = Math.min(1, index / Math.max(1, total));
      }
    } finally {
      if (run === this.run) this.share = null;
    }
    const markdown = `${parts.join('\n\n')}\n`;
    return { markdown, size, messages, cut };
  }

  /** A record that came cut, or whose texts lie beside the log, is read whole, unless that is more than there is room for. */
  private async whole(record: RawRecord, entry: Entry | undefined, room: number): Promise<RawRecord> {
    const seq = Number(record.seq);
    if (!entry || entry.bytes > room) return record;
    const read =
      record.truncated === true ? await readWhole(this.backend, this.id, seq, entry, () => undefined) : record;
    return blobBytes(read) > room ? read : withBlobs(this.backend, this.id, read);
  }
}
