import type { Entry } from './entries';

// As many as one looks over.
const MOST = 5;

/** The folders that sessions worked in, the last one first. */
export function recentFolders(entries: readonly Entry[]): string[] {
  const folders = new Set<string>();
  for (const { session } of entries) {
    if (session.cwd) folders.add(session.cwd);
    if (folders.size === MOST) break;
  }
  return [...folders];
}
