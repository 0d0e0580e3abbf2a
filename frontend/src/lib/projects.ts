import { plainFolder } from './format';
import { visibleExactly } from './visible';

// As many letters as a list has room for; all of it stands in the title.
const LONGEST = 200;

interface Folder {
  path: string;
  /** Its parts and where each begins, the last first. */
  parts: string[];
  starts: number[];
}

function folderOf(path: string): Folder {
  const parts = [...path.matchAll(/[^\\/]+/g)].reverse();
  return { path, parts: parts.map(([part]) => part), starts: parts.map(({ index }) => index) };
}

/** By the part that is so far from the end; by null those that have none there. */
function apart(folders: readonly Folder[], at: number): Map<string | null, Folder[]> {
  const groups = new Map<string | null, Folder[]>();
  for (const folder of folders) {
    const part = folder.parts[at] ?? null;
    const group = groups.get(part);
    if (group) group.push(folder);
    else groups.set(part, [folder]);
  }
  return groups;
}

/**
 * What folders are called, each by its path: by its last part and, where others end with that, by as many as no other ends
 * with; what has no more of them by the whole path.
 */
export function projectNames(paths: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const alike = [{ folders: [...new Set(paths)].map(folderOf), at: 0 }];
  for (let next = alike.pop(); next; next = alike.pop()) {
    const { folders, at } = next;
    for (const [part, group] of apart(folders, at)) {
      const alone = group.length === 1;
      if (part !== null && !alone) alike.push({ folders: group, at: at + 1 });
      // What differs in nothing but slashes keeps them.
      else
        for (const { path, starts } of group) names.set(path, alone ? plainFolder(path.slice(starts[at] ?? 0)) : path);
    }
  }
  return names;
}

/** One of them, as it is shown. */
export function projectName(names: ReadonlyMap<string, string>, path: string): string {
  return visibleExactly(names.get(path) ?? path, LONGEST);
}
