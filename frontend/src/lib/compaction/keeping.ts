// What the summary lost goes where the format has a place for it: a line of the section Critical Context.

const HEADING = '## Critical Context';
const IS_HEADING = /^##[ \t]+critical context[ \t]*:?[ \t]*$/i;
/** A section ends with the next of its level, or with the lists of files, which are no part of the text. */
const ENDS = /^(?:#{1,2}[ \t]|<(?:read|modified)-files>)/;
const TAGS = /^<(?:read|modified)-files>/;
const FENCE = /^ {0,3}(?:```|~~~)/;
/** What a section says that has nothing in it. */
const NOTHING = /^(?:[-*][ \t]+)?\(?none\)?\.?$/i;

/** A summary with one more line in its Critical Context; the same if it is there already. */
export function withFact(summary: string, fact: string): string {
  const end = summary.includes('\r\n') ? '\r\n' : '\n';
  const lines = summary.split(/\r?\n/);
  const item = `- ${fact.replace(/\s*[\r\n]+\s*/g, ' ').trim()}`;
  const outside = outsideFences(lines);
  const heading = lines.findIndex((line, i) => outside[i] && IS_HEADING.test(line));
  if (heading < 0) return withSection(lines, outside, item).join(end);
  const next = lines.findIndex((line, i) => i > heading && outside[i] && ENDS.test(line));
  const section = lines.slice(heading + 1, next < 0 ? undefined : next);
  if (section.includes(item)) return summary;
  const said = trimmedEnd(section).filter((line) => !NOTHING.test(line.trim()));
  const rest = next < 0 ? [] : ['', ...lines.slice(next)];
  return [...lines.slice(0, heading + 1), ...said, item, ...rest].join(end);
}

function withSection(lines: string[], outside: boolean[], item: string): string[] {
  const tags = lines.findIndex((line, i) => outside[i] && TAGS.test(line));
  const before = trimmedEnd(tags < 0 ? lines : lines.slice(0, tags));
  const rest = tags < 0 ? [] : ['', ...lines.slice(tags)];
  return [...before, ...(before.length > 0 ? [''] : []), HEADING, item, ...rest];
}

/** Of each line, whether it stands outside of code: there, what looks like a heading is none. */
function outsideFences(lines: string[]): boolean[] {
  let inside = false;
  return lines.map((line) => {
    const fence = FENCE.test(line);
    if (fence) inside = !inside;
    return !fence && !inside;
  });
}

function trimmedEnd(lines: string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}
