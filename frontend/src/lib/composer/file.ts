import { num, str } from '../transcript/record';
import { visibleLine } from '../visible';
import { imagesIn, type ImageFile } from './image';

/** A text file that goes with a message. */
interface TextFile {
  name: string;
  text: string;
  bytes: number;
}

/** What one file may have, and all of a message together: a message is at most a megabyte. */
export const FILE_MOST = 256 * 1024;
export const FILES_MOST = 512 * 1024;

/** What goes with a message. */
export type Attachment = TextFile | ImageFile;

export const isText = (one: Attachment): one is TextFile => 'text' in one;
export const isPicture = (one: Attachment): one is ImageFile => 'image' in one;

export type Refusal =
  | 'image'
  | 'imageTooLarge'
  | 'imageTooWide'
  | 'imageDamaged'
  | 'imagesTooMuch'
  | 'tooManyImages'
  | 'notKept'
  | 'binary'
  | 'tooLarge'
  | 'tooMuch'
  | 'unreadable';

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
export function filesIn(value: unknown): Attachment[] {
  if (!Array.isArray(value)) return [];
  return (value as (Record<string, unknown> | null)[]).flatMap((one): Attachment[] => {
    const name = one?.name;
    const bytes = num(one?.bytes);
    if (typeof name !== 'string' || bytes === null) return [];
    if (typeof one?.text === 'string') return [{ name, text: one.text, bytes }];
    const [image] = imagesIn([one?.image]);
    return image ? [{ name, bytes, image: { blob: image.blob, mediaType: str(image.mediaType) } }] : [];
  });
}
