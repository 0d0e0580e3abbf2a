import type { ExportFormat } from '../backend';

const ENDINGS: Record<ExportFormat, string> = { markdown: '.md', jsonl: '.jsonl', pi: '.pi.jsonl' };

// What some system does not take in a name, and what hides or reorders others.
// eslint-disable-next-line no-control-regex -- no file may be called so
const UNFIT = /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
const MOST = 80;

/** The name of the file that a session is exported to: its title, and the end of its id where another has the same. */
export function fileName(title: string, id: string, format: ExportFormat, taken: (name: string) => boolean): string {
  const clean = [...title.replace(UNFIT, ' ').replace(/\s+/g, ' ')]
    .slice(0, MOST)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  const base = clean || 'session';
  const plain = base + ENDINGS[format];
  if (!taken(plain.toLowerCase())) return plain;
  const end = id.replace(/[^\w-]+/g, '-').slice(-12);
  for (let n = 1; ; n++) {
    const name = `${base} ${end}${n > 1 ? ` ${n}` : ''}${ENDINGS[format]}`;
    if (!taken(name.toLowerCase())) return name;
  }
}
