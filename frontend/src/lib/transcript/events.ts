import type { RawRecord } from '../backend';
import { text } from '../text';
import { visibleLine, visibleName } from '../visible';
import { blocksOf, isObject, num, str } from './record';

export interface EventLine {
  type: string;
  title: string;
  /** The record it is about; 0 if none. */
  target: number;
  /** Text that the model sees with it. */
  body: string;
  /** What the model sees in place of outputs, as it is. */
  instead?: string;
  /** What a program put there, and meant for nobody to read: folded. */
  folded?: true;
  /** The files that were taken back, of an undo that can be taken back in turn. */
  files?: string[];
  /** What is shown as JSON: the state of an extension, or a record that has no form here. */
  raw?: unknown;
}

/** What a record that is neither message nor compaction says. */
export function eventOf(record: RawRecord): EventLine {
  const type = str(record.recordType);
  const line = (title: string, more: Partial<EventLine> = {}): EventLine => ({
    type,
    title,
    target: 0,
    body: '',
    ...more,
  });
  const target = num(record.targetSeq) ?? 0;

  switch (type) {
    case 'branch': {
      const from = num(record.fromSeq) ?? 0;
      return line(text.event.branch(from), { target: from, body: str(record.summary) });
    }
    case 'revert':
      return line(text.event.revert(target), { target });
    case 'prune': {
      const seqs = Array.isArray(record.seqs) ? record.seqs : [];
      const instead = insteadOf(record, seqs.length);
      return line(text.event.prune(seqs.length, num(record.tokensFreed)), { target: num(seqs[0]) ?? 0, instead });
    }
    case 'label': {
      const label = visibleLine(str(record.label), 120);
      return line(label ? text.event.label(label, target) : text.event.unlabel(target), { target });
    }
    case 'model':
      return line(text.event.model(modelName(record)));
    case 'note': {
      const undone = undoneFiles(record);
      if (undone && isObject(record.data) && record.data.failed === true)
        return line(text.undo.eventFailed(undone.length), {
          body: undone.map((path) => `- \`${visibleLine(path, 500)}\``).join('\n'),
        });
      if (undone) return line(text.undo.event(undone.length), { files: undone });
      const said = blocksOf(record).map((block) => (block.type === 'text' ? block.text : ''));
      const data = isObject(record.data) && Object.keys(record.data).length > 0 ? record.data : undefined;
      const body = said.join('\n\n').trim();
      if (body && record.display === false)
        return line(text.event.injected(injectedName(str(record.namespace))), { body, raw: data, folded: true });
      return line(text.event.note(visibleLine(str(record.namespace), 60) || '?'), { body, raw: data });
    }
  }
  return line(text.event.unknown(visibleLine(type, 60) || '?'), { raw: record });
}

/** What so many outputs show as, where a prune says it of each. */
function insteadOf(record: RawRecord, results: number): string | undefined {
  if (!Array.isArray(record.texts) || record.texts.length !== results) return undefined;
  return record.texts.map(str).filter(Boolean).join('\n\n') || undefined;
}

/** The files of a note about an undo of files; null for other notes. */
function undoneFiles(record: RawRecord): string[] | null {
  if (record.namespace !== 'file-undo' || !isObject(record.data) || !Array.isArray(record.data.changes)) return null;
  return record.data.changes.map((change) => (isObject(change) ? str(change.path) : '')).filter(Boolean);
}

/** What a note was injected as, of a namespace such as `agent.attachment.todo_list`; empty where it says no more than that. */
function injectedName(namespace: string): string {
  const parts = namespace.split('.').filter((part) => part !== 'attachment' && part !== 'injected');
  return visibleLine((parts.length > 1 ? parts.slice(1) : []).join(' ').replaceAll('_', ' '), 60);
}

/**
 * How a text begins that was put before the model, on one line. Reminders stand in a tag of their own, which says nothing; one that has its
 * text on its line says what that is.
 */
export function beginningOf(body: string): string {
  const plain = (line: string) =>
    line
      .replace(/^<([\w-]+)>(.+)<\/\1>$/, (_, tag: string, said: string) => `${tag.replaceAll('-', ' ')}: ${said}`)
      .replace(/^<\/?[\w-]+>|[*_`#]/g, '')
      .trim();
  return visibleLine(body.split('\n').map(plain).find(Boolean) ?? '', 160);
}

function modelName(record: RawRecord): string {
  const name = (member: unknown) => visibleName(str(member), 120);
  const names = [name(record.provider), name(record.model)].filter(Boolean).join('/');
  return [names, name(record.reasoningEffort)].filter(Boolean).join(' · ') || '?';
}
