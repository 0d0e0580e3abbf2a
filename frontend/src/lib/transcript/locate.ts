import type { Backend } from '../backend';

/** What the model sees, as it is asked for: of which session, how many rows that are, and as of which record (0 for now). */
interface Seen {
  id: string;
  total: number;
  asOf: number;
}

/** The first position of the model's view at or after a line of the log: positions rise with lines. */
export async function locate(
  backend: Pick<Backend, 'records'>,
  { id, total, asOf }: Seen,
  index: number,
): Promise<{ position: number; exact: boolean }> {
  let low = 0;
  let high = total;
  let exact = false;
  while (low < high) {
    const middle = (low + high) >> 1;
    const page = await backend.records(id, { index: middle, limit: 1, view: 'model', asOf });
    const found = page.entries[0]?.index;
    if (found === index) exact = true;
    if (found !== undefined && found < index) low = middle + 1;
    else high = middle;
  }
  return { position: Math.max(0, Math.min(low, total - 1)), exact };
}
