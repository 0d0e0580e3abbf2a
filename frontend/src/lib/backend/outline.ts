import { at, type Reader } from './reader';
import type { Outline } from './types';

/** What is known of a transcript without its messages. Where it has many compactions, branches or damaged lines, it comes in parts. */
export async function outlineOf(reader: Pick<Reader, 'json'>, id: string, asOf: number): Promise<Outline> {
  const part = (from: number) => {
    const asked = new URLSearchParams();
    if (asOf) asked.set('at', String(asOf));
    if (from) asked.set('from', String(from));
    return reader.json<Outline>(`sessions/${at(id)}/outline${asked.size ? `?${asked}` : ''}`);
  };
  const all = await part(0);
  for (let { next } = all; next;) {
    const more = await part(next);
    all.compactions.push(...more.compactions);
    all.branches.push(...more.branches);
    all.damage.push(...more.damage);
    next = more.next;
  }
  return all;
}
