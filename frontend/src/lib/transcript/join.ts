import { callsOf, isResult, str, type CallBlock } from './record';
import type { RecordRow, Row } from './rows';

export type RowAt = (position: number) => Row | undefined;

export interface JoinedCall {
  call: CallBlock;
  result: RecordRow | null;
  position: number;
}

// How far results may stand from their call: more parallel calls than this are shown each on its own.
const REACH = 64;

function isMessage(row: Row): row is RecordRow {
  return row.kind === 'record' && row.record.recordType === 'message';
}

/** Between a call and its result stand other results, damaged lines, quiet records and what a person alone was shown; anything else ends it. */
function endsTurn(row: Row): boolean {
  if (row.kind !== 'record' || row.record.aside === true) return false;
  return row.record.recordType === 'message' ? !isResult(row.record) : row.record.recordType === 'compaction';
}

/** The calls of the message at `position`, each with the result that follows it, if it is loaded. */
export function joinCalls(rowAt: RowAt, position: number): JoinedCall[] {
  const row = rowAt(position);
  if (row?.kind !== 'record') return [];
  const joined: JoinedCall[] = callsOf(row.record).map((call) => ({ call, result: null, position: -1 }));
  let open = joined.length;
  for (let at = position + 1; open > 0 && at <= position + REACH; at++) {
    const next = rowAt(at);
    if (!next || endsTurn(next)) break;
    if (!isMessage(next)) continue;
    const id = str(next.record.toolCallId);
    const answered = joined.find((item) => item.result === null && item.call.id === id);
    if (!answered) continue;
    answered.result = next;
    answered.position = at;
    open--;
  }
  return joined;
}

/** The position of the message that shows the result at `position` in its card; null if it stands alone. */
export function ownerOf(rowAt: RowAt, position: number): number | null {
  for (let at = position - 1; at >= 0 && at >= position - REACH; at--) {
    const row = rowAt(at);
    if (!row) return null;
    if (!endsTurn(row)) continue;
    return joinCalls(rowAt, at).some((item) => item.position === position) ? at : null;
  }
  return null;
}
