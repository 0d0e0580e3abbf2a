// What is open longer than this stays open: to look for it would take longer with every word.
const LONGEST = 4000;

const ROW = /^ {0,3}\|/;
const DELIMITER = /^ {0,3}\|[\s|:-]*$/;

/**
 * The last block of an answer as it will most likely go on: what was opened in its last lines is closed, so that
 * it does not stand there as signs until the rest has come. A fence needs no help.
 */
export function finish(block: string): string {
  if (/^ {0,12}(?:`{3,}|~{3,})/m.test(block)) return block;
  const table = finishTable(block);
  if (table !== null) return table;
  const start = Math.max(block.lastIndexOf('\n- '), block.lastIndexOf('\n\n'), block.length - LONGEST, 0);
  return block.slice(0, start) + finishInline(block.slice(start));
}

/** A table is one once its second line is there; until then its head would be a line of bars. */
function finishTable(block: string): string | null {
  const lines = block.replace(/\n$/, '').split('\n');
  const [head = '', second] = lines;
  if (!ROW.test(head) || lines.length > 2) return null;
  if (second !== undefined && !DELIMITER.test(second)) return null;
  const columns = Math.max(1, head.trim().replace(/^\|/, '').replace(/\|$/, '').split('|').length);
  const closed = head.trimEnd().endsWith('|') ? head.trimEnd() : `${head.trimEnd()} |`;
  return `${closed}\n|${' --- |'.repeat(columns)}`;
}

function finishInline(text: string): string {
  const code = text.match(/`+/g)?.length ?? 0;
  if (code % 2 === 1) return text.endsWith('`') ? text.replace(/`+$/, '') : `${text}\``;
  // A link that has no end yet shows its words.
  let out = text.replace(/!?\[([^\]\n]*)(?:\]\([^)\n]*)?$/, '$1');
  // Signs at the very end open what is not there yet.
  out = out.replace(/(?<=^|\s)(?:\*{1,3}|_{1,3}|~~)$/, '');
  const bare = out.replace(/`[^`]*`/g, '');
  if (count(bare, /\*\*/g) % 2 === 1) out = out.endsWith('*') ? `${out}*` : `${out}**`;
  else if (count(bare.replace(/\*\*/g, '').replace(/^\s*\*\s/gm, ''), /\*/g) % 2 === 1) out += '*';
  if (count(bare, /~~/g) % 2 === 1) out += '~~';
  return out;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
