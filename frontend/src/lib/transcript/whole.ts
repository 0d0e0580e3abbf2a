import type { Backend, Entry, RawRecord } from '../backend';
import { parseExactly } from '../json/exact';
import { text } from '../text';
import { blocksOf, isObject, jsonOf } from './record';
import type { RecordRow } from './rows';

export const PART = 1_048_576;

/** Reads a record that came cut. */
export async function readWhole(
  backend: Pick<Backend, 'recordBytes'>,
  session: string,
  seq: number,
  entry: Entry,
  progress: (done: number) => void,
): Promise<RawRecord> {
  const json = await readText(backend, session, seq, entry, progress);
  const record: unknown = json === null ? null : parseExactly(json);
  if (!isObject(record)) throw new Error(text.transcript.otherLine);
  return record;
}

/** The line of a record as it stands in the log. Of one that cannot be asked for, what the page has of it. */
export async function rawText(backend: Pick<Backend, 'recordBytes'>, session: string, row: RecordRow): Promise<string> {
  const { record, seq, entry } = row;
  const json = seq > 0 ? await readText(backend, session, seq, entry) : null;
  const isIt = json !== null && (record.truncated === true || jsonOf(JSON.parse(json)) === jsonOf(record));
  return isIt ? json : jsonOf(record, 2);
}

/**
 * Reads a line, a megabyte at a time. Over the wire a record is named by its number, which in a damaged file may name
 * another line: null where the length tells that it does.
 */
async function readText(
  backend: Pick<Backend, 'recordBytes'>,
  session: string,
  seq: number,
  entry: Entry,
  progress: (done: number) => void = () => undefined,
): Promise<string | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let done = 0;
  for (;;) {
    const part = await backend.recordBytes(session, seq, done, PART);
    if (Math.abs(part.total - entry.bytes) > 2) return null;
    parts.push(part.bytes);
    done += part.bytes.length;
    progress(done);
    if (part.bytes.length === 0 || done >= part.total) break;
  }
  return (await new Blob(parts).text()).replace(/\r?\n$/, '');
}

/** A record with every text that lies beside the log, of which the log has but head and tail, in its place. */
export async function withBlobs(
  backend: Pick<Backend, 'blob'>,
  session: string,
  record: RawRecord,
): Promise<RawRecord> {
  const { content } = record;
  if (!Array.isArray(content)) return record;
  const whole = content.map(async (block: unknown) => {
    if (!isObject(block) || block.type !== 'text' || typeof block.blob !== 'string' || !block.blob) return block;
    return { type: 'text', text: await (await backend.blob(session, block.blob)).text() };
  });
  return { ...record, content: await Promise.all(whole) };
}

/** How many bytes lie beside the log for `withBlobs` to read. */
export function blobBytes(record: RawRecord): number {
  return blocksOf(record).reduce((sum, block) => sum + (block.type === 'text' && block.blob ? block.bytes : 0), 0);
}
