import { Zip } from '../export/zip';
import { fileName } from '../export/names';
import { at, type Reader } from './reader';

export type ExportFormat = 'markdown' | 'jsonl' | 'pi';

/** Where exported sessions go. */
export interface ExportPlace {
  /** Returns how many secrets were left out, as far as that is told. */
  add(session: { id: string; title: string }, format: ExportFormat): Promise<number>;
  /** All are there; returns what it is called, null if there are none. */
  finish(): Promise<string | null>;
}

/** A browser keeps one file as it is, and several as an archive. */
export function downloads(reader: Reader, count: number): ExportPlace {
  const zip = new Zip();
  const taken = new Set<string>();
  let only: { name: string; content: Blob } | null = null;
  // One after the other: an archive has an order.
  let last: Promise<unknown> = Promise.resolve();
  return {
    async add({ id, title }, format) {
      const response = await reader.ask(`sessions/${at(id)}/export?format=${format}`);
      const content = await response.blob();
      // The name that is told has no secret in it either.
      const name = fileName(nameIn(response.headers) ?? title, id, format, (other) => taken.has(other));
      taken.add(name.toLowerCase());
      if (count === 1) only = { name, content };
      else await (last = last.catch(() => undefined).then(() => zip.add(name, content)));
      return Number(response.headers.get('X-Secrets-Left-Out')) || 0;
    },
    finish() {
      const name = only?.name ?? `palimpsest-${new Date().toISOString().slice(0, 10)}.zip`;
      if (!only && zip.count === 0) return Promise.resolve(null);
      save(name, only?.content ?? zip.blob());
      return Promise.resolve(name);
    },
  };
}

/** The name of a download, without its ending. */
export function nameIn(headers: Headers): string | null {
  const told = headers.get('Content-Disposition') ?? '';
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(told)?.[1];
  const plain = /filename="?((?:\\.|[^";])+)/i.exec(told)?.[1]?.replace(/\\(.)/g, '$1');
  const name = encoded ? decodeURIComponent(encoded) : plain;
  return name ? name.replace(/(?:\.pi)?\.(?:md|jsonl)$/, '') : null;
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has it by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
