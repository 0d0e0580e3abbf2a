import type { MessageImage } from '../backend';
import type { Pixels } from '../pixels';
import { num, str } from '../transcript/record';
import type { Refusal } from './file';

/** An image that goes with a message; its bytes lie on the desk. */
export interface ImageFile {
  name: string;
  bytes: number;
  image: { blob: string; mediaType: string };
}

/** What the program takes, as much as providers do: bytes and pixels a side of one, bytes of all in a message, how many. */
export const IMAGE_MOST = 5_000_000;
export const PIXELS_MOST = 8000;
export const IMAGES_BYTES_MOST = 16_000_000;
export const IMAGES_MOST = 8;

const SIGNS = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'];
const HEAD = 12;

/** Whether a file is an image that models take, by what it begins with, whatever it is called. */
export async function isImage(file: File): Promise<boolean> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
  return SIGNS.some((sign) => head.startsWith(sign)) || (head.startsWith('RIFF') && head.slice(8) === 'WEBP');
}

/** Why an image of so many bytes can't be added to these, null if it can. */
export function refusalOf(size: number, others: readonly ImageFile[]): Refusal | null {
  if (size > IMAGE_MOST) return 'imageTooLarge';
  if (others.length >= IMAGES_MOST) return 'tooManyImages';
  const all = others.reduce((sum, { bytes }) => sum + bytes, size);
  return all > IMAGES_BYTES_MOST ? 'imagesTooMuch' : null;
}

/** Why an image can't be shown to a model by how large it says it is, null if it can. */
export function refusalOfPixels(pixels: Pixels | null): Refusal | null {
  if (!pixels || pixels.width < 1 || pixels.height < 1) return 'imageDamaged';
  return Math.max(pixels.width, pixels.height) > PIXELS_MOST ? 'imageTooWide' : null;
}

/** Those of a message that came back, to be attached again. */
export function imageFiles(images: readonly MessageImage[]): ImageFile[] {
  return images.map(({ name = '', blob, mediaType, bytes }) => ({ name, bytes, image: { blob, mediaType } }));
}

/** Images in what an event or the desk holds. */
export function imagesIn(value: unknown): MessageImage[] {
  if (!Array.isArray(value)) return [];
  return (value as (Record<string, unknown> | null)[]).flatMap((one) =>
    str(one?.blob)
      ? [{ blob: str(one?.blob), mediaType: str(one?.mediaType), bytes: num(one?.bytes) ?? 0, name: str(one?.name) }]
      : [],
  );
}
