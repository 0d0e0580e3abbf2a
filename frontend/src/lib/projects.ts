import { plainFolder } from './format';
import { visibleExactly } from './visible';

// As many letters as a list has room for; all of it stands in the title.
const LONGEST = 200;

interface Folder {
  path: string;
  plain: string;
  /** Where its parts begin, the last first. */
  starts: number[];
}

function folderOf(path: string): Folder {
  const plain = plainFolder(path);
  return { path, plain, starts: Array.from(plain.matchAll(/[^\\/]+/g), ({ index }) => index).reverse() };
}

/** By the part that is so far from the end; by nothing those that have none there. */
function apart(folders: readonly Folder[], at: number): Map<string, Folder[]> {
  const groups = new Map<string, Folder[]>();
  for (const folder of folders) {
    const { plain, starts } = folder;
    const part = plain.slice(starts[at] ?? Infinity, starts[at - 1]);
    groups
      .set(part, groups.get(part) ?? [])
      .get(part)
      ?.push(folder);
  }
  return groups;
}

/**
 * What folders are called, each by its path: by its last part and, where others end with that, by as many as no other ends
 * with; what has no more of them by the whole path.
 */
export function projectNames(paths: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let alike = [Array.from(new Set(paths), folderOf)];
  for (let at = 0; alike.length > 0; at++) {
    const more: Folder[][] = [];
    for (const [part, group] of alike.flatMap((folders) => [...apart(folders, at)])) {
      const alone = group.length === 1;
      if (part && !alone) more.push(group);
      // What differs in nothing but slashes at its end keeps them.
      else for (const { path, plain, starts } of group) names.set(path, alone ? plain.slice(starts[at] ?? 0) : path);
    }
    alike = more;
  }
  return names;
}

/** One of them, as it is shown. */
export function projectName(names: ReadonlyMap<string, string>, path: string): string {
  return visibleExactly(names.get(path) ?? path, LONGEST);
}
