import { visibleLine } from '../visible';

/** A text file that goes with a message. */
export interface TextFile {
  name: string;
  text: string;
  bytes: number;
}

/** What one file may have, and all of a message together: a message is at most a megabyte. */
export const FILE_MOST = 256 * 1024;
export const FILES_MOST = 512 * 1024;

export type Refusal = 'image' | 'binary' | 'tooLarge' | 'tooMuch' | 'unreadable';

/** Reads a file that is text, or says why it can't go with a message. */
export async function readText(file: File): Promise<TextFile | Refusal> {
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') return 'image';
  if (file.size > FILE_MOST) return 'tooLarge';
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return 'unreadable';
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return 'binary';
    const path = file.webkitRelativePath || file.name;
    return { name: path, text, bytes: file.size };
  } catch {
    return 'binary';
  }
}

/** Which language a fence is of, by the end of a name. */
function languageOf(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** A file as it stands in a message: its path, and its text in a fence that nothing in it can close. */
export function fenced({ name, text }: TextFile): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const path = visibleLine(name, 300).replaceAll('`', "'");
  return `\`${path}\`\n\n${fence}${languageOf(name)}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}`;
}

/** A message with what is attached to it. */
export function withFiles(text: string, files: readonly TextFile[]): string {
  return [...(text.trim() ? [text] : []), ...files.map(fenced)].join('\n\n');
}

/** What lies on the desk, as far as it is files. */
export function filesIn(value: unknown): TextFile[] {
  if (!Array.isArray(value)) return [];
  return (value as Partial<TextFile>[]).flatMap((one) =>
    typeof one?.name === 'string' && typeof one.text === 'string' && typeof one.bytes === 'number'
      ? [{ name: one.name, text: one.text, bytes: one.bytes }]
      : [],
  );
}
