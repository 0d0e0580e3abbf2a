/** A stretch of a line, and whether it is what changed in it. */
interface Word {
  text: string;
  changed: boolean;
}
export interface Line {
  kind: 'same' | 'added' | 'removed' | 'gap';
  text: string;
  /** Its number in the file before and after, where that is known. */
  before?: number;
  after?: number;
  words?: Word[];
  /** No line break follows it, though one does on the other side. */
  unended?: boolean;
}
export interface Diff {
  lines: Line[];
  added: number;
  removed: number;
  /** A file that was not there before, as far as the call tells. */
  isNew?: boolean;
}

export function counted(lines: Line[]): Diff {
  return {
    lines,
    added: lines.filter((line) => line.kind === 'added').length,
    removed: lines.filter((line) => line.kind === 'removed').length,
  };
}
