import { codeBlocks } from './markdown';

/** The n-th block of code of a text as it was written; null if it has none there. */
export function codeBlock(source: string, n: number): string | null {
  try {
    return codeBlocks(source)[n] ?? null;
  } catch {
    return null;
  }
}
