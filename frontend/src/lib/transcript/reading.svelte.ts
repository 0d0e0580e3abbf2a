import { createContext } from 'svelte';
import type { Opened } from '../opened.svelte';
import type { RawRecord } from '../backend';
import type { Reader } from './reader.svelte';
import type { Transcript } from './transcript.svelte';
import type { RecordRow } from './rows';

/** What the rows of a transcript share. */
export interface Reading extends Opened {
  readonly reader: Reader;
}

export const [getReading, setReading] = createContext<Reading>();

/** A record as far as it was read: whole, where that was asked for. */
export function recordOf(transcript: Transcript, row: RecordRow): RawRecord {
  return transcript.whole.get(row.entry.index) ?? row.record;
}
