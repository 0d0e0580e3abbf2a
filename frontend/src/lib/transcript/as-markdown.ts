import type { RawRecord } from '../backend';
import { text } from '../text';
import { visibleLine } from '../visible';
import { contained, escaped } from './contained';
import { eventOf } from './events';
import { blocksOf, str, summaryText, type Block } from './record';
import { commandOf, pretty, restOf } from './tools';
import { whoSaid } from './who';

/** A block of code, fenced by more signs than it holds itself. */
function fenced(code: string, language = ''): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([signs]) => signs.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`;
}

function quoted(said: string): string {
  return said
    .trim()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

function blockAsMarkdown(block: Block): string {
  switch (block.type) {
    case 'text':
      return contained(block.text);
    case 'thinking':
      return block.text.trim() ? quoted(block.text) : '';
    case 'image':
      return `*[${text.transcript.image}, ${block.mediaType || '?'}]*`;
    case 'toolCall': {
      const command = commandOf(block.args);
      const rest = command ? restOf(block.args, ['command', 'cmd', 'script']) : (block.args ?? {});
      const parts = [
        `**${escaped(visibleLine(block.name))}**`,
        ...(command ? [fenced(command, 'sh')] : []),
        ...(rest === undefined ? [] : [fenced(pretty(rest), 'json')]),
      ];
      return parts.join('\n\n');
    }
    case 'unknown':
      return fenced(pretty(block.raw), 'json');
  }
}

/** What a message says as Markdown: its own, and code fenced, so that it reads the same elsewhere. */
export function messageAsMarkdown(record: RawRecord): string {
  const blocks = blocksOf(record);
  const failure = str(record.errorMessage);
  const [only] = blocks;
  // Text alone reaches into nothing, and stays as it was written.
  if (blocks.length === 1 && only?.type === 'text' && record.role !== 'toolResult' && !failure) return only.text;
  return bodyOf(record, blocks);
}

function bodyOf(record: RawRecord, blocks = blocksOf(record)): string {
  const isOutput = record.role === 'toolResult';
  const parts = blocks.map((block) =>
    isOutput && block.type === 'text' ? fenced(block.text) : blockAsMarkdown(block),
  );
  const failure = str(record.errorMessage);
  if (failure) parts.push(fenced(failure));
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

/** A record with its heading, as it stands in a whole conversation; empty for what says nothing there. */
export function recordAsMarkdown(record: RawRecord): string {
  const type = str(record.recordType);
  if (type === 'compaction')
    return `---\n\n## ${text.band.title}\n\n${contained(summaryText(str(record.summary)))}\n\n---`;
  if (type !== 'message') {
    const event = eventOf(record);
    return [`*${escaped(event.title)}*`, contained(event.body)].filter(Boolean).join('\n\n');
  }
  const body = bodyOf(record);
  return body ? `### ${escaped(whoSaid(record))} · ${str(record.timestamp)}\n\n${body}` : '';
}
