import type { RawRecord } from '../backend';
import { exactOf } from '../json/exact';
import { laidOut } from '../json/layout';
import { text } from '../text';

// Records come from files that anything may have written. Everything is read with a check and a fallback, so
// that a strange record shows as a strange record and never breaks the page.

/** What may be aside: the model was told it once at most, and is not told it again. */
interface Aside {
  aside?: true;
}
export interface TextBlock extends Aside {
  type: 'text';
  text: string;
  /** Set where the text is only head and tail of what the blob holds. */
  blob: string;
  bytes: number;
}
interface ThinkingBlock extends Aside {
  type: 'thinking';
  text: string;
}
export interface CallBlock {
  type: 'toolCall';
  id: string;
  name: string;
  args: unknown;
}
export interface ImageBlock extends Aside {
  type: 'image';
  mediaType: string;
  blob: string;
  /** That of the file it was; often none. */
  name: string;
}
interface UnknownBlock {
  type: 'unknown';
  name: string;
  raw: unknown;
  /** Its agent sends it to the model as it is. */
  asIs: boolean;
}
export type Block = TextBlock | ThinkingBlock | CallBlock | ImageBlock | UnknownBlock;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function str(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
export function num(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

function blockOf(raw: unknown): Block {
  if (!isObject(raw)) return { type: 'unknown', name: typeof raw, raw, asIs: false };
  const aside = raw.aside === true ? ({ aside: true } as const) : {};
  switch (raw.type) {
    case 'text':
      return { type: 'text', text: str(raw.text), blob: str(raw.blob), bytes: num(raw.bytes) ?? 0, ...aside };
    case 'thinking':
      return { type: 'thinking', text: str(raw.text), ...aside };
    case 'toolCall':
      return { type: 'toolCall', id: str(raw.id), name: str(raw.name) || '?', args: raw.arguments };
    case 'image':
      if (!str(raw.blob)) break;
      return { type: 'image', mediaType: str(raw.mediaType), blob: str(raw.blob), name: str(raw.name), ...aside };
  }
  return { type: 'unknown', name: str(raw.type) || '?', raw, asIs: raw.sentAsIs === true };
}

export function blocksOf(record: RawRecord): Block[] {
  const content = record.content;
  if (typeof content === 'string') return [{ type: 'text', text: content, blob: '', bytes: 0 }];
  return Array.isArray(content) ? content.map(blockOf) : [];
}

/** The agent that a record was taken over from, or is read from; empty where it is one of ours. */
export function agentOf(record: RawRecord): string {
  return isObject(record.origin) ? str(record.origin.agent) : '';
}

export function callsOf(record: RawRecord): CallBlock[] {
  if (record.role !== 'assistant' || !Array.isArray(record.content)) return [];
  return blocksOf(record).filter((block) => block.type === 'toolCall');
}

export function isResult(record: RawRecord): boolean {
  return record.recordType === 'message' && record.role === 'toolResult';
}

// Indenting deeper than this makes of a little JSON a lot of spaces.
const DEEP = 60;

/**
 * A value as JSON, as it was written where that is known; indented unless it is too deep for that, and in words where it
 * is too deep to be written at all.
 */
export function jsonOf(value: unknown, indent = 0): string {
  const exact = exactOf(value);
  if (exact !== undefined) return indent ? laidOut(exact) : exact;
  try {
    return JSON.stringify(value, null, isDeeper(value, DEEP) ? 0 : indent) ?? '';
  } catch {
    return text.transcript.tooDeep;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1));
}

/** The readable text of a message: what copying it gives. */
export function plainText(record: RawRecord): string {
  const parts = blocksOf(record).map((block) => {
    if (block.type === 'text') return block.text;
    if (block.type === 'toolCall') return `[${block.name}] ${jsonOf(block.args)}`.trim();
    return '';
  });
  return parts.filter(Boolean).join('\n\n');
}

export function timeOf(record: RawRecord): number {
  return Date.parse(str(record.timestamp));
}

/** The summary without the lists of files at its end, which have a place of their own. */
export function summaryText(summary: string): string {
  let rest = summary.trim();
  for (;;) {
    const kind = /<\/(read|modified)-files>$/.exec(rest.slice(-20))?.[1];
    const start = kind ? rest.lastIndexOf(`<${kind}-files>`) : -1;
    if (start < 0) return rest;
    rest = rest.slice(0, start).trimEnd();
  }
}
